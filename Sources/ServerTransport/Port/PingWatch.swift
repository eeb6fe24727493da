package import NIOCore
package import NIOHTTP2

/// Finds the connections of HTTP/2 whose client has vanished. One that says nothing for a while is
/// pinged, and closed if it says nothing then either.
///
/// Every client answers pings by itself, also those that only listen.
package final class PingWatch: ChannelInboundHandler {
  package typealias InboundIn = HTTP2Frame
  package typealias OutboundOut = HTTP2Frame

  private let time: TimeAmount
  private var looks: RepeatedTask?
  /// Whether the client has said anything since the last look.
  private var hasHeard = true
  /// Whether the client has a ping to answer.
  private var isPinged = false

  /// - Parameter time: the time from one look at the client to the next.
  package init(every time: Duration) {
    self.time = TimeAmount(time)
  }

  package func handlerAdded(context: ChannelHandlerContext) {
    let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    looks = context.eventLoop.scheduleRepeatedTask(initialDelay: time, delay: time) { _ in
      let (handler, context) = bound.value
      handler.look(context)
    }
  }

  package func handlerRemoved(context: ChannelHandlerContext) { looks?.cancel() }

  /// All that comes ends with it, also what comes on streams.
  package func channelReadComplete(context: ChannelHandlerContext) {
    hasHeard = true
    context.fireChannelReadComplete()
  }

  private func look(_ context: ChannelHandlerContext) {
    switch (hasHeard, isPinged) {
    case (true, _): (hasHeard, isPinged) = (false, false)
    case (false, false):
      isPinged = true
      let ping = HTTP2Frame.FramePayload.ping(HTTP2PingData(withInteger: 0), ack: false)
      context.writeAndFlush(
        wrapOutboundOut(HTTP2Frame(streamID: .rootStream, payload: ping)), promise: nil)
    case (false, true): context.close(promise: nil)
    }
  }
}
