import NIOCore

extension ChannelHandlerContext {
  /// Closes the channel after the present event. A stream that closes while its first frame is read
  /// ends before its connection knows that it has begun.
  func closeSoon() {
    let context = NIOLoopBound(self, eventLoop: eventLoop)
    eventLoop.execute { context.value.close(promise: nil) }
  }
}
