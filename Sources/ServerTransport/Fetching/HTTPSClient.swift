import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL

/// A client of other servers, by HTTPS. It follows no redirection, and gives up an answer that is
/// too long or takes too long.
package struct HTTPSClient: Sendable {
  private let context: NIOSSLContext
  private let byteLimit: Int
  private let timeLimit: Duration

  /// - Parameters:
  ///   - roots: the path of a file in PEM form with the certificates that are trusted; `nil` for
  ///     those of the system.
  ///   - byteLimit: the longest body of an answer.
  ///   - timeLimit: the time for everything, the connection included.
  /// - Throws: ``CertificateFailure`` for certificates that can't be read.
  package init(
    trusting roots: String? = nil, byteLimit: Int = 64 << 10, timeLimit: Duration = .seconds(10)
  ) throws(CertificateFailure) {
    var configuration = TLSConfiguration.makeClientConfiguration()
    configuration.minimumTLSVersion = .tlsv12
    configuration.applicationProtocols = ["http/1.1"]
    if let roots { configuration.trustRoots = .file(roots) }
    context = try CertificateFailure.of("The trusted certificates can't be read") {
      [configuration] in try NIOSSLContext(configuration: configuration)
    }
    self.byteLimit = byteLimit
    self.timeLimit = timeLimit
  }

  /// Gets a page. The task is free while it waits.
  ///
  /// - Parameters:
  ///   - target: the path with its query.
  ///   - host: a name, which the certificate must have, or an address.
  /// - Throws: ``FetchFailure`` if there is no whole answer.
  package func get(
    _ target: String, from host: String, port: Int
  ) async throws(FetchFailure) -> HTTPResponse {
    let loop = MultiThreadedEventLoopGroup.singleton.next()
    let promise = loop.makePromise(of: HTTPResponse.self)
    let limit = TimeAmount(timeLimit)
    let tooSlow = FetchFailure("there is no answer within \(timeLimit)")
    let timer = loop.scheduleTask(in: limit) { promise.fail(tooSlow) }
    ClientBootstrap(group: loop).connectTimeout(limit)
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try addHandlers(to: channel, request(target, from: host, port: port), host, promise)
        }
      }
      .connect(host: host, port: port)
      .whenComplete { connection in
        switch connection {
        case .success(let channel):
          promise.futureResult.whenComplete { _ in
            timer.cancel()
            channel.close(promise: nil)
          }
        case .failure(let error):
          timer.cancel()
          promise.fail(error)
        }
      }
    do {
      return try await promise.futureResult.get()
    } catch let error as NIOHTTPObjectAggregatorError where error == .frameTooLong {
      throw FetchFailure("the answer has more than \(byteLimit) bytes")
    } catch {
      throw FetchFailure(error)
    }
  }

  private func request(_ target: String, from host: String, port: Int) -> HTTPRequestHead {
    HTTPRequestHead(
      version: .http1_1, method: .GET, uri: target,
      headers: [
        "host": port == 443 ? host : "\(host):\(port)", "accept": "application/json",
        "connection": "close",
      ])
  }

  private func addHandlers(
    to channel: any Channel, _ request: HTTPRequestHead, _ host: String,
    _ promise: EventLoopPromise<HTTPResponse>
  ) throws {
    // Names alone can be told to the other side before its certificate.
    let isAddress = (try? SocketAddress(ipAddress: host, port: 0)) != nil
    let pipeline = channel.pipeline.syncOperations
    try pipeline.addHandler(
      NIOSSLClientHandler(context: context, serverHostname: isAddress ? nil : host))
    try pipeline.addHTTPClientHandlers()
    try pipeline.addHandler(NIOHTTPClientResponseAggregator(maxContentLength: byteLimit))
    try pipeline.addHandler(FetchHandler(request, promise))
  }
}

/// The reason why a page wasn't fetched.
package struct FetchFailure: Error, CustomStringConvertible {
  package let description: String

  init(_ description: String) {
    self.description = description
  }

  fileprivate init(_ error: any Error) {
    switch error {
    case let failure as FetchFailure: self = failure
    case let failure as NIOConnectionError:
      // Each address of the name has failed; without any, the name is unknown.
      let reason = failure.connectionErrors.first?.error ?? failure.dnsAError ?? failure
      self.init("there is no connection to \(failure.host): \(reason)")
    default: self.init("\(error)")
    }
  }
}

/// Sends a request when its connection begins, and receives the answer.
private final class FetchHandler: ChannelInboundHandler {
  typealias InboundIn = NIOHTTPClientResponseFull
  typealias OutboundOut = HTTPClientRequestPart

  private let request: HTTPRequestHead
  private let promise: EventLoopPromise<HTTPResponse>

  init(_ request: HTTPRequestHead, _ promise: EventLoopPromise<HTTPResponse>) {
    self.request = request
    self.promise = promise
  }

  func channelActive(context: ChannelHandlerContext) {
    context.write(wrapOutboundOut(.head(request)), promise: nil)
    context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let answer = unwrapInboundIn(data)
    promise.succeed(
      HTTPResponse(
        Int(answer.head.status.code),
        headers: answer.head.headers.map { (name: $0.name.lowercased(), value: $0.value) },
        body: answer.body.map { Array(buffer: $0) } ?? []))
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    promise.fail(error)
    context.close(promise: nil)
  }

  func channelInactive(context: ChannelHandlerContext) {
    promise.fail(FetchFailure("the connection ended before the answer"))
  }
}
