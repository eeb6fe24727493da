import DocumentEngine

/// What a comparison of sums and samples found, and how likely it would have found more.
public struct QuickVerificationReport: Sendable {
  /// What was found, and how much was looked at.
  public let findings: VerificationReport
  /// Whether sums of entries are kept.
  public let keepsSums: Bool
  /// The kinds of entries whose two sums were compared: those of each composite index are one.
  public let summedCount: Int
  /// What could have sums that aren't counted yet, in words.
  public let unsummed: [String]
  /// Entries that were looked up for the documents that were drawn.
  public let lookedUpCount: Int
  /// Stored entries that were traced back to their documents.
  public let tracedCount: Int
  /// Whether there were so few documents that all were compared.
  public let isExhaustive: Bool
  /// What the samples were drawn by.
  public let seed: UInt64

  /// Whether nothing was found.
  public var isClean: Bool { findings.isClean }

  /// How likely it would have been noticed that a share of the documents, 0...1, can't be read:
  /// 0...1.
  public func documentDetection(ofShare share: Double) -> Double {
    detection(ofShare: share, bySamples: findings.documentCount)
  }

  /// How likely it would have been noticed that a share of the entries, 0...1, is missing or
  /// wrong, if those lie scattered: 0...1.
  public func missingEntryDetection(ofShare share: Double) -> Double {
    detection(ofShare: share, bySamples: lookedUpCount)
  }

  /// How likely it would have been noticed that no document accounts for a share of the stored
  /// entries, 0...1, if those lie scattered: 0...1.
  public func strayEntryDetection(ofShare share: Double) -> Double {
    detection(ofShare: share, bySamples: tracedCount)
  }

  private func detection(ofShare share: Double, bySamples count: Int) -> Double {
    isExhaustive ? 1 : SampleChance.detection(ofShare: share, bySamples: count)
  }
}

extension QuickVerificationReport {
  init(_ report: QuickReport) {
    self.init(
      findings: VerificationReport(report.findings), keepsSums: report.keepsSums,
      summedCount: report.summedCount, unsummed: report.unsummed,
      lookedUpCount: report.lookedUpCount, tracedCount: report.tracedCount,
      isExhaustive: report.isExhaustive, seed: report.seed)
  }
}
