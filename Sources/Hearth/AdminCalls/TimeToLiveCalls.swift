package import HearthAdminSocket
package import HearthDocumentModel
package import HearthReports

/// Lists the times to live.
package struct TimeToLiveListCall: DatabaseCall {
  package typealias Item = AdminNothing
  package typealias Answer = AdminList<TimeToLiveAdministration.Policy>
  package static let name = "ttl list"

  package init() {}

  package func perform(
    on database: Database, _ send: (AdminNothing) throws -> Void
  ) throws -> AdminList<TimeToLiveAdministration.Policy> {
    AdminList(try database.timesToLive.list())
  }
}

/// Sets the time to live of the documents that have a time in a field.
package struct TimeToLiveSetCall: DatabaseCall {
  package typealias Item = BuildProgress
  package typealias Answer = AdminNothing
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

  package func perform(
    on database: Database, _ send: (BuildProgress) throws -> Void
  ) throws -> AdminNothing {
    try following(send) { progress in
      try database.timesToLive.set(
        field, in: collectionGroup, offsetSeconds: offsetSeconds, progress: progress)
    }
    return AdminNothing()
  }
}

/// Removes the time to live from a field.
package struct TimeToLiveRemoveCall: DatabaseCall {
  package typealias Item = AdminNothing
  package typealias Answer = AdminNothing
  package static let name = "ttl remove"

  private enum CodingKeys: String, CodingKey { case field = "names", collectionGroup }

  private let field: FieldPath
  private let collectionGroup: String

  package init(_ field: FieldPath, in collectionGroup: String) {
    self.field = field
    self.collectionGroup = collectionGroup
  }

  package func perform(
    on database: Database, _ send: (AdminNothing) throws -> Void
  ) throws -> AdminNothing {
    try database.timesToLive.remove(field, in: collectionGroup)
    return AdminNothing()
  }
}

/// Deletes the documents whose time to live is over.
package struct SweepCall: DatabaseCall {
  package typealias Item = AdminCount
  package typealias Answer = AdminCount
  package static let name = "ttl sweep"

  package init() {}

  package func perform(
    on database: Database, _ send: (AdminCount) throws -> Void
  ) throws -> AdminCount {
    try following(send) { progress in
      AdminCount(try database.timesToLive.sweep { progress(AdminCount($0)) })
    }
  }
}
