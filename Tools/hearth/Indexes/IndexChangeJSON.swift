import Hearth

extension IndexFilePlan.Step {
  /// The change for a program.
  var json: JSONLine {
    switch self {
    case .create(let index): JSONLine(change: "create", index)
    case .drop(let index): JSONLine(change: "drop", index)
    case .setIndexes(let field, let present): JSONLine(change: "setIndexes", field, present)
    case .revert(let field): JSONLine(change: "revert", field)
    case .enableTimeToLive(let name): JSONLine(change: "enableTimeToLive", of: name)
    case .disableTimeToLive(let name): JSONLine(change: "disableTimeToLive", of: name)
    }
  }
}

extension IndexFile {
  /// The parts that a change leaves as they are, for a program.
  var keptJSON: [JSONLine] {
    composites.map { JSONLine(change: "keep", $0) }
      + overrides.map { JSONLine(change: "keep", $0) }
  }
}

extension JSONLine {
  fileprivate init(change: String, _ index: IndexDefinition) {
    self.init()
    append("change", .string(change))
    index.append(to: &self)
  }

  fileprivate init(change: String, of name: IndexedField) {
    self.init()
    append("change", .string(change))
    append("collectionGroup", .string(name.collectionGroup))
    append("fieldPath", .string(name.field?.description ?? "*"))
  }

  fileprivate init(change: String, _ field: FieldIndexes, _ present: FieldIndexes? = nil) {
    self.init(change: change, of: field.name)
    append("indexes", field.indexes.map(\.json))
    if let present { append("present", present.indexes.map(\.json)) }
  }
}

extension SingleFieldIndex {
  fileprivate var json: JSONLine {
    var json = JSONLine()
    json.append(mode == .contains ? "arrayConfig" : "order", .string(mode.rawValue))
    json.append("queryScope", .string(scope.rawValue))
    return json
  }
}
