package import Hearth

/// An index in a list of indexes.
package struct IndexRow {
  static let columns: [TextTable.Column] = [
    TextTable.Column("kind"), TextTable.Column("collection"), TextTable.Column("scope"),
    TextTable.Column("fields", isWhole: true), TextTable.Column("state"),
  ]

  /// Cells, one for each column.
  package var cells: [String]
  var json: JSONLine
  /// The index; `nil` for a row of another kind.
  var definition: IndexDefinition?

  /// The state of the documents that an index's entries carry.
  enum Covering {
    case no
    case changing
    case yes
  }

  init(
    _ definition: IndexDefinition, _ state: IndexState, _ covering: Covering = .no,
    isHidden: Bool = false
  ) {
    self.init(
      definition, kind: definition.singleField == nil ? "composite" : "field",
      fields: definition.columnArguments.joined(separator: " "), state, covering, isHidden)
  }

  /// - Parameter builds: the database's builds. They give the progress of an index that is being
  ///   built.
  package init(_ index: IndexAdministration.CompositeIndex, _ builds: [IndexBuild.Status] = []) {
    self.init(
      index.definition, index.state,
      index.isCovering ? .yes : index.isCoveringChanging ? .changing : .no,
      isHidden: index.isHidden)
    let build = builds.last { $0.subject == .index(index.definition) && !$0.isFinished }
    guard let build else { return }
    cells[cells.count - 1] += " \(Figure.percent(build.fraction))"
    if build.state == .paused {
      cells[cells.count - 1] += " PAUSED"
      json.append("paused", true)
    }
    if build.isStalled { cells[cells.count - 1] += " STALLED" }
    json = json + BuildRow(build).progress
  }

  private init(
    _ definition: IndexDefinition, kind: String, fields: String, _ state: IndexState,
    _ covering: Covering = .no, _ isHidden: Bool = false
  ) {
    var suffix =
      switch covering {
      case .no: ""
      case .changing: " COVERING UNFINISHED"
      case .yes: " COVERING"
      }
    if isHidden { suffix += " HIDDEN" }
    cells = [
      kind, definition.collectionGroup, definition.scope.rawValue, fields, state.rawValue + suffix,
    ]
    json =
      ["kind": kind] + definition.json + [
        "state": state.rawValue, "coveringUnfinished": covering == .changing ? true : nil,
        "covering": covering == .yes ? true : nil, "hidden": isHidden ? true : nil,
      ]
    self.definition = definition
  }

  /// Creates the row of kept counts. Without fields they count all documents.
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
    json = [
      "kind": "counts", "collectionGroup": collectionGroup, "queryScope": scope.rawValue,
      "fieldPaths": fields, "state": state,
    ]
  }

  /// Creates the row of a field without indexes, or of `*` for every other field.
  private init(exempted field: String, in collectionGroup: String) {
    cells = ["field", collectionGroup, "-", field, "NONE"]
    json = [
      "kind": "field", "collectionGroup": collectionGroup, "fields": [String](),
      "exempted": field,
    ]
  }

  /// Returns a row for each index of a field with chosen indexes, or one that says that it has
  /// none.
  static func rows(of override: IndexAdministration.FieldOverride) -> [IndexRow] {
    // In definitions and in firestore.indexes.json alike, `*` stands for every other field.
    let field = override.field ?? FieldPath(unchecked: ["*"])
    let name = override.field?.description ?? "*"
    guard !override.indexes.isEmpty else {
      return [IndexRow(exempted: name, in: override.collectionGroup)]
    }
    return indexes(of: override, field).map { index, definition, state in
      IndexRow(definition, kind: "field", fields: "\(name):\(index.mode.word)", state)
    }
  }

  /// Returns the indexes of a field with chosen indexes; none for `*`, every other field.
  static func definitions(of override: IndexAdministration.FieldOverride) -> [IndexDefinition] {
    override.field.map { indexes(of: override, $0).map(\.definition) } ?? []
  }

  private static func indexes(
    of override: IndexAdministration.FieldOverride, _ field: FieldPath
  ) -> [(index: SingleFieldIndex, definition: IndexDefinition, state: IndexState)] {
    SingleFieldIndex.all.compactMap { index in
      guard let state = override.indexes[index] else { return nil }
      let column = IndexColumn(field, index.mode)
      return (
        index, IndexDefinition(override.collectionGroup, [column], scope: index.scope), state
      )
    }
  }
}
