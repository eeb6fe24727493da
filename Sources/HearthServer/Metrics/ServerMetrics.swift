import CoreMetrics
import HearthDocumentModel
import HearthServerTransport
import Synchronization

/// The metrics of a server: those of its calls and connections, of its databases, and of its
/// process.
final class ServerMetrics: PortObserver {
  /// The ways on which calls come.
  private enum Transport: String {
    case grpc, rest, webchannel
  }

  private struct CallKind: Hashable {
    let method: String
    /// The name of the code of the call's status.
    let code: String
    let transport: Transport

    /// Whether calls last as long as their clients want.
    var isStream: Bool { ["Listen", "Write", "Watch"].contains { method.hasSuffix("/\($0)") } }
  }

  /// The metrics that the databases report to.
  let registry = MetricsRegistry()
  private let noteTLSClient: @Sendable () -> Void
  private let process = ProcessFigures()
  private let connectionCount = Atomic(0)
  private let endedConnectionCount = Atomic(0)
  private let calls = Mutex<[CallKind: HistogramSeries]>([:])

  /// - Parameter noteTLSClient: receives the clients that speak TLS to a port without it.
  init(noteTLSClient: @escaping @Sendable () -> Void) {
    self.noteTLSClient = noteTLSClient
  }

  func noteTLS() { noteTLSClient() }

  func noteConnections(_ change: Int) {
    connectionCount.wrappingAdd(change, ordering: .relaxed)
    if change < 0 { endedConnectionCount.wrappingSubtract(change, ordering: .relaxed) }
  }

  /// Returns the number of connections that have ended since the last call.
  func takeEndedConnectionCount() -> Int { endedConnectionCount.exchange(0, ordering: .relaxed) }

  func noteCall(_ path: String, _ code: RPCStatus.Code, _ duration: Duration) {
    note(CallKind(method: path, code: code.name, transport: .grpc), duration)
  }

  /// Records the end of a call that came over REST.
  ///
  /// - Parameter error: the error that it ended with; `nil` for none.
  func noteRESTCall(_ method: String, _ error: DatabaseError?, _ duration: Duration) {
    let code = error?.code.name ?? "OK"
    note(CallKind(method: method, code: code, transport: .rest), duration)
  }

  /// Records the end of a call that came over WebChannel.
  ///
  /// - Parameter error: the error that it ended with; `nil` for none.
  func noteChannelCall(_ path: String, _ error: DatabaseError?, _ duration: Duration) {
    let code = error?.code.name ?? "OK"
    note(CallKind(method: path, code: code, transport: .webchannel), duration)
  }

  /// Records a call over REST that was refused by its headers.
  ///
  /// - Parameter code: the name of the code, such as `UNAUTHENTICATED`.
  func noteRESTRefusal(_ method: String, _ code: String) {
    note(CallKind(method: method, code: code, transport: .rest), .zero)
  }

  private func note(_ kind: CallKind, _ duration: Duration) {
    let timer = calls.withLock { calls in
      if let known = calls[kind] { return known }
      let made = self.timer(of: kind)
      calls[kind] = made
      return made
    }
    timer.recordNanoseconds(Int64(duration / .nanoseconds(1)))
  }

  private func timer(of kind: CallKind) -> HistogramSeries {
    registry.timer(
      "hearth.server.call.duration",
      dimensions: [
        ("method", kind.method.split(separator: "/").last.map(String.init) ?? ""),
        ("code", kind.code), ("transport", kind.transport.rawValue),
      ])
  }

  /// Number of connections that are open.
  var openConnectionCount: Int { connectionCount.load(ordering: .relaxed) }

  /// Sums over the calls so far.
  var totals: CallTotals {
    var totals = CallTotals()
    for (kind, series) in calls.withLock({ $0 }) where !kind.isStream {
      totals.add(series.distribution, code: kind.code)
    }
    return totals
  }

  /// Returns the page for Prometheus.
  ///
  /// - Parameter openDatabaseCount: the number of databases that are open.
  func page(openDatabaseCount: Int) -> HTTPResponse {
    var page = MetricsPage()
    registry.write(to: &page)
    page.add("hearth_server_connections", .gauge, Double(openConnectionCount))
    page.add("hearth_server_databases", .gauge, Double(openDatabaseCount))
    process.write(to: &page)
    return HTTPResponse(
      200, headers: [("content-type", MetricsPage.contentType)], body: Array(page.text.utf8))
  }
}

extension RPCStatus.Code {
  /// The name as Google's interfaces have it, such as `NOT_FOUND`.
  fileprivate var name: String {
    switch self {
    case .ok: "OK"
    case .unauthenticated: "UNAUTHENTICATED"
    default: (DatabaseError.Code(rawValue: rawValue) ?? .unknown).name
    }
  }
}
