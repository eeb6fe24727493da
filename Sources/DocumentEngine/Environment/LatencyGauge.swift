import HearthOrderedStore
import Synchronization

/// Measures how long the application's reads and commits take, while a build has to respect a
/// latency.
///
/// At all other times it costs one look at a flag.
package final class LatencyGauge: Sendable {
  /// Latencies by magnitude, in eight steps for each power of two.
  private struct Window: Sendable {
    var counts = [Int](repeating: 0, count: 8 * 64)
    var count = 0
    var start: UInt64 = 0

    mutating func add(_ nanoseconds: UInt64) {
      counts[Window.place(of: nanoseconds)] += 1
      count += 1
    }

    static func place(of nanoseconds: UInt64) -> Int {
      guard nanoseconds >= 8 else { return Int(nanoseconds) }
      let exponent = 63 - nanoseconds.leadingZeroBitCount
      return exponent * 8 + Int(nanoseconds >> UInt64(exponent - 3) & 7)
    }

    /// Returns the largest latency that counts at `place`.
    static func limit(of place: Int) -> UInt64 {
      guard place >= 24 else { return UInt64(place) }
      let (exponent, step) = (place / 8, UInt64(place % 8))
      return (9 + step) << UInt64(exponent - 3)
    }

    /// The time within which 99 of 100 latencies stay.
    var percentile: UInt64 {
      var left = count - count / 100
      for (place, count) in counts.enumerated() {
        left -= count
        if left <= 0 { return Window.limit(of: place) }
      }
      return .max
    }
  }

  /// The result of reading the gauge.
  package enum Reading: Sendable, Equatable {
    /// The window isn't over.
    case none
    /// Nothing was read or committed.
    case idle
    case latency(UInt64)
  }

  /// The length of a window with enough samples in it, and the length of the longest.
  private static let windowNanoseconds: UInt64 = 250_000_000
  private static let longestWindowNanoseconds: UInt64 = 2_000_000_000
  private static let sampleCount = 20

  private let isOn = Atomic(false)
  private let window = Lock(Window())

  /// Whether readers and writers are to record how long they took.
  package var isMeasuring: Bool { isOn.load(ordering: .relaxed) }

  package func record(_ duration: Duration) {
    record(nanoseconds: UInt64(max(duration / .nanoseconds(1), 0)))
  }

  package func record(nanoseconds: UInt64) { window.withLock { $0.add(nanoseconds) } }

  package func turn(on: Bool, at time: UInt64) {
    guard isMeasuring != on else { return }
    window.withLock { window in
      window = Window()
      window.start = time
    }
    isOn.store(on, ordering: .relaxed)
  }

  /// Returns the time within which 99 of 100 latencies stayed since the last reading, once the
  /// window is over.
  package func read(at time: UInt64) -> Reading {
    window.withLock { window in
      let age = time &- min(window.start, time)
      let isOver =
        age >= LatencyGauge.longestWindowNanoseconds
        || (age >= LatencyGauge.windowNanoseconds && window.count >= LatencyGauge.sampleCount)
      guard isOver else { return .none }
      let reading: Reading = window.count == 0 ? .idle : .latency(window.percentile)
      window = Window()
      window.start = time
      return reading
    }
  }
}
