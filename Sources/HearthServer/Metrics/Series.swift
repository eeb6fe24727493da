import CoreMetrics
import Synchronization

/// A number that grows.
final class CounterSeries: CounterHandler {
  private let count = Atomic<Int64>(0)

  var value: Int64 { count.load(ordering: .relaxed) }

  func increment(by amount: Int64) { count.wrappingAdd(amount, ordering: .relaxed) }
  func reset() { count.store(0, ordering: .relaxed) }
}

/// The sum of the values that all databases have at present.
final class GaugeSeries: Sendable {
  private let sum = Mutex(0.0)

  var value: Double { sum.withLock { $0 } }

  fileprivate func add(_ change: Double) { sum.withLock { $0 += change } }
}

/// One database's part of a gauge. It ends with its owner.
final class GaugePart: RecorderHandler {
  private let series: GaugeSeries
  private let part = Mutex(0.0)

  init(of series: GaugeSeries) {
    self.series = series
  }

  deinit { record(0.0) }

  func record(_ value: Int64) { record(Double(value)) }

  func record(_ value: Double) {
    let change = part.withLock { part in
      defer { part = value }
      return value - part
    }
    series.add(change)
  }
}

/// Values, counted by their sizes.
package final class HistogramSeries: RecorderHandler, TimerHandler {
  package enum Scale {
    /// Timers: from 100 µs to 10 s.
    case seconds
    /// Entries, documents, bytes: powers of 4 up to 16 Mi.
    case amounts
  }

  /// Values that were counted.
  package struct Distribution: Sendable {
    /// The upper bounds of all buckets but the last one, which has none.
    let bounds: [Double]
    var counts: [UInt64]
    var sum = 0.0

    init(_ scale: Scale) {
      bounds =
        switch scale {
        case .seconds:
          [
            0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1,
            2.5, 5, 10,
          ]
        case .amounts: (0...12).map { Double(1 << (2 * $0)) }
        }
      counts = [UInt64](repeating: 0, count: bounds.count + 1)
    }
  }

  private let state: Mutex<Distribution>

  package init(_ scale: Scale) {
    state = Mutex(Distribution(scale))
  }

  package var distribution: Distribution { state.withLock { $0 } }

  package func record(_ value: Int64) { record(Double(value)) }

  package func record(_ value: Double) {
    state.withLock { state in
      let bucket = state.bounds.firstIndex { value <= $0 } ?? state.bounds.count
      state.counts[bucket] += 1
      state.sum += value
    }
  }

  package func recordNanoseconds(_ duration: Int64) { record(Double(duration) / 1e9) }
}
