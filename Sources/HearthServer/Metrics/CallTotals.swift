/// Sums over the calls of a server, but for streams, which last as long as their clients want.
package struct CallTotals: Sendable {
  var count = 0
  /// Number of queries that lacked an index, those of listeners too.
  package var refusedCount = 0
  /// Number of calls that ended with another error.
  package var failedCount = 0
  var durations = HistogramSeries.Distribution(.seconds)

  package init() {}

  /// Adds calls that ended with one code.
  package mutating func add(_ durations: HistogramSeries.Distribution, code: String) {
    let number = Int(durations.counts.reduce(0, +))
    count += number
    if code != "OK" { failedCount += number }
    self.durations.add(durations)
  }

  /// Returns the calls after those of earlier sums.
  func since(_ earlier: CallTotals) -> CallTotals {
    var totals = self
    totals.count -= earlier.count
    totals.refusedCount -= earlier.refusedCount
    totals.failedCount -= earlier.failedCount
    totals.durations.subtract(earlier.durations)
    return totals
  }
}

extension HistogramSeries.Distribution {
  /// Adds the values of another distribution with the same buckets.
  fileprivate mutating func add(_ other: HistogramSeries.Distribution) {
    for index in counts.indices { counts[index] += other.counts[index] }
    sum += other.sum
  }

  fileprivate mutating func subtract(_ other: HistogramSeries.Distribution) {
    for index in counts.indices { counts[index] -= other.counts[index] }
    sum -= other.sum
  }

  /// Returns the value below which a share of the values is, in proportion within its bucket; `nil`
  /// without values. Those beyond the last bound count as the bound.
  package func quantile(_ share: Double) -> Double? {
    let total = counts.reduce(0, +)
    guard total > 0 else { return nil }
    var rest = share * Double(total)
    for (index, count) in counts.enumerated() {
      guard index < bounds.count else { break }
      let low = index > 0 ? bounds[index - 1] : 0
      if rest <= Double(count) { return low + (bounds[index] - low) * rest / Double(count) }
      rest -= Double(count)
    }
    return bounds.last
  }
}
