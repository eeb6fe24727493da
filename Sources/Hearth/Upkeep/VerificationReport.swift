import DocumentEngine
import EngineUpkeep

/// Result of a comparison of the documents with the index entries.
public struct VerificationReport: Sendable {
  /// One difference or damage.
  public struct Problem: Sendable {
    /// Kind of the problem, such as `missing entry`.
    public let kind: String
    /// The document or key, with a description of the problem.
    public let subject: String
  }

  /// Number of documents examined.
  public let documentCount: Int
  /// Number of index entries examined.
  public let entryCount: Int
  /// Number of problems, listed or not.
  public let problemCount: Int
  /// The first problems, at most a hundred.
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

/// Result of a repair.
public struct RepairReport: Sendable {
  /// Number of documents examined.
  public let documentCount: Int
  /// Number of index entries that were missing or wrong, and were put.
  public let putCount: Int
  /// Number of index entries that no document accounted for, and that were deleted.
  public let deletedCount: Int
  /// Number of kept counts that were wrong, and were counted anew.
  public let recountedCount: Int
  /// Number of documents that can't be read; they and their entries were not changed.
  public let damagedCount: Int
  /// The first documents that can't be read, at most a hundred.
  public let damaged: [VerificationReport.Problem]

  /// Whether all documents and entries agree now.
  public var isClean: Bool { damagedCount == 0 }
}

extension RepairReport {
  init(_ report: EngineUpkeep.RepairReport) {
    self.init(
      documentCount: report.documentCount, putCount: report.putCount,
      deletedCount: report.deletedCount, recountedCount: report.recountedCount,
      damagedCount: report.damagedCount,
      damaged: report.damaged.map(VerificationReport.Problem.init))
  }
}
