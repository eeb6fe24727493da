import HearthDocumentModel

extension ListedChange {
  fileprivate var kind: ListenerSnapshot.Change.Kind {
    if new == nil { return .removed }
    return old == nil ? .added : .modified
  }

  private var rank: Int {
    switch kind {
    case .removed: 0
    case .added: 1
    case .modified: 2
    }
  }

  private var sortKey: [UInt8] { (new ?? old)?.sortKey ?? [] }

  /// Whether a change is told before another. Changes are sorted by kind, then by the query's
  /// order.
  static func precedes(_ left: ListedChange, _ right: ListedChange, _ isReversed: Bool) -> Bool {
    if left.rank != right.rank { return left.rank < right.rank }
    return left.sortKey.byteCompare(right.sortKey) == (isReversed ? .greater : .less)
  }
}

extension [ListedDocument] {
  /// Applies the changes in the order in which they are told. Returns them with each document's
  /// index before and after its change.
  mutating func apply(
    _ changes: [ListedChange], _ isReversed: Bool,
    _ fetched: (ListedDocument) -> FetchedDocument
  ) -> [ListenerSnapshot.Change] {
    if isEmpty { return fill(changes, isReversed, fetched) }
    return changes.compactMap { change in
      var oldIndex: Int?
      var newIndex: Int?
      if let old = change.old {
        let (index, isThere) = place(of: old.sortKey)
        if isThere {
          oldIndex = isReversed ? count - 1 - index : index
          remove(at: index)
        }
      }
      if let new = change.new {
        let index = place(of: new.sortKey).index
        insert(new, at: index)
        newIndex = isReversed ? count - 1 - index : index
      }
      guard let document = change.new ?? change.old else { return nil }
      return ListenerSnapshot.Change(
        kind: change.kind, document: fetched(document), oldIndex: oldIndex, newIndex: newIndex)
    }
  }

  /// Applies changes to an empty list. All documents are added, each after the one before.
  private mutating func fill(
    _ changes: [ListedChange], _ isReversed: Bool,
    _ fetched: (ListedDocument) -> FetchedDocument
  ) -> [ListenerSnapshot.Change] {
    let added = changes.compactMap(\.new)
    self = isReversed ? added.reversed() : added
    return added.enumerated().map { index, document in
      ListenerSnapshot.Change(
        kind: .added, document: fetched(document), oldIndex: nil, newIndex: index)
    }
  }
}
