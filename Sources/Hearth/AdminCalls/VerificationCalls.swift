package import HearthAdminSocket
package import HearthReports

/// Compares documents with index entries.
package struct VerifyCall: FollowedCall {
  package typealias Item = AdminCount
  package typealias Answer = VerificationReport
  package static let name = "verify"

  package init() {}

  package func run(
    on database: Database, progress: (AdminCount) -> Void
  ) throws -> VerificationReport {
    try database.verify { progress(AdminCount($0)) }
  }
}

/// Compares sums, and samples of documents and entries.
package struct QuickVerifyCall: FollowedCall {
  package typealias Item = AdminCount
  package typealias Answer = QuickVerificationReport
  package static let name = "verify quickly"

  private let sampleCount: Int
  private let seed: UInt64?

  package init(sampleCount: Int, seed: UInt64?) {
    self.sampleCount = sampleCount
    self.seed = seed
  }

  package func run(
    on database: Database, progress: (AdminCount) -> Void
  ) throws -> QuickVerificationReport {
    try database.verifyQuickly(sampleCount: sampleCount, seed: seed) { progress(AdminCount($0)) }
  }
}

/// Makes index entries agree with the documents.
package struct RepairCall: FollowedCall {
  package typealias Item = AdminCount
  package typealias Answer = RepairReport
  package static let name = "repair"

  package init() {}

  package func run(on database: Database, progress: (AdminCount) -> Void) throws -> RepairReport {
    try database.repair { progress(AdminCount($0)) }
  }
}

/// Begins or ends keeping sums of entries.
package struct SumsCall: FollowedCall {
  package typealias Item = AdminCount
  package static let name = "sums"

  private let areKept: Bool

  package init(areKept: Bool) {
    self.areKept = areKept
  }

  package func run(on database: Database, progress: (AdminCount) -> Void) throws -> AdminNothing {
    try database.indexes.keepSums(areKept) { progress(AdminCount($0)) }
    return AdminNothing()
  }
}
