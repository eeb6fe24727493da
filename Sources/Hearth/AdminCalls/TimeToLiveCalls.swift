package import HearthAdminSocket
package import HearthDocumentModel
package import HearthReports

/// Lists the times to live.
package struct TimeToLiveListCall: AnsweredCall {
  package typealias Answer = AdminList<TimeToLiveAdministration.Policy>
  package static let name = "ttl list"

  package init() {}

  package func answer(
    from database: Database
  ) throws -> AdminList<TimeToLiveAdministration.Policy> {
    AdminList(try database.timesToLive.list())
  }
}

/// Sets the time to live of the documents that have a time in a field.
package struct TimeToLiveSetCall: FollowedCall {
  package typealias Item = BuildProgress
  package static let name = "ttl set"

  private enum CodingKeys: String, CodingKey {
    case field = "names"
    case collectionGroup, offsetSeconds
  }

  private let field: FieldPath
  private let collectionGroup: String
  private let offsetSeconds: Int

  package init(_ field: FieldPath, in collectionGroup: String, offsetSeconds: Int) {
    self.field = field
    self.collectionGroup = collectionGroup
    self.offsetSeconds = offsetSeconds
  }

  package func run(
    on database: Database, progress: (BuildProgress) -> Void
  ) throws -> AdminNothing {
    try database.timesToLive.set(
      field, in: collectionGroup, offsetSeconds: offsetSeconds, progress: progress)
    return AdminNothing()
  }
}

/// Removes the time to live from a field.
package struct TimeToLiveRemoveCall: AnsweredCall {
  package static let name = "ttl remove"

  private enum CodingKeys: String, CodingKey { case field = "names", collectionGroup }

  private let field: FieldPath
  private let collectionGroup: String

  package init(_ field: FieldPath, in collectionGroup: String) {
    self.field = field
    self.collectionGroup = collectionGroup
  }

  package func answer(from database: Database) throws -> AdminNothing {
    try database.timesToLive.remove(field, in: collectionGroup)
    return AdminNothing()
  }
}

/// Deletes the documents whose time to live is over.
package struct SweepCall: FollowedCall {
  package typealias Item = AdminCount
  package typealias Answer = AdminCount
  package static let name = "ttl sweep"

  package init() {}

  package func run(on database: Database, progress: (AdminCount) -> Void) throws -> AdminCount {
    AdminCount(try database.timesToLive.sweep { progress(AdminCount($0)) })
  }
}
