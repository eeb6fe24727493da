/// The costs of scans that aren't kept, in entries that queries have spent on them. A few thousand
/// scans are remembered, by fingerprints. Two scans with the same fingerprint only cause a build
/// too early.
struct ScanLedger: Sendable {
  private static let countLimit = 4096

  private var costs: [UInt64: Int] = [:]

  private func place(_ key: ScanKey, _ purpose: ScanCache.Purpose) -> UInt64 {
    purpose == .walking ? key.fingerprint : ~key.fingerprint
  }

  /// Adds to the cost of a scan.
  ///
  /// - Returns: the sum from the second time on; 0 the first time, and for a scan that was refused.
  mutating func spend(
    _ entryCount: Int, on key: ScanKey, for purpose: ScanCache.Purpose
  ) -> Int {
    let before = costs[place(key, purpose), default: 0]
    costs[place(key, purpose)] = before + entryCount
    if costs.count > ScanLedger.countLimit { age() }
    return before > 0 ? before + entryCount : 0
  }

  /// Forgets the cost of a scan, since the build pays it back.
  mutating func settle(_ key: ScanKey, for purpose: ScanCache.Purpose) {
    costs[place(key, purpose)] = nil
  }

  /// Records that a scan isn't worth keeping, for as long as costs are remembered.
  mutating func refuse(_ key: ScanKey, for purpose: ScanCache.Purpose) {
    costs[place(key, purpose)] = -(1 << 40)
  }

  /// Halves all costs and forgets the small ones.
  private mutating func age() {
    costs = costs.compactMapValues { abs($0) >= 256 ? $0 / 2 : nil }
    if costs.count > ScanLedger.countLimit / 2 { costs = [:] }
  }
}
