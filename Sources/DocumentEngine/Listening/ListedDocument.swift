import HearthDocumentModel
import HearthQueryPlanning
import HearthStorageFormat

/// One version of a document in the result of a listened query.
///
/// It keeps the stored bytes. So a snapshot lists its documents without holding a view of the
/// store, which would keep superseded data on disk. Results share the versions that they have in
/// common.
package final class ListedDocument: Sendable {
  let number: UInt64
  let record: DocumentRecord
  /// The document's position: bytes that ascend in the order of the running query.
  let sortKey: [UInt8]

  init(number: UInt64, record: DocumentRecord, sortKey: [UInt8]) {
    self.number = number
    self.record = record
    self.sortKey = sortKey
  }

  var path: ResourcePath { record.path }

  /// Whether both are one version of one document.
  func isSameVersion(as other: ListedDocument) -> Bool {
    self === other || (number == other.number && record.updateTime == other.record.updateTime)
  }
}

/// Makes the bytes by which a query's results are sorted: the values of its orders, encoded as
/// columns of an index, and the path. They are never equal for two documents.
struct SortKey {
  private let orders: [Order]
  private let encoder: ValueEncoder
  private let own: DatabaseID

  init(_ query: NormalizedQuery) {
    orders = query.orders
    own = query.database
    encoder = ValueEncoder(own: query.database)
  }

  func bytes(of document: Document) throws -> [UInt8] {
    try bytes(of: document.path) { document[$0] }
  }

  func bytes(of record: DocumentRecord) throws -> [UInt8] {
    try bytes(of: record.path) { try record.value(at: $0) }
  }

  private func bytes(
    of path: ResourcePath, _ value: (FieldPath) throws -> Value?
  ) throws -> [UInt8] {
    var bytes: [UInt8] = []
    for order in orders {
      let column = ColumnOrder(order.direction)
      guard !order.field.isDocumentID else {
        OrderedName.append(path: path, column, to: &bytes)
        // Orders after the name decide nothing.
        break
      }
      encoder.append(try sorted(by: order.field, value, path), column, to: &bytes)
    }
    return bytes
  }

  /// Returns the position of a document as values, one for each order.
  func values(of record: DocumentRecord) throws -> [Value] {
    try orders.map { order in
      if order.field.isDocumentID { return .reference(try DocumentName(record.path, in: own)) }
      return try sorted(by: order.field, { try record.value(at: $0) }, record.path)
    }
  }

  private func sorted(
    by field: FieldPath, _ value: (FieldPath) throws -> Value?, _ path: ResourcePath
  ) throws -> Value {
    guard let value = try value(field) else {
      throw DatabaseError.damaged("\(path) is in the order of \(field), but has no such field.")
    }
    return value
  }
}

/// The change of one document in a result.
struct ListedChange {
  /// The version before; `nil` for a document that enters the result.
  let old: ListedDocument?
  /// The version after; `nil` for a document that leaves the result.
  let new: ListedDocument?
}

extension [ListedDocument] {
  /// Returns the index of a key, or the index at which it would be inserted.
  func place(of sortKey: [UInt8]) -> (index: Int, isThere: Bool) {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      switch self[middle].sortKey.byteCompare(sortKey) {
      case .less: low = middle + 1
      case .equal: return (middle, true)
      case .greater: high = middle
      }
    }
    return (low, false)
  }

  /// Returns the changes that turn `old` into this list. Both are sorted.
  ///
  /// - Complexity: linear in both lists, with few comparisons for documents that they share.
  func changes(since old: [ListedDocument]) -> [ListedChange] {
    var (left, right) = (0, 0)
    var changes: [ListedChange] = []
    /// Documents that left a position and may appear at another.
    var gone: [ResourcePath: ListedDocument] = [:]
    var come: [ListedDocument] = []
    while left < old.count || right < count {
      if left < old.count, right < count, old[left] === self[right] {
        left += 1
        right += 1
        continue
      }
      switch order(old, left, self, right) {
      case .less:
        gone[old[left].path] = old[left]
        left += 1
      case .greater:
        come.append(self[right])
        right += 1
      case .equal:
        if !old[left].isSameVersion(as: self[right]) {
          changes.append(ListedChange(old: old[left], new: self[right]))
        }
        left += 1
        right += 1
      }
    }
    for new in come {
      changes.append(ListedChange(old: gone.removeValue(forKey: new.path), new: new))
    }
    changes += gone.values.map { ListedChange(old: $0, new: nil) }
    return changes
  }
}

/// Returns the order of two lists' next documents. A list that has ended comes last.
private func order(
  _ left: [ListedDocument], _ leftIndex: Int, _ right: [ListedDocument], _ rightIndex: Int
) -> Ordering {
  guard leftIndex < left.count else { return .greater }
  guard rightIndex < right.count else { return .less }
  return left[leftIndex].sortKey.byteCompare(right[rightIndex].sortKey)
}
