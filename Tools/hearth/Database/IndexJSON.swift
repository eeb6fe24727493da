import HearthFirestoreJSON
import Hearth

extension IndexDefinition {
  /// The index with the names of `firestore.indexes.json`.
  var json: JSONLine {
    [
      "collectionGroup": collectionGroup, "queryScope": scope.rawValue,
      "fields": columnsWithoutImpliedName.map(\.json) + (vector.map { [$0.json] } ?? []),
    ]
  }
}

extension IndexColumn {
  fileprivate var json: JSONLine {
    ["fieldPath": field.description, mode.member: mode.rawValue]
  }
}

extension IndexMode {
  /// Name of the member that holds the mode.
  var member: String { self == .contains ? "arrayConfig" : "order" }
}

extension VectorColumn {
  fileprivate var json: JSONLine {
    [
      "fieldPath": field.description,
      "vectorConfig": ["dimension": dimension, "flat": JSONLine()] as JSONLine,
    ]
  }
}
