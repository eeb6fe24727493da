import HearthOrderedStore

extension CommitDraft {
  /// A key that was read, and its value; `nil` if the store doesn't have the key.
  package struct Fact: Sendable, Equatable {
    package let key: [UInt8]
    package let value: [UInt8]?
  }

  /// Returns the facts on which the draft rests, in the order in which they were read; none for a
  /// draft that doesn't record them.
  ///
  /// While they hold, the same requests are drafted to the same bytes, provided that the catalogue,
  /// the time, the sums and the next numbers are the same.
  ///
  /// - Complexity: one point read per fact.
  /// - Throws: errors of the store.
  package func facts() throws -> [Fact] {
    try (view.recorder?.keys() ?? []).map { Fact(key: $0, value: try view.snapshot.value(of: $0)) }
  }
}
