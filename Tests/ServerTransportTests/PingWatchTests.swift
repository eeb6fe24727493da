import HearthServerTransport
import NIOCore
import NIOEmbedded
import NIOHTTP2
import Testing

/// Connections whose client has vanished, by a clock that the tests set.
struct PingWatchTests {
  private static let time = TimeAmount.seconds(120)

  /// Runs `body` with a connection.
  private static func withConnection(_ body: (EmbeddedChannel) throws -> Void) throws {
    let channel = EmbeddedChannel()
    try channel.pipeline.syncOperations.addHandler(PingWatch(every: .seconds(120)))
    try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
    try body(channel)
    _ = try channel.finish(acceptAlreadyClosed: true)
  }

  private static func isPinged(_ channel: EmbeddedChannel) throws -> Bool {
    guard let frame = try channel.readOutbound(as: HTTP2Frame.self) else { return false }
    guard case .ping(_, ack: false) = frame.payload else { return false }
    return frame.streamID == .rootStream
  }

  @Test func aClientThatAnswersNoPingIsLeft() throws {
    try Self.withConnection { channel in
      for (isPinged, isActive) in [(false, true), (true, true), (false, false)] {
        channel.embeddedEventLoop.advanceTime(by: Self.time)
        let pinged = try Self.isPinged(channel)
        #expect(pinged == isPinged)
        #expect(channel.isActive == isActive)
      }
    }
  }

  @Test func aClientThatAnswersPingsStays() throws {
    try Self.withConnection { channel in
      var pingCount = 0
      for _ in 0..<100 {
        channel.embeddedEventLoop.advanceTime(by: Self.time)
        guard try Self.isPinged(channel) else { continue }
        pingCount += 1
        // All that it may say ends with this event.
        channel.pipeline.fireChannelReadComplete()
      }
      #expect(channel.isActive)
      #expect(pingCount == 50)
    }
  }

  @Test func aClientThatSpeaksIsNotPinged() throws {
    try Self.withConnection { channel in
      for _ in 0..<10 {
        channel.pipeline.fireChannelReadComplete()
        channel.embeddedEventLoop.advanceTime(by: Self.time)
        let pinged = try Self.isPinged(channel)
        #expect(!pinged)
      }
      #expect(channel.isActive)
    }
  }
}
