import Hearth

/// The transactions that were the last to end, in bounded number.
struct EndedTransactions {
  enum End {
    case committed
    /// Rolled back, or expired, or aborted.
    case rolledBack
    /// One that only reads, and that had writes in its commit.
    case refused
  }

  struct Record {
    var end: End
    let isReadOnly: Bool
    /// The rank by age, for another attempt.
    let seniority: LockingTransaction.Seniority?
  }

  private let capacity: Int
  private var records: [TransactionID: Record] = [:]
  /// The ids in the order of their ends, from `oldest` on and round.
  private var ring: [TransactionID] = []
  private var oldest = 0

  init(capacity: Int) {
    self.capacity = capacity
  }

  subscript(id: TransactionID) -> Record? { records[id] }

  /// Changes the end of a transaction that was added.
  mutating func change(_ id: TransactionID, to end: End) { records[id]?.end = end }

  /// Adds a transaction, in the place of the one that ended first.
  mutating func add(_ record: Record, _ id: TransactionID) {
    records[id] = record
    if ring.count < capacity {
      ring.append(id)
    } else {
      records[ring[oldest]] = nil
      ring[oldest] = id
      oldest = (oldest + 1) % capacity
    }
  }
}
