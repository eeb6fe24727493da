package import AdminSocket
package import DocumentModel
package import FirestoreJSON
package import QueryPlanning

/// Reports the indexes in the form of an index file.
package struct IndexFileCall: BareCall {
  package typealias Item = AdminNothing
  package typealias Answer = IndexFileMessage
  package static let name = "index file"

  package init() {}

  package func perform(
    on database: Database, _ send: (AdminNothing) throws -> Void
  ) throws -> IndexFileMessage {
    IndexFileMessage(try database.indexes.file())
  }
}

/// Gives the database the indexes of a file. The call carries the plan that was shown to the user,
/// made from the indexes at that time, and does nothing else.
package struct IndexApplyCall: DatabaseCall {
  package typealias Item = IndexAdministration.Progress
  package typealias Answer = AdminNothing
  package static let name = "index apply"

  private let present: IndexFile
  private let file: IndexFile
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
    self.present = present
    self.file = file
    self.prunes = prunes
    self.isAwaited = isAwaited
    self.pace = pace
  }

  package init(_ json: JSONValue) throws(DatabaseError) {
    let members = try AdminMembers(json)
    try self.init(
      from: try members.message("present", as: IndexFileMessage.self).file,
      to: try members.message("file", as: IndexFileMessage.self).file,
      prunes: try members.boolean("prunes"), isAwaited: try members.boolean("isAwaited"),
      pace: try members.optionalMessage("pace"))
  }

  package var json: JSONValue {
    .members([
      "present": IndexFileMessage(present).json, "file": IndexFileMessage(file).json,
      "prunes": .boolean(prunes), "isAwaited": .boolean(isAwaited), "pace": pace?.json,
    ])
  }

  package func perform(
    on database: Database, _ send: (IndexAdministration.Progress) throws -> Void
  ) throws -> AdminNothing {
    if let pace, try builds(on: database) { try database.indexes.setPace(pace) }
    try following(send) { progress in
      try database.indexes.apply(plan, waits: isAwaited, progress: progress)
    }
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
package struct IndexFileMessage: AdminObject {
  package let file: IndexFile

  init(_ file: IndexFile) {
    self.file = file
  }

  package init(_ json: JSONValue) throws(DatabaseError) {
    let members = try AdminMembers(json)
    var file = try IndexFile(text: try members.string("text"))
    for name in try members.messages("inherited", of: FieldMessage.self).map(\.name) {
      for index in file.overrides.indices where file.overrides[index].name == name {
        file.overrides[index].isInherited = true
      }
    }
    self.file = file
  }

  /// The file's text, and the inherited overrides, which the text doesn't show.
  package var json: JSONValue {
    let inherited = file.overrides.filter(\.isInherited).map { FieldMessage(name: $0.name) }
    return .members(["text": .string(file.text), "inherited": .list(inherited)])
  }

  private struct FieldMessage: AdminObject {
    let name: IndexedField

    init(name: IndexedField) {
      self.name = name
    }

    init(_ json: JSONValue) throws(DatabaseError) {
      let members = try AdminMembers(json)
      name = IndexedField(try members.string("collectionGroup"), try members.field("names"))
    }

    var json: JSONValue {
      .members([
        "collectionGroup": .string(name.collectionGroup),
        "names": name.field.map { .list($0.names) },
      ])
    }
  }
}

/// Lists the composite indexes that other indexes make redundant.
package struct RedundantIndexesCall: BareCall {
  package typealias Item = AdminNothing
  package typealias Answer = AdminList<RedundantIndex>
  package static let name = "index redundant"

  package init() {}

  package func perform(
    on database: Database, _ send: (AdminNothing) throws -> Void
  ) throws -> AdminList<RedundantIndex> {
    AdminList(try database.indexes.redundant())
  }
}

extension RedundantIndex: AdminObject {
  package init(_ json: JSONValue) throws(DatabaseError) {
    let members = try AdminMembers(json)
    self.init(
      definition: try members.message("definition"),
      replacements: try members.messages("replacements"),
      isWhole: try members.boolean("isWhole"), isDroppable: try members.boolean("isDroppable"))
  }

  package var json: JSONValue {
    .members([
      "definition": definition.json, "replacements": .list(replacements),
      "isWhole": .boolean(isWhole), "isDroppable": .boolean(isDroppable),
    ])
  }
}

/// Hides an index from queries, or shows it again.
package struct IndexHideCall: DatabaseCall {
  package typealias Item = AdminNothing
  package typealias Answer = AdminNothing
  package static let name = "index hide"

  private let definition: IndexDefinition
  private let isHidden: Bool

  package init(_ definition: IndexDefinition, isHidden: Bool) {
    self.definition = definition
    self.isHidden = isHidden
  }

  package init(_ json: JSONValue) throws(DatabaseError) {
    let members = try AdminMembers(json)
    self.init(try members.message("definition"), isHidden: try members.boolean("isHidden"))
  }

  package var json: JSONValue {
    .members(["definition": definition.json, "isHidden": .boolean(isHidden)])
  }

  package func perform(
    on database: Database, _ send: (AdminNothing) throws -> Void
  ) throws -> AdminNothing {
    if isHidden {
      try database.indexes.hide(definition)
    } else {
      try database.indexes.unhide(definition)
    }
    return AdminNothing()
  }
}
