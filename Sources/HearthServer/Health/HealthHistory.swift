import FoundationEssentials
package import HearthFirestoreJSON
import Synchronization

/// The health of a server over the last hour, a sample every ten seconds.
package final class HealthHistory: Sendable {
  /// Time between two samples.
  static let pause = Duration.seconds(10)
  /// Number of samples that are kept.
  static let limit = 360

  private struct State {
    /// The samples, the earliest first.
    var samples: [HealthSample] = []
    var calls = CallTotals()
  }

  private let state = Mutex(State())

  package init() {}

  /// Adds a sample.
  ///
  /// - Parameter calls: the calls since the start of the server.
  package func note(_ calls: CallTotals, _ figures: HealthFigures) {
    let time = Int64(Date.now.timeIntervalSince1970 * 1000)
    state.withLock { state in
      let sample = HealthSample(time: time, calls: calls.since(state.calls), figures: figures)
      state.calls = calls
      if state.samples.count >= HealthHistory.limit { state.samples.removeFirst() }
      state.samples.append(sample)
    }
  }

  /// The samples, the earliest first.
  package var json: JSONValue {
    .object([
      ("seconds", .integer(HealthHistory.pause.components.seconds)),
      ("samples", .array(state.withLock(\.samples).map(\.json))),
    ])
  }
}

/// The figures of a server at one moment.
package struct HealthFigures: Sendable {
  let listenerCount: Int
  let connectionCount: Int
  /// Number of bytes of memory; `nil` where the system doesn't tell.
  let memoryByteCount: Int?
  /// Approximate number of bytes on disk of the databases that are open.
  let diskByteCount: Int

  package init(
    listenerCount: Int, connectionCount: Int, memoryByteCount: Int?, diskByteCount: Int
  ) {
    (self.listenerCount, self.connectionCount) = (listenerCount, connectionCount)
    (self.memoryByteCount, self.diskByteCount) = (memoryByteCount, diskByteCount)
  }
}

/// The figures of ten seconds.
struct HealthSample: Sendable {
  /// The time of their end, in milliseconds since 1970.
  let time: Int64
  let calls: CallTotals
  let figures: HealthFigures

  var json: JSONValue {
    var members: [(String, JSONValue)] = [
      ("time", .integer(time)), ("calls", .integer(Int64(calls.count))),
      ("refused", .integer(Int64(calls.refusedCount))),
      ("failed", .integer(Int64(calls.failedCount))),
      ("listeners", .integer(Int64(figures.listenerCount))),
      ("connections", .integer(Int64(figures.connectionCount))),
      ("diskBytes", .integer(Int64(figures.diskByteCount))),
    ]
    if let bytes = figures.memoryByteCount {
      members.append(("memoryBytes", .integer(Int64(bytes))))
    }
    for (name, share) in [("p50", 0.5), ("p95", 0.95), ("p99", 0.99)] {
      if let seconds = calls.durations.quantile(share) {
        members.append((name + "Milliseconds", .double(seconds * 1000)))
      }
    }
    return .object(members)
  }
}
