/// Result of a comparison of the documents with the index entries.
public struct VerificationReport: Sendable, Codable {
  /// One difference or damage.
  public struct Problem: Sendable, Codable, CustomStringConvertible {
    private enum CodingKeys: String, CodingKey { case fault = "kind", subject }

    package let fault: Fault
    /// The document or key, with a description of the problem.
    public let subject: String

    package init(_ fault: Fault, _ subject: String) {
      self.fault = fault
      self.subject = subject
    }

    /// Kind of the problem, such as `missing entry`.
    public var kind: String { fault.rawValue }
    /// The kind and the subject.
    public var description: String { "\(kind): \(subject)" }
  }

  /// Kind of a problem. It is no enumeration, because a later release may know others.
  package struct Fault: RawRepresentable, Sendable, Hashable, Codable {
    package let rawValue: String

    package init(rawValue: String) {
      self.rawValue = rawValue
    }

    package static let damagedRecord = Fault(rawValue: "damaged record")
    package static let unreadableRange = Fault(rawValue: "unreadable range")
    package static let missingEntry = Fault(rawValue: "missing entry")
    package static let wrongEntry = Fault(rawValue: "wrong entry")
    package static let strayEntry = Fault(rawValue: "stray entry")
    package static let wrongCount = Fault(rawValue: "wrong count")
    package static let wrongSum = Fault(rawValue: "wrong sum")
  }

  /// Number of documents examined.
  public package(set) var documentCount = 0
  /// Number of index entries examined.
  public package(set) var entryCount = 0
  /// Number of problems, listed or not.
  public private(set) var problemCount = 0
  /// The first problems, at most a hundred.
  public private(set) var problems: [Problem] = []

  package init() {}

  /// Whether documents and entries agree.
  public var isClean: Bool { problemCount == 0 }

  package mutating func add(_ fault: Fault, _ subject: String) {
    problemCount += 1
    if problems.count < 100 { problems.append(Problem(fault, subject)) }
  }
}

/// Result of a repair.
public struct RepairReport: Sendable, Codable {
  /// Number of documents examined.
  public package(set) var documentCount = 0
  /// Number of index entries that were missing or wrong, and were put.
  public package(set) var putCount = 0
  /// Number of index entries that no document accounted for, and that were deleted.
  public package(set) var deletedCount = 0
  /// Number of kept counts that were wrong, and were counted anew.
  public package(set) var recountedCount = 0
  /// Number of documents that can't be read; they and their entries were not changed.
  public private(set) var damagedCount = 0
  /// The first documents that can't be read, at most a hundred.
  public private(set) var damaged: [VerificationReport.Problem] = []

  package init() {}

  /// Whether all documents and entries agree now.
  public var isClean: Bool { damagedCount == 0 }
  /// Number of changes that the repair made.
  package var changeCount: Int { putCount + deletedCount + recountedCount }

  package mutating func addDamaged(_ subject: String) {
    damagedCount += 1
    guard damaged.count < 100 else { return }
    damaged.append(VerificationReport.Problem(.damagedRecord, subject))
  }
}
