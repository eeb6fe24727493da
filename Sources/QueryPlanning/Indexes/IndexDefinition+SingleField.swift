public import HearthDocumentModel

extension IndexDefinition {
  /// The single-field index that the definition describes; `nil` for any other. It has one field,
  /// and `__name__` in the direction of such an index (§3.2). It is no composite index (§3.4).
  public var singleField: (field: FieldPath, index: SingleFieldIndex)? {
    guard vector == nil, columns.count == 2, columns[0].field != .documentID else { return nil }
    let (column, name) = (columns[0], columns[1])
    guard column.mode == .contains || column.mode == name.mode else { return nil }
    return (column.field, SingleFieldIndex(column.mode, scope: scope))
  }
}

extension IndexDefinition {
  /// The same index in the form in which it is proposed and written. An index of a field's array
  /// elements serves both directions of `__name__` (§3.2); its normal form has the implied
  /// direction.
  package var normalForm: IndexDefinition {
    guard let single = singleField, single.index.mode == .contains else { return self }
    return IndexDefinition(
      collectionGroup, [IndexColumn(single.field, .contains)], scope: scope)
  }
}

extension IndexSet {
  /// Returns the single-field indexes of a field: those of its override, or the defaults (§3.3).
  package func singleFieldIndexes(
    of field: FieldPath, in collectionGroup: String
  ) -> [SingleFieldIndex: IndexState] {
    override(of: field, in: collectionGroup)?.indexes
      ?? Dictionary(uniqueKeysWithValues: SingleFieldIndex.defaults.map { ($0, .ready) })
  }
}
