package import DocumentModel
import OrderedStore

/// A result as it was right behind one commit, and what is different since the last one that was
/// taken.
package struct ListenerSnapshot: Sendable {
  package struct Change: Sendable {
    package enum Kind: Sendable {
      case removed, added, modified
    }

    package let kind: Kind
    package let document: FetchedDocument
    /// Where the document stood in the list as it was after the changes before this one; `nil` for
    /// one that is added.
    package let oldIndex: Int?
    /// Where it stands then; `nil` for one that is removed.
    package let newIndex: Int?
  }

  package let documents: [FetchedDocument]
  /// Removed, added and modified documents, in this order; each kind in the order of the query.
  package let changes: [Change]
  package private(set) var readTime: Timestamp
  package private(set) var commitNumber: UInt64
  /// Place for one thing more that listeners which are told the same can share.
  package let shared = SharedValue()

  init(
    _ documents: [FetchedDocument], _ changes: [Change], at readTime: Timestamp,
    _ commitNumber: UInt64
  ) {
    self.documents = documents
    self.changes = changes
    self.readTime = readTime
    self.commitNumber = commitNumber
  }

  /// The same as it still is at a later moment.
  func at(_ readTime: Timestamp, _ commitNumber: UInt64) -> ListenerSnapshot {
    guard commitNumber > self.commitNumber else { return self }
    var later = self
    later.readTime = readTime
    later.commitNumber = commitNumber
    return later
  }
}

/// Place for a value of each owner that one of several makes for all of them.
package final class SharedValue: Sendable {
  private let values = Lock<[ObjectIdentifier: any Sendable]>([:])

  package init() {}

  /// Returns the value of `owner` that is there; otherwise one that `make` makes, which stays.
  ///
  /// - Parameter make: makes a value that keeps its owner alive.
  package func value<Value: Sendable>(of owner: AnyObject, make: () -> Value) -> Value {
    values.withLock { values in
      let id = ObjectIdentifier(owner)
      if let value = values[id] as? Value { return value }
      let value = make()
      values[id] = value
      return value
    }
  }
}
