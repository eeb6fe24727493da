import NIOCore
import NIOHTTP1

/// The requests of one HTTP/1.1 connection, or of one HTTP/2 stream. One request at a time comes
/// here.
final class HTTPRequestHandler: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  private let answers: HTTPAnswers
  private let threads: CallThreads
  private let limits: PortSettings
  private var head: HTTPRequestHead?
  private var body: [UInt8] = []
  private var share: UnfinishedBytes.Share
  /// Closes a connection whose next request is not whole in time, or whose client takes nothing of
  /// an answer for as long.
  private var deadline: Scheduled<Void>?
  private var task: Task<Void, Never>?
  /// Bytes of the last part of an answer that are left, until the client has room for them.
  private var rest: ByteBuffer?
  /// Whether the head of the present answer is sent.
  private var hasBegun = false
  /// The sender of a part, until the client has room for another one.
  private var sender: CheckedContinuation<Void, any Error>?
  /// Whether the connection ends with the present answer.
  private var isLast = false

  init(
    _ answers: HTTPAnswers, on threads: CallThreads, unfinished: UnfinishedBytes,
    limits: PortSettings
  ) {
    self.answers = answers
    self.threads = threads
    self.limits = limits
    share = UnfinishedBytes.Share(of: unfinished)
  }

  func handlerAdded(context: ChannelHandlerContext) { awaitClient(context) }

  private func awaitClient(_ context: ChannelHandlerContext) {
    let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
    deadline?.cancel()
    deadline = context.eventLoop.scheduleTask(in: TimeAmount(limits.requestTime)) {
      bound.value.close(promise: nil)
    }
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head):
      self.head = head
      body = []
      if let refusal = answers.admits(HTTPRequest(head)) { return refuse(refusal, context) }
      if head.version != .http1_0, head.headers[canonicalForm: "expect"].contains("100-continue") {
        // The client waits for it before it sends a large body.
        let goOn = HTTPResponseHead(version: head.version, status: .continue)
        context.writeAndFlush(wrapOutboundOut(.head(goOn)), promise: nil)
      }
    case .body(let bytes):
      guard let head else { return }
      body += bytes.readableBytesView
      if body.count > limits.messageByteCount {
        let fault = HTTPFault.tooLarge(byteCountLimit: limits.messageByteCount)
        refuse(answers.refuses(HTTPRequest(head), fault), context)
      } else if !share.set(body.count) {
        refuse(answers.refuses(HTTPRequest(head), .tooManyUnfinished), context)
      }
    case .end:
      guard let head else { return }
      deadline?.cancel()
      start(head, context)
    }
  }

  /// Answers a request that isn't whole. Nothing can follow it on its connection.
  private func refuse(_ refusal: HTTPResponse, _ context: ChannelHandlerContext) {
    isLast = true
    body = []
    _ = share.set(0)
    write(refusal, context)
  }

  private func start(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
    let request = HTTPRequest(head, body, from: context.channel.remoteAddress?.ipAddress)
    body = []
    _ = share.set(0)
    // The decoder takes what follows an upgrade for another protocol.
    let isUpgrade = head.method == .CONNECT || head.headers.contains(name: "upgrade")
    if !head.isKeepAlive || isUpgrade { isLast = true }
    let handler = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    let loop = context.eventLoop
    let send: HTTPSending = { part in
      try await withCheckedThrowingContinuation { sender in
        loop.execute {
          let (handler, context) = handler.value
          handler.write(part: part, context, sender)
        }
      }
    }
    task = Task(executorPreference: threads) { [answers] in
      let response = await answers.answer(request, send)
      loop.execute {
        let (handler, context) = handler.value
        handler.write(response, context)
      }
    }
  }

  // MARK: Writing

  /// Writes a part of an answer, and resumes its sender when there is room for another one.
  private func write(
    part: HTTPResponse, _ context: ChannelHandlerContext,
    _ sender: CheckedContinuation<Void, any Error>
  ) {
    guard let head, context.channel.isActive else {
      return sender.resume(throwing: CancellationError())
    }
    // Without chunks, only the end of the connection tells the end of the answer.
    if head.version == .http1_0 { isLast = true }
    begin(part, byteCount: nil, head, context)
    writeBody(part, head, context)
    // A connection that breaks while it is written to ends the sender's wait already.
    self.sender = sender
    context.flush()
    if context.channel.isWritable {
      resumeSender()
    } else if self.sender != nil {
      awaitClient(context)
    }
  }

  private func resumeSender() {
    guard let sender else { return }
    deadline?.cancel()
    self.sender = nil
    sender.resume()
  }

  /// Writes a whole answer, or the last part of one.
  private func write(_ response: HTTPResponse, _ context: ChannelHandlerContext) {
    guard let head, context.channel.isActive else { return }
    task = nil
    begin(response, byteCount: response.body.count, head, context)
    rest = context.channel.allocator.buffer(bytes: head.method == .HEAD ? [] : response.body)
    writeRest(context)
  }

  /// Writes as much of the last part as there is room for. It leaves in pieces, so that it is seen
  /// whether the client takes a large one.
  private func writeRest(_ context: ChannelHandlerContext) {
    while var bytes = rest, context.channel.isWritable {
      let piece = bytes.readSlice(length: min(bytes.readableBytes, RPCCall.waitingByteCount))
      if let piece, piece.readableBytes > 0 {
        context.write(wrapOutboundOut(.body(.byteBuffer(piece))), promise: nil)
      }
      guard bytes.readableBytes > 0 else { return writeEnd(context) }
      rest = bytes
      context.flush()
    }
    if rest != nil { awaitClient(context) }
  }

  private func writeEnd(_ context: ChannelHandlerContext) {
    (head, rest, hasBegun) = (nil, nil, false)
    let isLast = isLast
    let loopBound = NIOLoopBound(context, eventLoop: context.eventLoop)
    // The next request may come with the end of this answer.
    awaitClient(context)
    context.writeAndFlush(wrapOutboundOut(.end(nil))).whenComplete { _ in
      if isLast { loopBound.value.close(promise: nil) }
    }
  }

  /// Writes the head of an answer, unless that was done.
  ///
  /// - Parameter byteCount: the length of the body; `nil` if it isn't known.
  private func begin(
    _ response: HTTPResponse, byteCount: Int?, _ request: HTTPRequestHead,
    _ context: ChannelHandlerContext
  ) {
    guard !hasBegun else { return }
    hasBegun = true
    var headers = HTTPHeaders(response.headers.map { ($0.name, $0.value) })
    if let byteCount { headers.replaceOrAdd(name: "content-length", value: "\(byteCount)") }
    if isLast, request.version.major == 1 {
      headers.replaceOrAdd(name: "connection", value: "close")
    }
    let head = HTTPResponseHead(
      version: request.version, status: .init(statusCode: response.status), headers: headers)
    context.write(wrapOutboundOut(.head(head)), promise: nil)
  }

  private func writeBody(
    _ response: HTTPResponse, _ request: HTTPRequestHead, _ context: ChannelHandlerContext
  ) {
    guard !response.body.isEmpty, request.method != .HEAD else { return }
    let bytes = context.channel.allocator.buffer(bytes: response.body)
    context.write(wrapOutboundOut(.body(.byteBuffer(bytes))), promise: nil)
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    if context.channel.isWritable {
      resumeSender()
      writeRest(context)
    }
    context.fireChannelWritabilityChanged()
  }

  // MARK: Ending

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if event is ChannelShouldQuiesceEvent {
      isLast = true
      if head == nil { context.close(promise: nil) }
    }
    context.fireUserInboundEventTriggered(event)
  }

  func channelInactive(context: ChannelHandlerContext) {
    deadline?.cancel()
    task?.cancel()
    sender?.resume(throwing: CancellationError())
    (task, head, rest, sender) = (nil, nil, nil, nil)
    body = []
    _ = share.set(0)
    context.fireChannelInactive()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.closeSoon() }
}

extension HTTPRequest {
  fileprivate init(
    _ head: HTTPRequestHead, _ body: [UInt8] = [], from clientAddress: String? = nil
  ) {
    self.init(
      version: head.version.major, method: head.method.rawValue, target: head.uri,
      headers: head.headers.map { ($0.name, $0.value) }, body: body,
      clientAddress: clientAddress)
  }
}
