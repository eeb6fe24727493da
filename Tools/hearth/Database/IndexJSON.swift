import HearthFirestoreJSON
import Hearth

extension IndexDefinition {
  /// The index with the names of `firestore.indexes.json`.
  var json: JSONLine {
    var json = JSONLine()
    append(to: &json)
    return json
  }

  /// Appends the index's members.
  func append(to json: inout JSONLine) {
    json.append("collectionGroup", .string(collectionGroup))
    json.append("queryScope", .string(scope.rawValue))
    json.append("fields", columnsWithoutImpliedName.map(\.json) + (vector.map { [$0.json] } ?? []))
  }
}

extension IndexColumn {
  fileprivate var json: JSONLine {
    var json = JSONLine()
    json.append("fieldPath", .string(field.description))
    json.append(mode == .contains ? "arrayConfig" : "order", .string(mode.rawValue))
    return json
  }
}

extension VectorColumn {
  fileprivate var json: JSONLine {
    var config = JSONLine()
    config.append("dimension", .integer(Int64(dimension)))
    config.append("flat", JSONLine())
    var json = JSONLine()
    json.append("fieldPath", .string(field.description))
    json.append("vectorConfig", config)
    return json
  }
}
