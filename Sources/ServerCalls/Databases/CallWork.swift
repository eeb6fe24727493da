package import Hearth
import Synchronization

/// The work of the queries of one call, for the log of a server's calls.
package final class CallWork: Sendable {
  /// Sums over the queries.
  package struct Sums: Sendable {
    package var entriesRead = 0
    package var documentsRead = 0
  }

  private let state = Mutex<Sums?>(nil)

  package init() {}

  /// The work so far; `nil` if there was no query.
  package var sums: Sums? { state.withLock { $0 } }

  /// Adds the work of a query.
  package func note(_ statistics: QueryStatistics) {
    state.withLock { state in
      var sums = state ?? Sums()
      sums.entriesRead += statistics.entriesRead
      sums.documentsRead += statistics.documentsRead
      state = sums
    }
  }
}
