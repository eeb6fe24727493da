import Histogram

/// The latencies of one contestant, to three significant digits, in constant memory.
struct Latencies {
  /// Greatest latency that is recorded exactly: an hour.
  private static let longestNanoseconds = 3.6e12

  private var nanoseconds = Histogram<UInt32>(
    highestTrackableValue: UInt64(Latencies.longestNanoseconds),
    numberOfSignificantValueDigits: .three)

  init() {}

  init(microseconds: some Sequence<Double>) {
    for latency in microseconds { record(microseconds: latency) }
  }

  mutating func record(microseconds: Double) {
    let latency = (microseconds * 1000).rounded()
    nanoseconds.record(UInt64(min(max(latency, 1), Latencies.longestNanoseconds)))
  }

  var percentiles: Percentiles {
    let count = nanoseconds.totalCount
    guard count > 0 else { return Percentiles(p50: .nan, p90: .nan, p99: .nan, max: .nan) }
    func at(_ share: Double) -> Double {
      Double(nanoseconds.valueAtPercentile(share * 100)) / 1000
    }
    return Percentiles(
      p50: at(0.5), p90: at(0.9), p99: at(0.99), max: Double(nanoseconds.max) / 1000,
      byNines: (0...50).prefix { Nines.share($0) <= 1 - 1 / Double(count) }
        .map { at(Nines.share($0)) })
  }
}

/// Latencies in microseconds.
struct Percentiles: Codable {
  let p50: Double
  let p90: Double
  let p99: Double
  let max: Double
  /// Latencies at 0 nines, 0.1 nines …: 50 %, 90 %, 99 %, 99.9 % are at 0.3, 1, 2 and 3.
  var byNines: [Double] = []
}

/// The axis of the latency curves: the number of nines of a percentile.
enum Nines {
  private static let tenthOfNine = 0.794_328_234_724_281_5

  /// Returns the share of operations below the mark at `tenths` tenths of a nine.
  static func share(_ tenths: Int) -> Double {
    1 - (0..<tenths).reduce(1.0) { rest, _ in rest * tenthOfNine }
  }
}
