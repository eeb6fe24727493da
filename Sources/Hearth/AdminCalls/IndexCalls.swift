package import HearthAdminSocket
package import HearthDocumentModel
package import HearthQueryPlanning
package import HearthReports

/// Lists the indexes, the overrides of single-field indexes, and the kept counts.
package struct IndexListCall: DatabaseCall {
  package typealias Item = AdminNothing
  package static let name = "index list"

  package struct Answer: Codable, Sendable {
    package let composites: [IndexAdministration.CompositeIndex]
    package let overrides: [IndexAdministration.FieldOverride]
    package let keptCounts: [IndexAdministration.KeptCounts]
  }

  package init() {}

  package func perform(
    on database: Database, _ send: (AdminNothing) throws -> Void
  ) throws -> Answer {
    Answer(
      composites: try database.indexes.list(), overrides: try database.indexes.overrides(),
      keptCounts: try database.indexes.keptCounts())
  }
}

/// Creates an index and builds it.
package struct IndexCreateCall: DatabaseCall {
  package typealias Item = BuildProgress
  package typealias Answer = AdminNothing
  package static let name = "index create"

  package let definition: IndexDefinition

  package init(_ definition: IndexDefinition) {
    self.definition = definition
  }

  package func perform(
    on database: Database, _ send: (BuildProgress) throws -> Void
  ) throws -> AdminNothing {
    try following(send) { progress in
      try database.indexes.createOrAdd(definition, progress: progress)
    }
    return AdminNothing()
  }
}

/// Drops an index.
package struct IndexDropCall: DatabaseCall {
  package typealias Item = BuildProgress
  package typealias Answer = AdminNothing
  package static let name = "index drop"

  package let definition: IndexDefinition

  package init(_ definition: IndexDefinition) {
    self.definition = definition
  }

  package func perform(
    on database: Database, _ send: (BuildProgress) throws -> Void
  ) throws -> AdminNothing {
    try following(send) { progress in
      try database.indexes.dropOrRemove(definition, progress: progress)
    }
    return AdminNothing()
  }
}

/// Reports which single-field indexes a field has.
package struct SingleFieldIndexesCall: DatabaseCall {
  package typealias Item = AdminNothing
  package typealias Answer = AdminList<SingleFieldIndex>
  package static let name = "field indexes"

  private enum CodingKeys: String, CodingKey { case collectionGroup, field = "names" }

  package let collectionGroup: String
  package let field: FieldPath

  package init(of field: FieldPath, in collectionGroup: String) {
    self.field = field
    self.collectionGroup = collectionGroup
  }

  package func perform(
    on database: Database, _ send: (AdminNothing) throws -> Void
  ) throws -> AdminList<SingleFieldIndex> {
    AdminList(
      try database.indexes.singleFieldIndexes(of: field, in: collectionGroup)
        .map(\.index))
  }
}
