import HearthOrderedStore

/// The newest version of each key in the logs.
struct LoggedVersionList: Sendable {
  struct Entry: Sendable {
    let key: InternalKey
    /// Empty for a delete.
    let value: ArraySlice<UInt8>
  }

  private(set) var entries: [Entry] = []

  /// Adds the operations of a batch; `sort()` must follow the last one.
  mutating func append(_ batch: LoggedBatch, _ payload: [UInt8]) {
    batch.forEachOperation(in: payload.span.bytes) { sequence, key, value in
      let key = InternalKey(
        userKey: Array(payload[key]), sequence: sequence, isDeletion: value == nil)
      entries.append(Entry(key: key, value: value.map { payload[$0] } ?? []))
    }
  }

  /// Sorts the operations, and keeps only the newest of each key.
  mutating func sort() {
    entries.sort { $0.key.precedes($1.key) }
    var kept: [Entry] = []
    kept.reserveCapacity(entries.count)
    for entry in entries {
      if kept.last?.key.hasUserKey(of: entry.key) == true { continue }
      kept.append(entry)
    }
    entries = kept
  }

  func firstIndex(atOrAfter key: InternalKey) -> Int {
    entries.indices.first(reaching: { !entries[$0].key.precedes(key) })
  }
}
