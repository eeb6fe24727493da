package import HearthAdminSocket
package import HearthDocumentModel
package import HearthQueryPlanning
package import HearthReports

/// Lists the indexes, the overrides of single-field indexes, and the kept counts.
package struct IndexListCall: AnsweredCall {
  package static let name = "index list"

  package struct Answer: Codable, Sendable {
    package let composites: [IndexAdministration.CompositeIndex]
    package let overrides: [IndexAdministration.FieldOverride]
    package let keptCounts: [IndexAdministration.KeptCounts]
  }

  package init() {}

  package func answer(from database: Database) throws -> Answer {
    Answer(
      composites: try database.indexes.list(), overrides: try database.indexes.overrides(),
      keptCounts: try database.indexes.keptCounts())
  }
}

/// Changes one index: creates and builds it, drops it, hides it from queries or shows it again, or
/// pauses, resumes or cancels its build.
package struct IndexChangeCall: FollowedCall {
  package enum Change: String, Codable, Sendable {
    case create, drop, hide, unhide, pause, resume, cancel
  }

  package typealias Item = BuildProgress
  package static let name = "index change"

  package let change: Change
  package let definition: IndexDefinition
  /// Pace of all builds from now on; `nil` leaves it unchanged. Changes of builds take it: `pause`,
  /// `resume` and `cancel`.
  package let pace: BuildPace?

  package init(_ change: Change, _ definition: IndexDefinition, pace: BuildPace? = nil) {
    self.change = change
    self.definition = definition
    self.pace = pace
  }

  package func run(
    on database: Database, progress: (BuildProgress) -> Void
  ) throws -> AdminNothing {
    let indexes = database.indexes
    switch change {
    case .create: try indexes.createOrAdd(definition, progress: progress)
    case .drop: try indexes.dropOrRemove(definition, progress: progress)
    case .hide: try indexes.hide(definition)
    case .unhide: try indexes.unhide(definition)
    case .pause: try build(in: indexes).pause()
    case .resume: try build(in: indexes).resume()
    case .cancel: try build(in: indexes).cancel()
    }
    return AdminNothing()
  }

  /// Returns the build, whose pace is set from now on.
  private func build(in indexes: IndexAdministration) throws(DatabaseError) -> IndexBuild {
    let build = try indexes.build(of: definition)
    if let pace { try indexes.setPace(pace) }
    return build
  }
}

/// Reports which single-field indexes a field has.
package struct SingleFieldIndexesCall: AnsweredCall {
  package typealias Answer = AdminList<SingleFieldIndex>
  package static let name = "field indexes"

  private enum CodingKeys: String, CodingKey { case collectionGroup, field = "names" }

  package let collectionGroup: String
  package let field: FieldPath

  package init(of field: FieldPath, in collectionGroup: String) {
    self.field = field
    self.collectionGroup = collectionGroup
  }

  package func answer(from database: Database) throws -> AdminList<SingleFieldIndex> {
    AdminList(
      try database.indexes.singleFieldIndexes(of: field, in: collectionGroup)
        .map(\.index))
  }
}
