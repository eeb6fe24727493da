// The names of all metrics without their prefix, which is `hearth` by default. Timers are in
// nanoseconds, and end with "outcome": `ok`, or the error's code such as `failed_precondition`.
//
//   get.duration, query.duration, count.duration,   timer     outcome    one call, each by its name
//   aggregate.duration, list.duration,
//   commit.duration, batch_write.duration,
//   transaction.duration, recursive_delete.duration,
//   index_build.duration, index_drop.duration,
//   verify.duration, repair.duration,
//   compact.duration, sweep.duration
//   query.entries, query.documents                  recorder  operation  read by a query, count or
//                                                                        aggregation
//   commit.group.requests, commit.group.writes,     recorder             contents of one write of
//   commit.group.bytes                                                   the store
//   commit.group.wait, commit.group.staging,        timer                before it, making the
//   commit.group.storing                                                 batch, the store's write
//   commit.stall                                    timer                a write of the store above
//                                                                        the threshold
//   index_build.documents                           counter              indexed by builds
//   history.moments, history.bytes                  gauge                kept history
//   transaction.conflicts                           counter              attempts with conflicts
//   listener.active                                 gauge                number of listeners
//   listener.commits, listener.results              recorder             commits matched at once,
//                                                                        and results they changed

import CoreMetrics
import HearthDocumentEngine
import HearthDocumentModel
import HearthEngineUpkeep

/// The metrics of one database.
struct DatabaseMetrics: Sendable {
  private let factory: any MetricsFactory
  private let prefix: String
  private let dimensions: [(String, String)]

  /// One timer for each operation, for the outcome `ok`.
  private let durations: [Timer]
  /// One recorder for each operation; `nil` for operations that aren't queries.
  private let entries, documents: [Recorder?]
  private let groupRequests, groupWrites, groupBytes: Recorder
  private let groupWait, groupStaging, groupStoring, stall: Timer
  private let indexedDocuments, conflicts: Counter
  private let moments, historyBytes, listeners: Gauge
  private let listenerCommits, listenerResults: Recorder

  init(_ observability: Observability, _ factory: any MetricsFactory) {
    let (prefix, dimensions) = (observability.prefix, observability.dimensions)
    func timer(_ name: String) -> Timer {
      Timer(label: "\(prefix).\(name)", dimensions: dimensions, factory: factory)
    }
    func recorder(_ name: String, _ added: [(String, String)] = []) -> Recorder {
      Recorder(label: "\(prefix).\(name)", dimensions: dimensions + added, factory: factory)
    }
    func gauge(_ name: String) -> Gauge {
      Gauge(label: "\(prefix).\(name)", dimensions: dimensions, factory: factory)
    }
    func counter(_ name: String) -> Counter {
      Counter(label: "\(prefix).\(name)", dimensions: dimensions, factory: factory)
    }
    func byOperation(_ name: String) -> [Recorder?] {
      Operation.allCases.map { $0.isQuery ? recorder(name, [("operation", $0.name)]) : nil }
    }
    self.factory = factory
    self.prefix = prefix
    self.dimensions = dimensions
    durations = Operation.allCases.map {
      Timer(
        label: "\(prefix).\($0.name).duration", dimensions: dimensions + [("outcome", "ok")],
        factory: factory)
    }
    entries = byOperation("query.entries")
    documents = byOperation("query.documents")
    groupRequests = recorder("commit.group.requests")
    groupWrites = recorder("commit.group.writes")
    groupBytes = recorder("commit.group.bytes")
    groupWait = timer("commit.group.wait")
    groupStaging = timer("commit.group.staging")
    groupStoring = timer("commit.group.storing")
    stall = timer("commit.stall")
    indexedDocuments = counter("index_build.documents")
    conflicts = counter("transaction.conflicts")
    moments = gauge("history.moments")
    historyBytes = gauge("history.bytes")
    listeners = gauge("listener.active")
    listenerCommits = recorder("listener.commits")
    listenerResults = recorder("listener.results")
  }

  func record(_ operation: Operation, _ duration: Duration, _ error: (any Error)?) {
    guard let error else { return durations[operation.rawValue].record(duration) }
    // Few calls fail: the factory finds the timer again by its name.
    let timer = Timer(
      label: "\(prefix).\(operation.name).duration",
      dimensions: dimensions + [("outcome", outcome(of: error))], factory: factory)
    timer.record(duration)
  }

  func record(_ statistics: ExecutionStatistics, of operation: Operation) {
    entries[operation.rawValue]?.record(statistics.entriesRead)
    documents[operation.rawValue]?.record(statistics.documentsRead)
  }

  func recordStall(_ duration: Duration) { stall.record(duration) }

  func record(_ event: EngineEvent) {
    switch event {
    case .groupCommitted(let group):
      guard group.error == nil else { return }
      groupRequests.record(group.requestCount)
      groupWrites.record(group.writeCount)
      groupBytes.record(group.byteCount)
      groupWait.record(group.wait)
      groupStaging.record(group.staging)
      groupStoring.record(group.storing)
    case .historyChanged(let momentCount, let byteCount):
      moments.record(momentCount)
      historyBytes.record(byteCount)
    case .clockSetAhead, .commitTimesLead: break
    case .transactionConflicted: conflicts.increment()
    case .listenersChanged(let count): listeners.record(count)
    case .listenersServed(let commitCount, let resultCount):
      listenerCommits.record(commitCount)
      listenerResults.record(resultCount)
    }
  }

  func record(_ event: BuildEvent) {
    guard case .indexBuildProgressed(_, let documentCount, _) = event else { return }
    indexedDocuments.increment(by: documentCount)
  }

  /// Returns the outcome of an error. An error of another type comes from the caller's own code in
  /// a transaction.
  private func outcome(of error: any Error) -> String {
    (error as? DatabaseError)?.code.name.lowercased() ?? "thrown"
  }
}

extension Timer {
  fileprivate func record(_ duration: Duration) {
    let (seconds, attoseconds) = duration.components
    let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    recordNanoseconds(overflow ? .max : whole + attoseconds / 1_000_000_000)
  }
}
