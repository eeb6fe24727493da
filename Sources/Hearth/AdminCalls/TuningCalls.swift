package import AdminSocket
package import DocumentModel
package import FirestoreJSON
package import QueryPlanning

/// Makes the entries of an index carry their documents, or stops it.
package struct CoveringCall: DatabaseCall {
  package typealias Item = IndexAdministration.Progress
  package typealias Answer = AdminNothing
  package static let name = "index covering"

  private let definition: IndexDefinition
  private let isCovering: Bool

  package init(_ definition: IndexDefinition, isCovering: Bool) {
    self.definition = definition
    self.isCovering = isCovering
  }

  package init(_ json: JSONValue) throws(DatabaseError) {
    let members = try AdminMembers(json)
    self.init(try members.message("definition"), isCovering: try members.boolean("isCovering"))
  }

  package var json: JSONValue {
    .members(["definition": definition.json, "isCovering": .boolean(isCovering)])
  }

  package func perform(
    on database: Database, _ send: (IndexAdministration.Progress) throws -> Void
  ) throws -> AdminNothing {
    try following(send) { progress in
      try database.indexes.tune(definition, covering: isCovering, progress: progress)
    }
    return AdminNothing()
  }
}

/// Begins or ends keeping counts by some fields.
package struct KeptCountsCall: DatabaseCall {
  package typealias Item = IndexAdministration.Progress
  package typealias Answer = AdminNothing
  package static let name = "kept counts"

  private let fields: [FieldPath]
  private let collectionGroup: String
  private let scope: QueryScope
  private let areKept: Bool

  package init(
    of fields: [FieldPath], in collectionGroup: String, scope: QueryScope, areKept: Bool
  ) {
    self.fields = fields
    self.collectionGroup = collectionGroup
    self.scope = scope
    self.areKept = areKept
  }

  package init(_ json: JSONValue) throws(DatabaseError) {
    let members = try AdminMembers(json)
    self.init(
      of: try members.fields("fields"), in: try members.string("collectionGroup"),
      scope: try members.choice("queryScope"), areKept: try members.boolean("areKept"))
  }

  package var json: JSONValue {
    .members([
      "fields": .fields(fields), "collectionGroup": .string(collectionGroup),
      "queryScope": .string(scope.rawValue), "areKept": .boolean(areKept),
    ])
  }

  package func perform(
    on database: Database, _ send: (IndexAdministration.Progress) throws -> Void
  ) throws -> AdminNothing {
    guard areKept else {
      try database.indexes.dropCounts(of: fields, in: collectionGroup, scope: scope)
      return AdminNothing()
    }
    try following(send) { progress in
      try database.indexes.keepCounts(
        of: fields, in: collectionGroup, scope: scope, progress: progress)
    }
    return AdminNothing()
  }
}

/// Rewrites the files without deleted and overwritten data.
package struct CompactCall: BareCall {
  package typealias Item = AdminNothing
  package typealias Answer = AdminNothing
  package static let name = "compact"

  package init() {}

  package func perform(
    on database: Database, _ send: (AdminNothing) throws -> Void
  ) throws -> AdminNothing {
    try database.compact()
    return AdminNothing()
  }
}

extension AdminMembers {
  func fields(_ name: String) throws(DatabaseError) -> [FieldPath] {
    try list(name) { json throws(DatabaseError) in try AdminMembers(json).field("names") }
  }
}

extension JSONValue {
  static func fields(_ fields: [FieldPath]) -> JSONValue {
    .array(fields.map { .members(["names": .list($0.names)]) })
  }
}
