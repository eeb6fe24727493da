import NIOCore
import NIOHPACK
import NIOHTTP2
import NIOPosix
import NIOSSL

/// A client of a port on this machine, over HTTP/2 with prior knowledge.
package final class ServerClient: Sendable {
  private let channel: any Channel
  private let streams: NIOHTTP2Handler.StreamMultiplexer
  private let goAways: AsyncStream<Void>

  private init(
    _ channel: any Channel, _ streams: NIOHTTP2Handler.StreamMultiplexer,
    _ goAways: AsyncStream<Void>
  ) {
    self.channel = channel
    self.streams = streams
    self.goAways = goAways
  }

  /// - Parameter certificate: the file of the only certificate that the client trusts; `nil` for a
  ///   connection without TLS.
  package static func connect(
    to port: Int, trusting certificate: String? = nil
  ) async throws -> ServerClient {
    let security = try certificate.map { path in
      var configuration = TLSConfiguration.makeClientConfiguration()
      configuration.trustRoots = .file(path)
      configuration.applicationProtocols = ["h2"]
      return try NIOSSLContext(configuration: configuration)
    }
    let (goAways, continuation) = AsyncStream.makeStream(of: Void.self)
    let (channel, streams) = try await ClientBootstrap(
      group: MultiThreadedEventLoopGroup.singleton
    )
    .connect(host: "127.0.0.1", port: port) { channel in
      channel.eventLoop.makeCompletedFuture {
        let pipeline = channel.pipeline.syncOperations
        if let security {
          try pipeline.addHandler(
            NIOSSLClientHandler(context: security, serverHostname: "localhost"))
        }
        var connection = NIOHTTP2Handler.ConnectionConfiguration()
        connection.streamResetLimits()
        let streams = try pipeline.configureHTTP2Pipeline(
          mode: .client, connectionConfiguration: connection, streamConfiguration: .init()
        ) { stream in
          stream.eventLoop.makeSucceededVoidFuture()
        }
        try pipeline.addHandler(GoAwayHandler(continuation))
        return (channel, streams)
      }
    }
    return ServerClient(channel, streams, goAways)
  }

  /// Opens a stream without sending anything.
  package func openStream() async throws -> ClientStream {
    let events = ClientEvents()
    let stream = try await streams.createStreamChannel { stream in
      stream.eventLoop.makeCompletedFuture {
        try stream.pipeline.syncOperations.addHandler(ClientStreamHandler(events))
      }
    }.get()
    return ClientStream(stream, events)
  }

  /// Opens a call and sends its headers.
  package func openCall(
    _ path: String, headers: [(String, String)] = [], contentType: String = "application/grpc",
    method: String = "POST", isLast: Bool = false
  ) async throws -> ClientStream {
    let stream = try await openStream()
    let basic = [
      (":method", method), (":path", path), (":scheme", "http"), (":authority", "localhost"),
      ("content-type", contentType), ("te", "trailers"),
    ]
    try await stream.send(headers: basic + headers, isLast: isLast)
    return stream
  }

  /// Makes a call with one message.
  package func call(
    _ path: String, _ message: [UInt8], headers: [(String, String)] = []
  ) async throws -> ClientAnswer {
    let stream = try await openCall(path, headers: headers)
    // The server may have ended the call already, by its headers alone.
    try? await stream.send(message: message, isLast: true)
    return await stream.answer()
  }

  /// Waits until the server has said that it will end.
  package func waitForGoAway() async {
    for await _ in goAways { return }
  }

  /// Waits until the connection is closed.
  package func waitForClose() async throws { try await channel.closeFuture.get() }

  package func close() async throws { try await channel.close() }
}

extension NIOHTTP2Handler.ConnectionConfiguration {
  /// Lets a test do what a well-behaved client never does.
  fileprivate mutating func streamResetLimits() {
    controlFrameRateLimit.maximumCount = .max
    contentLengthValidation = .disabled
  }
}

/// Tells of the server's GOAWAY frames.
private final class GoAwayHandler: ChannelInboundHandler {
  typealias InboundIn = HTTP2Frame

  private let goAways: AsyncStream<Void>.Continuation

  init(_ goAways: AsyncStream<Void>.Continuation) {
    self.goAways = goAways
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    if case .goAway = unwrapInboundIn(data).payload { goAways.yield() }
    context.fireChannelRead(data)
  }

  func channelInactive(context: ChannelHandlerContext) {
    goAways.finish()
    context.fireChannelInactive()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    context.close(promise: nil)
  }
}
