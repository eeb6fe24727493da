package import HearthDocumentModel
import Synchronization

/// The places of calls that wait, each of which holds a thread.
package final class WaitingPlaces: Sendable {
  /// Kinds of calls. Each has places of its own, so that no call is refused its place by those that
  /// wait for it.
  package enum Kind: Sendable {
    /// Changes something, and may wait for transactions.
    case change
    /// Reads, perhaps behind changes that wait.
    case read
    /// Ends transactions, for which others wait.
    case end
  }

  private let limit: Int
  private let counts = Mutex<[Kind: Int]>([:])

  /// - Parameter limit: the number of calls of one kind that may wait at once.
  package init(limit: Int) {
    self.limit = limit
  }

  /// Takes a place.
  ///
  /// - Throws: `resourceExhausted` if none is left.
  package func enter(_ kind: Kind) throws(DatabaseError) {
    let isFull = counts.withLock { counts in
      guard counts[kind, default: 0] < limit else { return true }
      counts[kind, default: 0] += 1
      return false
    }
    guard isFull else { return }
    throw DatabaseError(
      .resourceExhausted,
      "\(limit) calls wait for commits or for locks, which is the server's limit. Try again.")
  }

  /// Gives a place back.
  package func leave(_ kind: Kind) { counts.withLock { $0[kind, default: 0] -= 1 } }
}
