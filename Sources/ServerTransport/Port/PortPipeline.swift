import NIOCore
import NIOHTTP1
import NIOHTTP2
import NIOSSL

/// The reason for which a connection is closed at once.
private enum RefusedConnection: Error {
  case tooMany
  /// A client that takes the port for one with TLS.
  case tls
}

/// The handlers of a port's connections.
struct PortPipeline: Sendable {
  let settings: PortSettings
  let connections: Connections
  let unfinished: UnfinishedBytes
  let threads: CallThreads
  let admits: RPCAdmission
  let methods: RPCMethods
  let answers: HTTPAnswers
  let observer: any PortObserver
  let certificate: PortCertificate?

  func configure(_ channel: any Channel) throws {
    guard connections.add(channel) else { throw RefusedConnection.tooMany }
    if let certificate {
      try channel.pipeline.syncOperations.addHandler(
        NIOSSLServerHandler(context: certificate.context))
    }
    try channel.pipeline.syncOperations.addHandler(
      ProtocolChoice(within: settings.choiceTime) { context, spoken in
        switch spoken {
        case .http1: try configureHTTP1(context)
        case .http2: try configureHTTP2(context)
        case .tls:
          observer.noteTLS()
          throw RefusedConnection.tls
        }
      })
  }

  private func configureHTTP1(_ context: ChannelHandlerContext) throws {
    let pipeline = context.pipeline.syncOperations
    try pipeline.configureHTTPServerPipeline(withErrorHandling: true)
    try pipeline.addHandler(requestHandler)
  }

  private func configureHTTP2(_ context: ChannelHandlerContext) throws {
    let pipeline = context.pipeline.syncOperations
    try pipeline.addHandler(ConnectionErrors(within: settings.requestTime))
    // It says GOAWAY at the end of the server, or after a long time without a stream, and closes
    // the connection after its last stream. Its own pings don't end a connection that no client
    // answers on.
    let management = NIOHTTP2ServerConnectionManagementHandler(
      eventLoop: context.eventLoop,
      configuration: .init(
        maxIdleTime: TimeAmount(settings.idleTime), maxAge: nil, maxGraceTime: nil, keepalive: nil))
    _ = try pipeline.configureHTTP2Pipeline(
      mode: .server, connectionConfiguration: settings.connection,
      streamConfiguration: settings.stream, streamDelegate: management.http2StreamDelegate
    ) { stream in
      stream.eventLoop.makeCompletedFuture { try configureStream(stream) }
    }
    try pipeline.addHandlers(management, PingWatch(every: settings.pingTime))
    // The connection became active before they were there. Its first time without a stream begins.
    management.channelActive(context: try pipeline.context(handler: management))
  }

  private func configureStream(_ stream: any Channel) throws {
    try stream.pipeline.syncOperations.addHandler(
      StreamChoice { context, isCall in
        let pipeline = context.pipeline.syncOperations
        if isCall {
          try pipeline.addHandler(
            RPCStreamHandler(
              admits, methods, on: threads, unfinished: unfinished, limits: settings,
              observer: observer))
        } else {
          try pipeline.addHandlers(HTTP2FramePayloadToHTTP1ServerCodec(), requestHandler)
        }
      })
  }

  private var requestHandler: HTTPRequestHandler {
    HTTPRequestHandler(answers, on: threads, unfinished: unfinished, limits: settings)
  }
}

extension PortSettings {
  /// Bytes that a client may send before the port has read them: a stream's, a connection's.
  private static let windowByteCount = 1 << 20

  fileprivate var connection: NIOHTTP2Handler.ConnectionConfiguration {
    var connection = NIOHTTP2Handler.ConnectionConfiguration()
    connection.initialSettings = [
      HTTP2Setting(parameter: .maxConcurrentStreams, value: streamCount),
      HTTP2Setting(parameter: .maxHeaderListSize, value: headerByteCount),
      HTTP2Setting(parameter: .initialWindowSize, value: PortSettings.windowByteCount),
    ]
    connection.targetWindowSize = PortSettings.windowByteCount
    // Clients ping to measure the line, and while they wait. That is no attack.
    connection.controlFrameRateLimit.maximumCount = 10_000
    return connection
  }

  fileprivate var stream: NIOHTTP2Handler.StreamConfiguration {
    var stream = NIOHTTP2Handler.StreamConfiguration()
    stream.targetWindowSize = PortSettings.windowByteCount
    stream.outboundBufferSizeHighWatermark = RPCCall.waitingByteCount
    stream.outboundBufferSizeLowWatermark = RPCCall.waitingByteCount / 2
    stream.streamResetFrameRateLimit.maximumCount = 10_000
    stream.streamErrorRateLimit.maximumCount = 10_000
    return stream
  }
}
