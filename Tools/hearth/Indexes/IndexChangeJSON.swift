import Hearth

extension IndexFilePlan.Step {
  /// The change for a program.
  var json: JSONLine {
    switch self {
    case .create(let index): ["change": "create"] + index.json
    case .drop(let index): ["change": "drop"] + index.json
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
    composites.map { ["change": "keep"] + $0.json }
      + overrides.map { JSONLine(change: "keep", $0) }
  }
}

extension JSONLine {
  fileprivate init(change: String, of name: IndexedField) {
    self = [
      "change": change, "collectionGroup": name.collectionGroup,
      "fieldPath": name.field?.description ?? "*",
    ]
  }

  fileprivate init(change: String, _ field: FieldIndexes, _ present: FieldIndexes? = nil) {
    self.init(change: change, of: field.name)
    append("indexes", field.indexes.map(\.json))
    append("present", present?.indexes.map(\.json))
  }
}

extension SingleFieldIndex {
  fileprivate var json: JSONLine {
    [mode.member: mode.rawValue, "queryScope": scope.rawValue]
  }
}
