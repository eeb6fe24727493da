package import HearthDocumentModel
import HearthOrderedStore

/// A result right after one commit, and its changes since the last snapshot that was taken.
package struct ListenerSnapshot: Sendable {
  package struct Change: Sendable {
    package enum Kind: Sendable {
      case removed, added, modified
    }

    package let kind: Kind
    package let document: FetchedDocument
    /// The document's index in the list after the changes before this one; `nil` for an added
    /// document.
    package let oldIndex: Int?
    /// The document's index after this change; `nil` for a removed document.
    package let newIndex: Int?
  }

  package let documents: [FetchedDocument]
  /// Removed, added and modified documents, in this order; each kind in the order of the query.
  package let changes: [Change]
  package private(set) var readTime: Timestamp
  package private(set) var commitNumber: UInt64
  /// A place for one more value that listeners with the same snapshot can share.
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

  /// Returns the same snapshot for a later moment at which it is still right.
  func at(_ readTime: Timestamp, _ commitNumber: UInt64) -> ListenerSnapshot {
    guard commitNumber > self.commitNumber else { return self }
    var later = self
    later.readTime = readTime
    later.commitNumber = commitNumber
    return later
  }
}

/// A place for one value of each owner, which the first user makes for all users of that owner.
package final class SharedValue: Sendable {
  private let values = Lock<[ObjectIdentifier: any Sendable]>([:])

  package init() {}

  /// Returns the present value of `owner`. Otherwise returns a new one from `make`, which stays.
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
