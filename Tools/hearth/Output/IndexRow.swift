import Hearth

/// An index in a list of indexes.
struct IndexRow {
  static let columns = ["kind", "collection", "scope", "fields", "state"]
    .map { TextTable.Column($0) }

  /// One for each column.
  let cells: [String]
  let json: JSONLine

  /// Whether an index's entries carry their documents.
  enum Covering {
    case no
    case changing
    case yes
  }

  init(_ definition: IndexDefinition, _ state: IndexState, _ covering: Covering = .no) {
    self.init(
      definition, kind: definition.singleField == nil ? "composite" : "field",
      fields: definition.columnArguments.joined(separator: " "), state, covering)
  }

  init(_ index: IndexAdministration.CompositeIndex) {
    self.init(
      index.definition, index.state,
      index.isCovering ? .yes : index.isCoveringChanging ? .changing : .no)
  }

  private init(
    _ definition: IndexDefinition, kind: String, fields: String, _ state: IndexState,
    _ covering: Covering = .no
  ) {
    let suffix =
      switch covering {
      case .no: ""
      case .changing: " COVERING UNFINISHED"
      case .yes: " COVERING"
      }
    cells = [
      kind, definition.collectionGroup, definition.scope.rawValue, fields, state.rawValue + suffix,
    ]
    var json = JSONLine()
    json.append("kind", .string(kind))
    definition.append(to: &json)
    json.append("state", .string(state.rawValue))
    switch covering {
    case .no: break
    case .changing: json.append("coveringUnfinished", .boolean(true))
    case .yes: json.append("covering", .boolean(true))
    }
    self.json = json
  }

  /// Counts that are kept; without fields they are of all documents.
  init(_ counts: IndexAdministration.KeptCounts) {
    self.init(
      countsBy: counts.fields, in: counts.collectionGroup, scope: counts.scope,
      state: counts.isBeingDropped ? "DROPPING" : counts.state.rawValue)
  }

  init(
    countsBy fields: [FieldPath], in collectionGroup: String, scope: QueryScope, state: String
  ) {
    let fields = fields.map(\.description)
    cells = [
      "counts", collectionGroup, scope.rawValue,
      fields.isEmpty ? "-" : fields.joined(separator: ","), state,
    ]
    var json = JSONLine()
    json.append("kind", .string("counts"))
    json.append("collectionGroup", .string(collectionGroup))
    json.append("queryScope", .string(scope.rawValue))
    json.append("fieldPaths", .array(fields.map(Value.string)))
    json.append("state", .string(state))
    self.json = json
  }

  /// A field, or `*` for every other field, that has no index.
  private init(exempted field: String, in collectionGroup: String) {
    cells = ["field", collectionGroup, "-", field, "NONE"]
    var json = JSONLine()
    json.append("kind", .string("field"))
    json.append("collectionGroup", .string(collectionGroup))
    json.append("fields", [])
    json.append("exempted", .string(field))
    self.json = json
  }

  /// One for each index of a field whose indexes were chosen, or one that says that it has none.
  static func rows(of override: IndexAdministration.FieldOverride) -> [IndexRow] {
    // In definitions and in firestore.indexes.json alike, `*` stands for every other field.
    let field = override.field ?? FieldPath(unchecked: ["*"])
    let name = override.field?.description ?? "*"
    guard !override.indexes.isEmpty else {
      return [IndexRow(exempted: name, in: override.collectionGroup)]
    }
    let all = QueryScope.allCases.flatMap { scope in
      IndexMode.allCases.map { SingleFieldIndex($0, scope: scope) }
    }
    return all.compactMap { index in
      guard let state = override.indexes[index] else { return nil }
      let column = IndexColumn(field, index.mode)
      let definition = IndexDefinition(override.collectionGroup, [column], scope: index.scope)
      return IndexRow(definition, kind: "field", fields: "\(name):\(index.mode.word)", state)
    }
  }
}
