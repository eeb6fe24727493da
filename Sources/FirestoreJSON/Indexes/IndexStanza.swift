import HearthDocumentModel
public import HearthQueryPlanning

/// An index in the form of `firestore.indexes.json` (§6.3).
public enum IndexStanza {
  /// Returns a whole, valid file with one index. To add the index to a file with others, copy the
  /// element into the list of the same name.
  ///
  /// An index on one field is written as the field's override. An override replaces all indexes of
  /// a field, so it lists `present` too.
  ///
  /// - Parameter present: the single-field indexes that the field has now.
  public static func text(
    for index: IndexDefinition, beside present: [SingleFieldIndex] = SingleFieldIndex.defaults
  ) -> String {
    let single = index.singleField.map { override(of: $0, index, beside: present) }
    return JSONValue.object([
      ("indexes", .array(single == nil ? [composite(index)] : [])),
      ("fieldOverrides", .array(single.map { [JSONValue($0)] } ?? [])),
    ]).prettyText
  }

  /// Returns a file with the index that production proposes to a refused query.
  public static func text(
    for missing: MissingIndex, beside present: [SingleFieldIndex] = SingleFieldIndex.defaults
  ) -> String {
    text(for: missing.index, beside: present)
  }

  private static func composite(_ index: IndexDefinition) -> JSONValue {
    .object([
      ("collectionGroup", .string(index.collectionGroup)),
      ("queryScope", .string(index.scope.rawValue)),
      ("fields", JSONValue(index.columnsWithoutImpliedName, index.vector)),
    ])
  }

  private static func override(
    of single: (field: FieldPath, index: SingleFieldIndex), _ index: IndexDefinition,
    beside present: [SingleFieldIndex]
  ) -> FieldIndexes {
    FieldIndexes(
      collectionGroup: index.collectionGroup, field: single.field,
      indexes: present.contains(single.index) ? present : present + [single.index])
  }
}

extension JSONValue {
  /// Creates the list of an index's fields.
  init(_ columns: [IndexColumn], _ vector: VectorColumn?) {
    var fields = columns.map { column in
      JSONValue.object([("fieldPath", .string(column.field.description)), column.mode.jsonMember])
    }
    if let vector {
      let options: JSONValue = .object([
        ("dimension", .integer(Int64(vector.dimension))), ("flat", .object([])),
      ])
      fields.append(
        .object([("fieldPath", .string(vector.field.description)), ("vectorConfig", options)]))
    }
    self = .array(fields)
  }
}

extension IndexMode {
  /// The form in which an index holds a field.
  var jsonMember: (String, JSONValue) {
    (self == .contains ? "arrayConfig" : "order", .string(rawValue))
  }
}
