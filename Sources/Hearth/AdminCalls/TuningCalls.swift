package import HearthAdminSocket
package import HearthDocumentModel
package import HearthQueryPlanning
package import HearthReports

/// Makes the entries of an index carry their documents, or stops it.
package struct CoveringCall: FollowedCall {
  package typealias Item = BuildProgress
  package static let name = "index covering"

  private let definition: IndexDefinition
  private let isCovering: Bool

  package init(_ definition: IndexDefinition, isCovering: Bool) {
    self.definition = definition
    self.isCovering = isCovering
  }

  package func run(
    on database: Database, progress: (BuildProgress) -> Void
  ) throws -> AdminNothing {
    try database.indexes.tune(definition, covering: isCovering, progress: progress)
    return AdminNothing()
  }
}

/// Begins or ends keeping counts by some fields.
package struct KeptCountsCall: FollowedCall {
  package typealias Item = BuildProgress
  package static let name = "kept counts"

  private enum CodingKeys: String, CodingKey {
    case fields, collectionGroup
    case scope = "queryScope"
    case areKept
  }

  private let fields: [FieldNames]
  private let collectionGroup: String
  private let scope: QueryScope
  private let areKept: Bool

  package init(
    of fields: [FieldPath], in collectionGroup: String, scope: QueryScope, areKept: Bool
  ) {
    self.fields = fields.map(FieldNames.init)
    self.collectionGroup = collectionGroup
    self.scope = scope
    self.areKept = areKept
  }

  package func run(
    on database: Database, progress: (BuildProgress) -> Void
  ) throws -> AdminNothing {
    let fields = fields.map(\.names)
    guard areKept else {
      try database.indexes.dropCounts(of: fields, in: collectionGroup, scope: scope)
      return AdminNothing()
    }
    try database.indexes.keepCounts(
      of: fields, in: collectionGroup, scope: scope, progress: progress)
    return AdminNothing()
  }
}

/// Rewrites the files without deleted and overwritten data.
package struct CompactCall: AnsweredCall {
  package static let name = "compact"

  package init() {}

  package func answer(from database: Database) throws -> AdminNothing {
    try database.compact()
    return AdminNothing()
  }
}
