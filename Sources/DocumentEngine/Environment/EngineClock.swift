package import HearthDocumentModel
package import Glibc

/// A clock. Injected, so that tests can hold or turn it.
package protocol EngineClock: Sendable {
  /// Returns the time for commits.
  func now() -> Timestamp
  /// The time in microseconds, for callers that ask often and needn't know it to the millisecond.
  var coarseMicroseconds: Int64 { get }
  /// Returns the microseconds that have passed since some fixed moment, by a clock that is never
  /// set. They include the time that the machine slept; `nil` if there is no such clock to compare
  /// ``now()`` with.
  func elapsedMicroseconds() -> Int64?
  /// Returns a time that only grows, since some fixed moment. Builds are measured and paced by it.
  func monotonicNanoseconds() -> UInt64
  /// Blocks for a duration.
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

  /// - Parameter elapsedClock: the system's clock for elapsed time.
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
  /// The timestamp. A clock outside of the years 1 to 9999 counts as none, and commit times go on
  /// from the last one.
  fileprivate var timestamp: Timestamp {
    let nanoseconds = Int32(truncatingIfNeeded: tv_nsec)
    return (try? Timestamp(seconds: Int64(tv_sec), nanoseconds: nanoseconds)) ?? .minimum
  }

  fileprivate var microseconds: Int64 {
    Int64(tv_sec) &* 1_000_000 &+ Int64(tv_nsec) / 1000
  }
}

/// A clock that only grows, to measure durations.
enum MonotonicClock {
  static func nanoseconds() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
  }

  /// Sleeps. It may end early if the thread is interrupted.
  static func sleep(nanoseconds: UInt64) {
    var time = timespec(
      tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
    nanosleep(&time, nil)
  }
}
