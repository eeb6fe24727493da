import NIOCore
import NIOHTTP2

/// Tells the calls of gRPC and other requests on HTTP/2 apart by the headers of a stream.
final class StreamChoice: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = HTTP2Frame.FramePayload
  typealias InboundOut = HTTP2Frame.FramePayload

  private let configure: (ChannelHandlerContext, _ isCall: Bool) throws -> Void
  private var hasChosen = false

  init(_ configure: @escaping (ChannelHandlerContext, _ isCall: Bool) throws -> Void) {
    self.configure = configure
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    // More may come while the headers are answered, before this handler is gone.
    guard !hasChosen else { return context.fireChannelRead(data) }
    guard case .headers(let frame) = unwrapInboundIn(data) else { return }
    hasChosen = true
    do {
      try configure(context, RPCHeaders.isCall(frame.headers))
    } catch {
      context.closeSoon()
      return
    }
    context.fireChannelRead(data)
    context.pipeline.syncOperations.removeHandler(self, promise: nil)
  }
}
