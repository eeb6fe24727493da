import HearthOrderedStore

/// Prepared plans by the shapes of their queries. They belong to one catalogue, and are right only
/// for it. The cache doesn't look into them.
///
/// The cache holds a few hundred shapes, in sets of four by their hashes. A new plan of a full set
/// takes the place of the oldest one.
///
/// Each stripe of threads keeps plans of its own. Otherwise all threads that run queries of a shape
/// would count references to the parts of one plan, which costs more than to plan a few times.
final class PlanCache: Sendable {
  private static let setCount = 64
  private static let wayCount = 4

  /// The plans of each stripe with the hashes of their shapes; empty until its first one is kept.
  private let stripes = (0..<threadStripeCount).map { _ in
    Lock<[(hash: UInt64, plan: any AnyObject & Sendable)?]>([], isOfProcess: false)
  }

  /// Returns the plan that was kept for a shape with this hash; `nil` if there is none. The caller
  /// asks the plan whether its shape is the same.
  func plan(_ hash: UInt64) -> (any AnyObject & Sendable)? {
    stripes[threadStripe()].withLock { kept in
      guard !kept.isEmpty else { return nil }
      let first = PlanCache.firstIndex(of: hash)
      for index in first..<(first &+ PlanCache.wayCount) {
        if let entry = kept[index], entry.hash == hash { return entry.plan }
      }
      return nil
    }
  }

  /// - Parameter hash: the hash of the plan's shape.
  func insert(_ plan: any AnyObject & Sendable, _ hash: UInt64) {
    stripes[threadStripe()].withLock { kept in
      if kept.isEmpty {
        kept = Array(repeating: nil, count: PlanCache.setCount * PlanCache.wayCount)
      }
      let first = PlanCache.firstIndex(of: hash)
      // Another thread may have kept it meanwhile.
      var last = first + PlanCache.wayCount - 1
      for index in first..<last where kept[index] == nil || kept[index]?.hash == hash {
        last = index
        break
      }
      while last > first {
        kept[last] = kept[last - 1]
        last -= 1
      }
      kept[first] = (hash, plan)
    }
  }

  private static func firstIndex(of hash: UInt64) -> Int {
    Int(truncatingIfNeeded: hash & UInt64(setCount - 1)) &* wayCount
  }
}
