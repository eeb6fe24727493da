import HearthOrderedStore

/// The keys that a request writes, kept while it waits for locks.
struct WrittenKeys: Sendable {
  let keys: [[UInt8]]
  /// Whether indexes or counts that a scan may have used get no further entries after it. Then
  /// their ranges no longer show which documents would enter a result.
  let givesUpEntries: Bool

  /// - Parameter forEachKey: calls its argument with each key.
  init(_ forEachKey: ((RawSpan) -> Void) -> Void, givesUpEntries: Bool) {
    self.givesUpEntries = givesUpEntries
    var keys: [[UInt8]] = []
    forEachKey { keys.append([UInt8](copying: $0)) }
    self.keys = keys
  }

  /// Whether the request changes a result that depends on `reads`.
  func touch(_ reads: ReadSet.Merged) -> Bool {
    givesUpEntries && reads.hasScans || keys.contains { reads.contains($0.span.bytes) }
  }
}
