import HearthDocumentEngine
import HearthQueryPlanning
import Testing

/// Counts of the generated queries by their properties.
struct QueryMix {
  private var kinds: [String: Int] = [:]
  private var total = 0
  private var refused = 0
  private var nonEmpty = 0
  /// Number of queries that compared documents whose entries don't hold the whole value (§3.6).
  private var rechecked = 0
  private var smallerIndexes = 0
  private var kept = 0

  mutating func add(_ plan: Plan, resultCount: Int, isRechecked: Bool) {
    total += 1
    nonEmpty += resultCount > 0 ? 1 : 0
    rechecked += isRechecked ? 1 : 0
    kinds[QueryMix.kind(plan), default: 0] += 1
  }

  /// Counts a query that found entries in memory.
  mutating func addKeptScan() { kept += 1 }

  mutating func addRefusal() { refused += 1 }

  /// Counts a smaller index that needs all of its columns.
  mutating func addSmallerIndex() { smallerIndexes += 1 }

  private static func kind(_ plan: Plan) -> String {
    if case .everyCollection = plan.source { return "kindless" }
    let branches = plan.branches.filter { !$0.isEmpty }
    guard let branch = branches.first, let scan = branch.scans.first else {
      return "nothing to read"
    }
    guard branches.count == 1 else {
      return branches.allSatisfy { $0.scans.count == 1 } ? "union" : "union with merge"
    }
    guard branch.scans.count == 1 else {
      let composites = branch.scans.count { if case .composite = $0.source { true } else { false } }
      return composites == 0 ? "merge of automatics" : "merge with composites"
    }
    if branch.hasResidualRange { return "skip-scan" }
    if branch.ranges.contains(where: { ($0?.count ?? 0) > 1 }) { return "range list" }
    switch scan.source {
    case .key: return "key index, \(plan.source.scope.rawValue)"
    case .automatic:
      return branch.suffix.last?.direction == .descending ? "automatic, backwards" : "automatic"
    case .composite:
      let isShared = scan.index.scope != plan.source.scope
      return isShared ? "group composite for a collection" : "composite"
    }
  }

  func check() {
    for (kind, count) in kinds.sorted(by: { $0.key < $1.key }) { print("  \(kind): \(count)") }
    print("  = queries: \(total)")
    print("  = non-empty: \(nonEmpty)")
    print("  = refused at first: \(refused)")
    print("  = smaller indexes without a spare column: \(smallerIndexes)")
    print("  = with rechecks: \(rechecked)")
    print("  = with entries in memory: \(kept)")
    // Shares mean little in a small sample.
    guard total >= 30_000 else { return }
    #expect(kinds.count == 14, "plan kinds \(kinds.keys)")
    for (kind, count) in kinds { #expect(count * 100 >= total, "too few plans: \(kind)") }
    #expect(rechecked * 100 >= total)
    #expect(kept * 50 >= total)
    #expect(nonEmpty * 10 >= total * 4)
    #expect(refused * 10 <= total * 3)
    #expect(smallerIndexes * 1000 >= total)
  }
}

extension Plan.Branch {
  /// Whether a column after the first without a single value is restricted.
  fileprivate var hasResidualRange: Bool {
    let free = ranges.firstIndex { ranges in ranges?.count != 1 || ranges?.first?.point == nil }
    guard let free else { return false }
    return ranges.dropFirst(free + 1).contains { $0 != nil }
  }
}
