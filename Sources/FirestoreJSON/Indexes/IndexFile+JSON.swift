public import HearthDocumentModel
public import HearthQueryPlanning

extension IndexFile {
  /// Reads a file, which may have comments. Options of other editions and interfaces are refused.
  ///
  /// - Throws: `invalidArgument`, which names the place and the mistake.
  public init(json: [UInt8]) throws(DatabaseError) {
    var reader = IndexFileReader()
    self = try reader.file(JSONValue(ofFile: json))
  }

  /// Reads a whole file, a single index or override, or a list of these.
  ///
  /// - Throws: `invalidArgument`, which names the place and the mistake.
  package init(stanza json: [UInt8]) throws(DatabaseError) {
    var reader = IndexFileReader()
    self = try reader.indexes(JSONValue(ofFile: json))
  }

  /// The file in the order and form in which the Firebase tool writes it (§6.5): with `__name__`
  /// and the density of every index, and without a final newline.
  public var json: String {
    JSONValue.object([
      ("indexes", .array(composites.map(JSONValue.init(_:)))),
      ("fieldOverrides", .array(overrides.map(JSONValue.init(_:)))),
    ]).prettyText
  }
}

extension JSONValue {
  fileprivate init(ofFile json: [UInt8]) throws(DatabaseError) {
    do {
      try self.init(parsing: json.withoutJSONComments)
    } catch {
      throw DatabaseError(.invalidArgument, error.description, cause: error)
    }
  }
}

extension JSONValue {
  fileprivate init(_ index: IndexDefinition) {
    self = .object([
      ("collectionGroup", .string(index.collectionGroup)),
      ("queryScope", .string(index.scope.rawValue)),
      ("fields", JSONValue(index.columns, index.vector)),
      ("density", .string("SPARSE_ALL")),
    ])
  }

  init(_ override: FieldIndexes) {
    let indexes = override.indexes.map { index in
      JSONValue.object([index.mode.jsonMember, ("queryScope", .string(index.scope.rawValue))])
    }
    self = .object(
      [
        ("collectionGroup", .string(override.collectionGroup)),
        ("fieldPath", .string(override.field?.description ?? "*")),
      ] + (override.isTimeToLive.map { [("ttl", .boolean($0))] } ?? [])
        + [("indexes", .array(indexes))])
  }
}
