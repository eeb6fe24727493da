import OrderedStore
import StorageFormat

extension StoreSnapshot {
  /// Calls `body` with the entries of `range` in order until it returns `false`.
  ///
  /// The spans are valid during the call. When this returns, everything up to there was truly read.
  func forEachEntry(
    in range: KeyRange, _ body: (_ key: RawSpan, _ value: RawSpan) throws -> Bool
  ) throws {
    let cursor = try makeCursor()
    try cursor.seek(to: range.lower)
    while cursor.isValid, range.contains(cursor.key), try body(cursor.key, cursor.value) {
      try cursor.next()
    }
    try cursor.checkReads()
  }

  func isEmpty(_ range: KeyRange) throws -> Bool {
    var isEmpty = true
    try forEachEntry(in: range) { _, _ in
      isEmpty = false
      return false
    }
    return isEmpty
  }
}
