package import HearthAdminSocket
package import HearthDocumentModel
package import HearthQueryPlanning
package import HearthReports

/// Reports the indexes in the form of an index file.
package struct IndexFileCall: AnsweredCall {
  package typealias Answer = IndexFileMessage
  package static let name = "index file"

  package init() {}

  package func answer(from database: Database) throws -> IndexFileMessage {
    IndexFileMessage(try database.indexes.file())
  }
}

/// Gives the database the indexes of a file. The call carries the plan that was shown to the user,
/// made from the indexes at that time, and does nothing else.
package struct IndexApplyCall: FollowedCall {
  package typealias Item = BuildProgress
  package static let name = "index apply"

  private enum CodingKeys: String, CodingKey { case present, file, prunes, isAwaited, pace }

  private let present: IndexFileMessage
  private let file: IndexFileMessage
  private let prunes: Bool
  /// Steps that the call performs.
  package let plan: IndexFilePlan
  /// Whether the call returns when all is ready, and not as soon as new composite builds have
  /// begun.
  private let isAwaited: Bool
  /// Pace of all builds from now on, if there are any; `nil` leaves it unchanged.
  private let pace: BuildPace?

  /// - Throws: the errors of `IndexFilePlan`.
  package init(
    from present: IndexFile, to file: IndexFile, prunes: Bool = false, isAwaited: Bool = true,
    pace: BuildPace? = nil
  ) throws(DatabaseError) {
    plan = try IndexFilePlan(from: present, to: file, prunes: prunes)
    self.present = IndexFileMessage(present)
    self.file = IndexFileMessage(file)
    self.prunes = prunes
    self.isAwaited = isAwaited
    self.pace = pace
  }

  package init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    try self.init(
      from: members.decode(IndexFileMessage.self, forKey: .present).file,
      to: members.decode(IndexFileMessage.self, forKey: .file).file,
      prunes: members.decode(Bool.self, forKey: .prunes),
      isAwaited: members.decode(Bool.self, forKey: .isAwaited),
      pace: members.decodeIfPresent(BuildPace.self, forKey: .pace))
  }

  package func run(
    on database: Database, progress: (BuildProgress) -> Void
  ) throws -> AdminNothing {
    if let pace, try builds(on: database) { try database.indexes.setPace(pace) }
    try database.indexes.apply(plan, waits: isAwaited, progress: progress)
    // If no document had to be read, no step has reset the pace.
    if pace != nil, try !isBuilding(database) { try database.indexes.setPace(.unlimited) }
    return AdminNothing()
  }
}

extension IndexApplyCall {
  /// Whether anything is built that a pace would apply to.
  private func builds(on database: Database) throws(DatabaseError) -> Bool {
    if plan.steps.contains(where: \.mayBuild) { return true }
    return try isBuilding(database)
  }

  private func isBuilding(_ database: Database) throws(DatabaseError) -> Bool {
    for build in try database.indexes.builds() where try !build.status().isFinished { return true }
    return false
  }
}

/// The indexes of a database, or those that it should have.
package struct IndexFileMessage: Codable, Sendable {
  package let file: IndexFile

  init(_ file: IndexFile) {
    self.file = file
  }

  package init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    var file = try IndexFile(text: members.decode(String.self, forKey: .text))
    for inherited in try members.decode([Field].self, forKey: .inherited) {
      for index in file.overrides.indices where file.overrides[index].name == inherited.name {
        file.overrides[index].isInherited = true
      }
    }
    self.file = file
  }

  package func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: CodingKeys.self)
    try members.encode(file.text, forKey: .text)
    try members.encode(
      file.overrides.filter(\.isInherited).map {
        Field(collectionGroup: $0.name.collectionGroup, names: $0.name.field)
      }, forKey: .inherited)
  }

  private enum CodingKeys: String, CodingKey { case text, inherited }

  /// An override that is inherited, which the file's text doesn't show.
  private struct Field: Codable {
    let collectionGroup: String
    let names: FieldPath?

    var name: IndexedField { IndexedField(collectionGroup, names) }
  }
}

/// Lists the composite indexes that other indexes make redundant.
package struct RedundantIndexesCall: AnsweredCall {
  package typealias Answer = AdminList<RedundantIndex>
  package static let name = "index redundant"

  package init() {}

  package func answer(from database: Database) throws -> AdminList<RedundantIndex> {
    AdminList(try database.indexes.redundant())
  }
}
