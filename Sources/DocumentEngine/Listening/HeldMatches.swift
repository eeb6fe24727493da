import HearthDocumentModel

/// The matches that a listened query holds, in its order and by their documents' numbers.
struct HeldMatches {
  private(set) var sorted: [ListedDocument] = []
  private var byNumber: [UInt64: ListedDocument] = [:]

  var count: Int { sorted.count }
  var last: ListedDocument? { sorted.last }

  /// Adds a match that comes after all others.
  mutating func append(_ match: ListedDocument) {
    sorted.append(match)
    byNumber[match.number] = match
  }

  /// Adds a match at its place.
  ///
  /// - Complexity: comparisons logarithmic in the matches, and a move of those after it.
  mutating func insert(_ match: ListedDocument) {
    sorted.insert(match, at: sorted.place(of: match.sortKey).index)
    byNumber[match.number] = match
  }

  /// Removes the match of a document, and returns it; `nil` if none is held.
  ///
  /// - Complexity: as of `insert(_:)`; constant if none is held.
  mutating func remove(_ number: UInt64) -> ListedDocument? {
    guard let match = byNumber.removeValue(forKey: number) else { return nil }
    sorted.remove(at: sorted.place(of: match.sortKey).index)
    return match
  }

  mutating func removeLast(_ count: Int) {
    for match in sorted.suffix(count) { byNumber[match.number] = nil }
    sorted.removeLast(count)
  }

  mutating func removeAll() {
    sorted = []
    byNumber = [:]
  }
}
