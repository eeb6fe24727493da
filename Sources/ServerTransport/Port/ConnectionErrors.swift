import NIOCore

/// Closes a connection of HTTP/2 that has an error of its own, once its GOAWAY is sent.
///
/// The handler of HTTP/2 reports errors of a stream and those of the connection alike, and closes
/// neither. Only for the latter it writes a GOAWAY with a code, so this looks at the frames that it
/// writes.
final class ConnectionErrors: ChannelOutboundHandler {
  typealias OutboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  /// The head of a frame: its length in three bytes, type, flags and stream.
  private static let headByteCount = 9
  private static let goAway: UInt8 = 7

  private let time: Duration
  /// Bytes of the present frame that come with the next writes.
  private var bytesLeft = 0
  private var deadline: Scheduled<Void>?

  /// - Parameter time: the time that the client has to take the GOAWAY.
  init(within time: Duration) {
    self.time = time
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    guard hasError(in: unwrapOutboundIn(data)), deadline == nil else {
      return context.write(data, promise: promise)
    }
    let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
    let close: @Sendable () -> Void = { bound.value.close(promise: nil) }
    deadline = context.eventLoop.scheduleTask(in: TimeAmount(time), close)
    let isSent = promise ?? context.eventLoop.makePromise()
    isSent.futureResult.whenComplete { _ in close() }
    context.write(data, promise: isSent)
  }

  func handlerRemoved(context: ChannelHandlerContext) { deadline?.cancel() }

  /// Whether a GOAWAY with a code is among the frames that begin in `bytes`. No write ends inside
  /// of a frame's head, or of a GOAWAY before its text.
  private func hasError(in bytes: ByteBuffer) -> Bool {
    var position = bytes.readerIndex + bytesLeft
    while let length = bytes.getInteger(at: position, as: UInt32.self),
      let type: UInt8 = bytes.getInteger(at: position + 3)
    {
      let payload = position + ConnectionErrors.headByteCount
      if type == ConnectionErrors.goAway,
        let code: UInt32 = bytes.getInteger(at: payload + 4), code != 0
      {
        return true
      }
      position = payload + Int(length >> 8)
    }
    bytesLeft = max(0, position - bytes.writerIndex)
    return false
  }
}
