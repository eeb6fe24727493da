package import NIOCore

/// Tells HTTP/2 with prior knowledge and HTTP/1.1 apart by the first bytes of a connection, which
/// wait here until that is done.
package final class ProtocolChoice: ChannelInboundHandler, RemovableChannelHandler {
  package typealias InboundIn = ByteBuffer
  package typealias InboundOut = ByteBuffer

  package enum Spoken {
    case http1, http2
    /// TLS, on a port without it.
    case tls
  }

  /// The beginning of HTTP/2's preface. No request of HTTP/1.1 begins so.
  private static let preface = Array("PRI ".utf8)
  /// The first byte of a handshake of TLS.
  private static let handshake: UInt8 = 0x16

  private let time: Duration
  private let configure: (ChannelHandlerContext, Spoken) throws -> Void
  private var first = ByteBuffer()
  private var deadline: Scheduled<Void>?
  private var hasChosen = false

  /// - Parameters:
  ///   - time: the time after which a connection that has not chosen is closed.
  ///   - configure: adds the handlers of the protocol to the pipeline.
  package init(
    within time: Duration, _ configure: @escaping (ChannelHandlerContext, Spoken) throws -> Void
  ) {
    self.time = time
    self.configure = configure
  }

  package func handlerAdded(context: ChannelHandlerContext) {
    let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
    deadline = context.eventLoop.scheduleTask(in: TimeAmount(time)) {
      bound.value.close(promise: nil)
    }
  }

  package func handlerRemoved(context: ChannelHandlerContext) {
    deadline?.cancel()
  }

  package func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if event is ChannelShouldQuiesceEvent { context.close(promise: nil) }
    context.fireUserInboundEventTriggered(event)
  }

  package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    // The first bytes may be answered, and a connection that breaks then is read once more, before
    // this handler is gone.
    guard !hasChosen else { return context.fireChannelRead(data) }
    first.writeImmutableBuffer(unwrapInboundIn(data))
    guard let spoken = ProtocolChoice.spoken(in: first) else { return }
    hasChosen = true
    do {
      try configure(context, spoken)
    } catch {
      context.close(promise: nil)
      return
    }
    context.fireChannelRead(wrapInboundOut(first))
    context.pipeline.syncOperations.removeHandler(self, promise: nil)
  }

  private static func spoken(in bytes: ByteBuffer) -> Spoken? {
    let start = bytes.readableBytesView.prefix(preface.count)
    if start.first == handshake { return .tls }
    guard preface.starts(with: start) else { return .http1 }
    return start.count == preface.count ? .http2 : nil
  }
}
