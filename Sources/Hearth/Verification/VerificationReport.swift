import DocumentEngine

/// What a comparison of the documents with the index entries found.
public struct VerificationReport: Sendable {
  /// One thing that is not as it should be.
  public struct Problem: Sendable {
    /// Such as `missing entry`.
    public let kind: String
    /// Which document or key, and what about it.
    public let subject: String
  }

  /// Documents that were looked at.
  public let documentCount: Int
  /// Index entries that were looked at.
  public let entryCount: Int
  /// How many differences there are, listed or not.
  public let problemCount: Int
  /// The first problems, a hundred at most.
  public let problems: [Problem]

  /// Whether documents and entries agree.
  public var isClean: Bool { problemCount == 0 }
}

extension VerificationReport {
  init(_ report: IntegrityReport) {
    self.init(
      documentCount: report.documentCount, entryCount: report.entryCount,
      problemCount: report.problemCount, problems: report.problems.map(Problem.init))
  }
}

extension VerificationReport.Problem {
  init(_ problem: IntegrityReport.Problem) {
    self.init(kind: problem.kind.rawValue, subject: problem.subject)
  }
}

/// What a repair did.
public struct RepairReport: Sendable {
  /// Documents that were looked at.
  public let documentCount: Int
  /// Index entries that were missing or wrong, and were put.
  public let putCount: Int
  /// Index entries that no document accounted for, and were deleted.
  public let deletedCount: Int
  /// Kept counts that were wrong, and were counted anew.
  public let recountedCount: Int
  /// Documents that can't be read: they and their entries are as they were.
  public let damagedCount: Int
  /// The first of them, a hundred at most.
  public let damaged: [VerificationReport.Problem]

  /// Whether all is in line now.
  public var isClean: Bool { damagedCount == 0 }
}

extension RepairReport {
  init(_ report: DocumentEngine.RepairReport) {
    self.init(
      documentCount: report.documentCount, putCount: report.putCount,
      deletedCount: report.deletedCount, recountedCount: report.recountedCount,
      damagedCount: report.damagedCount,
      damaged: report.damaged.map(VerificationReport.Problem.init))
  }
}
