import NIOCore
import NIOPosix

/// A connection of plain bytes to a port on this machine.
package final class PlainConnection: Sendable {
  private let channel: any Channel
  private let received: AsyncStream<[UInt8]>

  private init(_ channel: any Channel, _ received: AsyncStream<[UInt8]>) {
    self.channel = channel
    self.received = received
  }

  package static func connect(
    to port: Int, host: String = "127.0.0.1"
  ) async throws -> PlainConnection {
    let (received, continuation) = AsyncStream.makeStream(of: [UInt8].self)
    let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(PlainHandler(continuation))
        }
      }
      .connect(host: host, port: port).get()
    return PlainConnection(channel, received)
  }

  package func send(_ text: String) async throws {
    try await channel.writeAndFlush(ByteBuffer(string: text))
  }

  package func send(bytes: [UInt8]) async throws {
    try await channel.writeAndFlush(ByteBuffer(bytes: bytes))
  }

  /// Returns what comes, up to `end` or the end of the connection.
  package func text(upTo end: String? = nil) async -> String {
    var bytes: [UInt8] = []
    for await part in received {
      bytes += part
      if let end, String(decoding: bytes, as: UTF8.self).hasSuffix(end) { break }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns all bytes that come up to the end of the connection.
  package func bytes() async -> [UInt8] {
    var bytes: [UInt8] = []
    for await part in received { bytes += part }
    return bytes
  }

  /// Leaves reading to `read()`, and holds little of what isn't read.
  package func stopReading() async throws {
    try await channel.setOption(.autoRead, value: false).get()
    try await channel.setOption(.maxMessagesPerRead, value: 1).get()
    try await channel.setOption(.socketOption(.so_rcvbuf), value: 64 << 10).get()
  }

  /// Returns the next bytes of a connection that has stopped to read; `nil` at its end.
  package func read() async -> [UInt8]? {
    channel.read()
    for await part in received { return part }
    return nil
  }

  package func close() async throws { try await channel.close() }
}

private final class PlainHandler: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  private let received: AsyncStream<[UInt8]>.Continuation

  init(_ received: AsyncStream<[UInt8]>.Continuation) {
    self.received = received
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    received.yield(Array(unwrapInboundIn(data).readableBytesView))
  }

  func channelInactive(context: ChannelHandlerContext) { received.finish() }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    context.close(promise: nil)
  }
}
