import DocumentEngine
import EngineUpkeep

/// Result of a comparison of sums and samples, with the probability that it found damage.
public struct QuickVerificationReport: Sendable {
  /// Differences found, and the number of documents and entries examined.
  public let findings: VerificationReport
  /// Whether sums of entries are kept.
  public let keepsSums: Bool
  /// Number of kinds of entries whose two sums were compared; each composite index is one kind.
  public let summedCount: Int
  /// Kinds of entries that could have sums, but whose sums aren't counted yet, in words.
  public let unsummed: [String]
  /// Number of entries looked up for the sampled documents.
  public let lookedUpCount: Int
  /// Number of stored entries traced back to their documents.
  public let tracedCount: Int
  /// Whether all documents were compared, because there were no more than the samples.
  public let isExhaustive: Bool
  /// Seed of the samples.
  public let seed: UInt64

  /// Whether no difference was found.
  public var isClean: Bool { findings.isClean }

  /// Returns the probability, 0...1, that the check would have noticed that a share of the
  /// documents, 0...1, can't be read.
  public func documentDetection(ofShare share: Double) -> Double {
    detection(ofShare: share, bySamples: findings.documentCount)
  }

  /// Returns the probability, 0...1, that the check would have noticed that a share of the entries,
  /// 0...1, is missing or wrong, if those are scattered.
  public func missingEntryDetection(ofShare share: Double) -> Double {
    detection(ofShare: share, bySamples: lookedUpCount)
  }

  /// Returns the probability, 0...1, that the check would have noticed that no document accounts
  /// for a share of the stored entries, 0...1, if those are scattered.
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
