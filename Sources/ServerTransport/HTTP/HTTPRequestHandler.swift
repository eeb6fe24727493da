import NIOCore
import NIOHTTP1

/// The requests of one HTTP/1.1 connection, or of one HTTP/2 stream. One request at a time comes
/// here.
final class HTTPRequestHandler: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  private let admits: HTTPAdmission
  private let answer: HTTPAnswering
  private let threads: CallThreads
  private let limits: PortSettings
  private var head: HTTPRequestHead?
  private var body: [UInt8] = []
  private var share: UnfinishedBytes.Share
  /// Closes a connection whose next request is not whole in time.
  private var deadline: Scheduled<Void>?
  private var task: Task<Void, Never>?
  /// Whether the connection ends with the present answer.
  private var isLast = false

  init(
    _ admits: @escaping HTTPAdmission, _ answer: @escaping HTTPAnswering, on threads: CallThreads,
    unfinished: UnfinishedBytes, limits: PortSettings
  ) {
    self.admits = admits
    self.answer = answer
    self.threads = threads
    self.limits = limits
    share = UnfinishedBytes.Share(of: unfinished)
  }

  func handlerAdded(context: ChannelHandlerContext) { awaitRequest(context) }

  private func awaitRequest(_ context: ChannelHandlerContext) {
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
      if let refusal = admits(HTTPRequest(head)) { return refuse(refusal, context) }
      if head.version != .http1_0, head.headers[canonicalForm: "expect"].contains("100-continue") {
        // The client waits for it before it sends a large body.
        let goOn = HTTPResponseHead(version: head.version, status: .continue)
        context.writeAndFlush(wrapOutboundOut(.head(goOn)), promise: nil)
      }
    case .body(let bytes):
      guard head != nil else { return }
      body += bytes.readableBytesView
      if body.count > limits.messageByteCount {
        let text = "The request is larger than \(limits.messageByteCount) bytes."
        refuse(HTTPResponse(413, text: text), context)
      } else if !share.set(body.count) {
        let text = "The server has too many unfinished requests."
        refuse(HTTPResponse(503, text: text), context)
      }
    case .end:
      deadline?.cancel()
      if let head { start(head, context) }
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
    let request = HTTPRequest(head, body)
    body = []
    _ = share.set(0)
    // The decoder takes what follows an upgrade for another protocol.
    let isUpgrade = head.method == .CONNECT || head.headers.contains(name: "upgrade")
    if !head.isKeepAlive || isUpgrade { isLast = true }
    let handler = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    let loop = context.eventLoop
    task = Task(executorPreference: threads) { [answer] in
      let response = await answer(request)
      loop.execute {
        let (handler, context) = handler.value
        handler.write(response, context)
      }
    }
  }

  private func write(_ response: HTTPResponse, _ context: ChannelHandlerContext) {
    guard let head, context.channel.isActive else { return }
    self.head = nil
    task = nil
    var headers = HTTPHeaders(response.headers.map { ($0.name, $0.value) })
    headers.replaceOrAdd(name: "content-length", value: "\(response.body.count)")
    if isLast, head.version.major == 1 { headers.replaceOrAdd(name: "connection", value: "close") }
    let answer = HTTPResponseHead(
      version: head.version, status: .init(statusCode: response.status), headers: headers)
    context.write(wrapOutboundOut(.head(answer)), promise: nil)
    if !response.body.isEmpty, head.method != .HEAD {
      let bytes = context.channel.allocator.buffer(bytes: response.body)
      context.write(wrapOutboundOut(.body(.byteBuffer(bytes))), promise: nil)
    }
    let isLast = isLast
    let loopBound = NIOLoopBound(context, eventLoop: context.eventLoop)
    context.writeAndFlush(wrapOutboundOut(.end(nil))).whenComplete { _ in
      if isLast { loopBound.value.close(promise: nil) }
    }
    if !isLast { awaitRequest(context) }
  }

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
    (task, head) = (nil, nil)
    body = []
    _ = share.set(0)
    context.fireChannelInactive()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.closeSoon() }
}

extension HTTPRequest {
  fileprivate init(_ head: HTTPRequestHead, _ body: [UInt8] = []) {
    self.init(
      version: head.version.major, method: head.method.rawValue, target: head.uri,
      headers: head.headers.map { ($0.name, $0.value) }, body: body)
  }
}
