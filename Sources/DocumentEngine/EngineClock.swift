package import DocumentModel
package import Glibc

/// Tells the time. Injected, so that tests can hold or turn it.
package protocol EngineClock: Sendable {
  /// The time that commits are stamped with.
  func now() -> Timestamp
  /// The time in microseconds, for what asks often and needs not know it to the millisecond.
  var coarseMicroseconds: Int64 { get }
  /// The microseconds that have passed since any moment, those that the machine slept included, by
  /// a clock that nobody sets; `nil` where there is nothing to hold ``now()`` against.
  func elapsedMicroseconds() -> Int64?
  /// Time that only grows, since any moment: what builds are measured and paced by.
  func monotonicNanoseconds() -> UInt64
  /// Blocks for so long.
  func sleep(nanoseconds: UInt64)
}

extension EngineClock {
  package var coarseMicroseconds: Int64 { now().microseconds }
  package func elapsedMicroseconds() -> Int64? { nil }
  package func monotonicNanoseconds() -> UInt64 { MonotonicClock.nanoseconds() }
  package func sleep(nanoseconds: UInt64) { MonotonicClock.sleep(nanoseconds: nanoseconds) }
}

/// The system's wall clock.
package struct SystemClock: EngineClock {
  private let elapsedClock: clockid_t

  /// - Parameter elapsedClock: the system's clock for what has passed.
  package init(elapsedClock: clockid_t = CLOCK_BOOTTIME) {
    self.elapsedClock = elapsedClock
  }

  package func now() -> Timestamp {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return time.timestamp
  }

  package var coarseMicroseconds: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME_COARSE, &time)
    return time.timestamp.microseconds
  }

  /// Returns `nil` if a sandbox or an old system lacks that clock. Then the time can't be compared
  /// with it.
  package func elapsedMicroseconds() -> Int64? {
    var time = timespec()
    guard clock_gettime(elapsedClock, &time) == 0 else { return nil }
    return time.microseconds
  }
}

extension timespec {
  /// A clock outside of the years 1 to 9999 is no clock; commit times go on from the last one.
  fileprivate var timestamp: Timestamp {
    let nanoseconds = Int32(truncatingIfNeeded: tv_nsec)
    return (try? Timestamp(seconds: Int64(tv_sec), nanoseconds: nanoseconds)) ?? .minimum
  }

  fileprivate var microseconds: Int64 {
    Int64(tv_sec) &* 1_000_000 &+ Int64(tv_nsec) / 1000
  }
}

/// Time that only grows, for how long something takes.
enum MonotonicClock {
  static func nanoseconds() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
  }

  /// May end early, when the thread is interrupted.
  static func sleep(nanoseconds: UInt64) {
    var time = timespec(
      tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
    nanosleep(&time, nil)
  }
}
