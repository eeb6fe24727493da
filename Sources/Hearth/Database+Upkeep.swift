public import DocumentModel
import DocumentEngine

extension Database {
  /// Compares every document with every index entry, both ways, as they are at this moment.
  ///
  /// - Parameter progress: is told the number of documents compared, now and then.
  /// - Complexity: every document and entry, each read once or twice.
  /// - Throws: what the store reports; what is found is in the report.
  public func verify(
    progress: (Int) -> Void = { _ in }
  ) throws(DatabaseError) -> VerificationReport {
    try observed(.verify) { () throws(DatabaseError) in
      VerificationReport(try engine.verify(progress))
    }
  }

  /// The same, without blocking the calling thread.
  public func verify() async throws(DatabaseError) -> VerificationReport {
    try await Blocking.run { () throws(DatabaseError) in try self.verify() }
  }

  /// Rewrites the files without what was deleted or overwritten, so that they are smaller and reads
  /// skip nothing. Reads and writes go on meanwhile.
  ///
  /// - Complexity: all bytes of the database are read and written once.
  /// - Throws: what the store reports.
  public func compact() throws(DatabaseError) {
    try observed(.compact) { () throws(DatabaseError) in try engine.compact() }
  }

  /// The same, without blocking the calling thread.
  public func compact() async throws(DatabaseError) {
    try await Blocking.run { () throws(DatabaseError) in try self.compact() }
  }
}

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

  init(_ report: IntegrityReport) {
    documentCount = report.documentCount
    entryCount = report.entryCount
    problemCount = report.problemCount
    problems = report.problems.map { Problem(kind: $0.kind.rawValue, subject: $0.subject) }
  }
}
