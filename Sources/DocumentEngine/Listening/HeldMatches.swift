import HearthDocumentModel

/// The matches that a listened query holds, in its order and by their documents' numbers.
struct HeldMatches {
  private(set) var inOrder: [ListedDocument] = []
  private var byNumber: [UInt64: ListedDocument] = [:]

  var count: Int { inOrder.count }
  var last: ListedDocument? { inOrder.last }

  /// Adds a match that comes after all others.
  mutating func append(_ match: ListedDocument) {
    inOrder.append(match)
    byNumber[match.number] = match
  }

  /// Adds a match at its place.
  ///
  /// - Complexity: comparisons logarithmic in the matches, and a move of those after it.
  mutating func insert(_ match: ListedDocument) {
    inOrder.insert(match, at: inOrder.place(of: match.sortKey).index)
    byNumber[match.number] = match
  }

  /// Removes the match of a document, and returns it; `nil` if none is held.
  ///
  /// - Complexity: as of `insert(_:)`; constant if none is held.
  mutating func remove(_ number: UInt64) -> ListedDocument? {
    guard let match = byNumber.removeValue(forKey: number) else { return nil }
    inOrder.remove(at: inOrder.place(of: match.sortKey).index)
    return match
  }

  /// Keeps the first matches, at most `count` of them.
  mutating func trim(to count: Int) {
    for match in inOrder.dropFirst(count) { byNumber[match.number] = nil }
    inOrder.removeLast(max(0, inOrder.count - count))
  }

  mutating func removeAll() {
    inOrder = []
    byNumber = [:]
  }
}
