package import AdminSocket
package import DocumentModel
package import FirestoreJSON

/// Compares documents with index entries.
package struct VerifyCall: BareCall {
  package typealias Item = AdminCount
  package typealias Answer = VerificationReport
  package static let name = "verify"

  package init() {}

  package func perform(
    on database: Database, _ send: (AdminCount) throws -> Void
  ) throws -> VerificationReport {
    try following(send) { progress in
      try database.verify { progress(AdminCount($0)) }
    }
  }
}

/// Compares sums, and samples of documents and entries.
package struct QuickVerifyCall: DatabaseCall {
  package typealias Item = AdminCount
  package typealias Answer = QuickVerificationReport
  package static let name = "verify quickly"

  private let sampleCount: Int
  private let seed: UInt64?

  package init(sampleCount: Int, seed: UInt64?) {
    self.sampleCount = sampleCount
    self.seed = seed
  }

  package init(_ json: JSONValue) throws(DatabaseError) {
    let members = try AdminMembers(json)
    let seed = members["seed"] == nil ? nil : try members.seed("seed")
    self.init(sampleCount: try members.integer("sampleCount"), seed: seed)
  }

  package var json: JSONValue {
    .members(["sampleCount": .count(sampleCount), "seed": seed.map { .string("\($0)") }])
  }

  package func perform(
    on database: Database, _ send: (AdminCount) throws -> Void
  ) throws -> QuickVerificationReport {
    try following(send) { progress in
      try database.verifyQuickly(sampleCount: sampleCount, seed: seed) { progress(AdminCount($0)) }
    }
  }
}

/// Makes index entries agree with the documents.
package struct RepairCall: BareCall {
  package typealias Item = AdminCount
  package typealias Answer = RepairReport
  package static let name = "repair"

  package init() {}

  package func perform(
    on database: Database, _ send: (AdminCount) throws -> Void
  ) throws -> RepairReport {
    try following(send) { progress in
      try database.repair { progress(AdminCount($0)) }
    }
  }
}

/// Begins or ends keeping sums of entries.
package struct SumsCall: DatabaseCall {
  package typealias Item = AdminCount
  package typealias Answer = AdminNothing
  package static let name = "sums"

  private let areKept: Bool

  package init(areKept: Bool) {
    self.areKept = areKept
  }

  package init(_ json: JSONValue) throws(DatabaseError) {
    self.init(areKept: try AdminMembers(json).boolean("areKept"))
  }

  package var json: JSONValue { .members(["areKept": .boolean(areKept)]) }

  package func perform(
    on database: Database, _ send: (AdminCount) throws -> Void
  ) throws -> AdminNothing {
    try following(send) { progress in
      try database.indexes.keepSums(areKept) { progress(AdminCount($0)) }
    }
    return AdminNothing()
  }
}

// MARK: - Answers

extension VerificationReport: AdminObject {
  package init(_ json: JSONValue) throws(DatabaseError) {
    let members = try AdminMembers(json)
    self.init(
      documentCount: try members.integer("documentCount"),
      entryCount: try members.integer("entryCount"),
      problemCount: try members.integer("problemCount"),
      problems: try members.messages("problems"))
  }

  package var json: JSONValue {
    .members([
      "documentCount": .count(documentCount), "entryCount": .count(entryCount),
      "problemCount": .count(problemCount), "problems": .list(problems),
    ])
  }
}

extension VerificationReport.Problem: AdminObject {
  package init(_ json: JSONValue) throws(DatabaseError) {
    let members = try AdminMembers(json)
    self.init(kind: try members.string("kind"), subject: try members.string("subject"))
  }

  package var json: JSONValue {
    .members(["kind": .string(kind), "subject": .string(subject)])
  }
}

extension QuickVerificationReport: AdminObject {
  package init(_ json: JSONValue) throws(DatabaseError) {
    let members = try AdminMembers(json)
    self.init(
      findings: try members.message("findings"), keepsSums: try members.boolean("keepsSums"),
      summedCount: try members.integer("summedCount"),
      unsummed: try members.strings("unsummed"),
      lookedUpCount: try members.integer("lookedUpCount"),
      tracedCount: try members.integer("tracedCount"),
      isExhaustive: try members.boolean("isExhaustive"), seed: try members.seed("seed"))
  }

  package var json: JSONValue {
    .members([
      "findings": findings.json, "keepsSums": .boolean(keepsSums),
      "summedCount": .count(summedCount), "unsummed": .list(unsummed),
      "lookedUpCount": .count(lookedUpCount), "tracedCount": .count(tracedCount),
      "isExhaustive": .boolean(isExhaustive), "seed": .string("\(seed)"),
    ])
  }
}

extension RepairReport: AdminObject {
  package init(_ json: JSONValue) throws(DatabaseError) {
    let members = try AdminMembers(json)
    self.init(
      documentCount: try members.integer("documentCount"),
      putCount: try members.integer("putCount"),
      deletedCount: try members.integer("deletedCount"),
      recountedCount: try members.integer("recountedCount"),
      damagedCount: try members.integer("damagedCount"),
      damaged: try members.messages("damaged"))
  }

  package var json: JSONValue {
    .members([
      "documentCount": .count(documentCount), "putCount": .count(putCount),
      "deletedCount": .count(deletedCount), "recountedCount": .count(recountedCount),
      "damagedCount": .count(damagedCount), "damaged": .list(damaged),
    ])
  }
}

extension AdminMembers {
  /// Returns a number that needs all 64 bits, which is written as text.
  fileprivate func seed(_ name: String) throws(DatabaseError) -> UInt64 {
    guard let seed = UInt64(try string(name)) else { throw invalid(name) }
    return seed
  }
}
