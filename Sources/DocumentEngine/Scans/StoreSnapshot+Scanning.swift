package import HearthOrderedStore
package import HearthStorageFormat

extension StoreCursor {
  /// Calls `body` with the entries of `range` in order until it returns `false`.
  ///
  /// The spans are valid during the call. When this returns, everything up to there was truly read.
  package func forEachEntry(
    in range: KeyRange, _ body: (_ key: RawSpan, _ value: RawSpan) throws -> Bool
  ) throws {
    try seek(to: range.lower)
    while isValid, range.contains(key), try body(key, value) { try next() }
    try checkReads()
  }
}

extension StoreSnapshot {
  /// Calls `body` with the entries of `range` in order until it returns `false`.
  ///
  /// The spans are valid during the call. When this returns, everything up to there was truly read.
  package func forEachEntry(
    in range: KeyRange, _ body: (_ key: RawSpan, _ value: RawSpan) throws -> Bool
  ) throws {
    try makeCursor().forEachEntry(in: range, body)
  }

  package func isEmpty(_ range: KeyRange) throws -> Bool {
    var isEmpty = true
    try forEachEntry(in: range) { _, _ in
      isEmpty = false
      return false
    }
    return isEmpty
  }
}
