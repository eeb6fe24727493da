import NIOCore
import NIOHTTP1

/// The requests of one HTTP/1.1 connection, or of one HTTP/2 stream. One request at a time comes
/// here.
final class HTTPRequestHandler: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  private let answer: HTTPAnswering
  private let threads: CallThreads
  private let byteCountLimit: Int
  private var head: HTTPRequestHead?
  private var body: [UInt8] = []
  private var task: Task<Void, Never>?
  /// Whether the connection ends with the present answer.
  private var isLast = false

  init(_ answer: @escaping HTTPAnswering, on threads: CallThreads, byteCountLimit: Int) {
    self.answer = answer
    self.threads = threads
    self.byteCountLimit = byteCountLimit
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head):
      self.head = head
      body = []
    case .body(let bytes):
      guard head != nil else { return }
      body += bytes.readableBytesView
      if body.count > byteCountLimit {
        isLast = true
        write(
          HTTPResponse(413, text: "The request is larger than \(byteCountLimit) bytes."), context)
      }
    case .end:
      if let head { start(head, context) }
    }
  }

  private func start(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
    let request = HTTPRequest(
      version: head.version.major, method: head.method.rawValue, target: head.uri,
      headers: head.headers.map { ($0.name, $0.value) }, body: body)
    body = []
    if !head.isKeepAlive { isLast = true }
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
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if event is ChannelShouldQuiesceEvent {
      isLast = true
      if head == nil { context.close(promise: nil) }
    }
    context.fireUserInboundEventTriggered(event)
  }

  func channelInactive(context: ChannelHandlerContext) {
    task?.cancel()
    (task, head) = (nil, nil)
    context.fireChannelInactive()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    context.close(promise: nil)
  }
}
