/// Result of a comparison of sums and samples, with the probability that it found damage.
public struct QuickVerificationReport: Sendable, Codable {
  /// Differences found, and the number of documents and entries examined.
  public package(set) var findings = VerificationReport()
  /// Whether sums of entries are kept.
  public package(set) var keepsSums = false
  /// Number of kinds of entries whose two sums were compared; each composite index is one kind.
  public package(set) var summedCount = 0
  /// Kinds of entries that could have sums, but whose sums aren't counted yet, in words.
  public package(set) var unsummed: [String] = []
  /// Number of entries looked up for the sampled documents.
  public package(set) var lookedUpCount = 0
  /// Number of stored entries traced back to their documents.
  public package(set) var tracedCount = 0
  /// Whether all documents were compared, because there were no more than the samples.
  public package(set) var isExhaustive = false
  /// Seed of the samples.
  public let seed: UInt64

  package init(seed: UInt64) {
    self.seed = seed
  }

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

  /// n different samples, drawn with equal chances, miss a share s with a probability of (1 - s)^n
  /// at most.
  private func detection(ofShare share: Double, bySamples count: Int) -> Double {
    if isExhaustive { return 1 }
    // By squaring: (1 - s)^n.
    var (missed, factor, rest) = (1.0, 1 - min(max(share, 0), 1), max(count, 0))
    while rest > 0 {
      if rest & 1 == 1 { missed *= factor }
      factor *= factor
      rest >>= 1
    }
    return 1 - missed
  }
}
