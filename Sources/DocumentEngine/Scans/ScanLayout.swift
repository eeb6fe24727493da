import HearthDocumentModel
import HearthQueryPlanning
import HearthStorageFormat

/// The common layout of a scan's keys for all values: their index, their direction, and their
/// parts.
final class ScanLayout: Sendable {
  /// The stored orders of the index's columns.
  let columnOrders: [ColumnOrder]
  /// The order of each column of the suffix, the name last, in scan bytes.
  let suffixOrders: [ColumnOrder]
  /// The order of each column of the suffix but the name, in scan bytes.
  let columns: [ColumnOrder]
  let nameOrder: ColumnOrder
  let isReversed: Bool
  /// Whether keys end with a path, and not with an id.
  let isGroup: Bool
  private let source: Plan.Scan.Source
  private let index: IndexDefinition

  init(_ scan: Plan.Scan, suffix: [Order]) {
    source = scan.source
    index = scan.index
    isGroup = scan.index.scope == .collectionGroup
    suffixOrders = suffix.map { ColumnOrder($0.direction) }
    columns = suffixOrders.dropLast()
    nameOrder = suffixOrders.last ?? .ascending
    // Single-field indexes and the key index are stored ascending only.
    let isStoredAscending = if case .composite = scan.source { false } else { true }
    isReversed = isStoredAscending && nameOrder == .descending
    columnOrders = scan.index.columns.map { column in
      !isStoredAscending && column.mode == .descending ? .descending : .ascending
    }
  }

  /// Returns the position of the index's column that has whole values of `field`; `nil` if there is
  /// none.
  func column(of field: FieldPath) -> Int? {
    index.columns.firstIndex {
      $0.field == field && $0.mode != .contains && !$0.field.isDocumentID
    }
  }

  /// Returns the common prefix of all entries of the index, or of its part for the collection.
  func indexPrefix(collectionNumber: UInt64?) -> [UInt8] {
    let group = index.collectionGroup
    var prefix: [UInt8] = []
    switch source {
    case .key:
      return isGroup
        ? StorageKey.groupNamePrefix(collectionID: group)
        : StorageKey.namePrefix(collection: collectionNumber ?? 0)
    case .composite(let id):
      StorageKey.appendCompositePrefix(
        id: id, collection: isGroup ? nil : collectionNumber, to: &prefix)
    case .automatic:
      let column = index.columns[0]
      let kind: StorageKey.AutomaticKind = column.mode == .contains ? .contains : .ordered
      if isGroup {
        StorageKey.appendGroupAutomaticPrefix(
          collectionID: group, kind: kind, field: column.field, to: &prefix)
      } else {
        StorageKey.appendAutomaticPrefix(
          collection: collectionNumber ?? 0, kind: kind, field: column.field, to: &prefix)
      }
    }
    return prefix
  }
}
