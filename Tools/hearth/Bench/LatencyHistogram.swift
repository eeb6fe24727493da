import Histogram

/// The latencies of a query's runs, to three or two significant digits, in constant memory.
package struct LatencyHistogram: Sendable {
  /// Greatest latency that is recorded exactly: an hour, in nanoseconds.
  private static let longest: UInt64 = 3_600_000_000_000

  private var histogram: Histogram<UInt64>

  package init() {
    self.init(.three)
  }

  /// A histogram with fewer digits, in a tenth of the memory.
  static var ofTwoDigits: LatencyHistogram { LatencyHistogram(.two) }

  private init(_ digits: SignificantDigits) {
    histogram = Histogram(
      highestTrackableValue: LatencyHistogram.longest, numberOfSignificantValueDigits: digits)
  }

  /// Records one run; more than an hour counts as an hour.
  package mutating func record(nanoseconds: Int64) {
    histogram.record(min(UInt64(max(nanoseconds, 0)), LatencyHistogram.longest))
  }

  /// Adds the runs of another histogram, which has the same number of digits.
  mutating func add(_ other: LatencyHistogram) {
    histogram.add(other.histogram)
  }

  /// Number of runs recorded.
  package var count: Int { Int(clamping: histogram.totalCount) }

  /// Returns the time that `percent` of the runs did not exceed; 0 before the first run.
  package func nanoseconds(atPercentile percent: Double) -> Int64 {
    guard count > 0 else { return 0 }
    return Int64(clamping: histogram.valueAtPercentile(percent))
  }

  /// The longest run, exactly.
  package var maximumNanoseconds: Int64 { count > 0 ? Int64(clamping: histogram.max) : 0 }

  /// The mean time; 0 before the first run.
  var meanNanoseconds: Double { count > 0 ? histogram.mean : 0 }

  /// Returns a line for each bucket between the shortest and the longest run, in steps of 1, 2, 5,
  /// 10:
  ///
  ///        5 µs …  10 µs  ██████████████████████████████   8,120
  ///       10 µs …  20 µs  ██████▎                          1,720
  package func drawing(width: Int) -> String {
    let buckets = self.buckets
    guard let largest = buckets.map(\.count).max() else { return "" }
    var table: [(range: String, count: String, runs: UInt64)] = []
    for bucket in buckets {
      let low = LatencyHistogram.border(bucket.low).padded(to: 6)
      let high = LatencyHistogram.border(bucket.high).padded(to: 6)
      table.append(("\(low) … \(high)", Figure.count(bucket.count), bucket.count))
    }
    let countWidth = table.map(\.count.count).max() ?? 0
    let barWidth = max(10, min(60, width - 15 - 4 - countWidth))
    return table.map { row in
      let bar = LatencyHistogram.bar(Double(row.runs) / Double(largest), width: barWidth)
      return "\(row.range)  \(bar)  \(row.count.padded(to: countWidth))\n"
    }.joined()
  }

  private struct Bucket {
    let low: UInt64
    let high: UInt64
    var count: UInt64 = 0
  }

  /// Buckets from the one of the shortest run to the one of the longest, with empty ones between.
  private var buckets: [Bucket] {
    guard count > 0 else { return [] }
    var buckets = LatencyHistogram.borders.indices.dropLast().map { index in
      Bucket(low: LatencyHistogram.borders[index], high: LatencyHistogram.borders[index + 1])
    }
    var index = 0
    for value in histogram.recordedValues() {
      while index < buckets.count - 1, value.value >= buckets[index].high { index += 1 }
      buckets[index].count += value.count
    }
    let first = buckets.firstIndex { $0.count > 0 } ?? 0
    let last = buckets.lastIndex { $0.count > 0 } ?? 0
    return Array(buckets[first...last])
  }

  /// Bounds of the buckets: 0, 10 ns, 20 ns, 50 ns, 100 ns … 5,000 s.
  private static let borders: [UInt64] = {
    var borders: [UInt64] = [0]
    var decade: UInt64 = 10
    while decade <= 1_000_000_000_000 {
      borders += [decade, 2 * decade, 5 * decade]
      decade *= 10
    }
    return borders
  }()

  private static func border(_ nanoseconds: UInt64) -> String {
    let units: [(size: UInt64, name: String)] = [
      (1_000_000_000, "s"), (1_000_000, "ms"), (1_000, "µs"), (1, "ns"),
    ]
    for unit in units where nanoseconds >= unit.size {
      return "\(nanoseconds / unit.size) \(unit.name)"
    }
    return "0 ns"
  }

  /// Returns a bar in eighths of a column. Any value above 0 has at least one eighth.
  private static func bar(_ part: Double, width: Int) -> String {
    let eighths = part > 0 ? max(1, Int((part * Double(width) * 8).rounded())) : 0
    var bar = String(repeating: "█", count: eighths / 8)
    if eighths % 8 > 0 { bar.append(Array("▏▎▍▌▋▊▉")[eighths % 8 - 1]) }
    return bar + String(repeating: " ", count: width - bar.count)
  }
}

extension String {
  /// Returns the text with spaces before it, `width` columns wide.
  fileprivate func padded(to width: Int) -> String {
    String(repeating: " ", count: max(0, width - count)) + self
  }
}
