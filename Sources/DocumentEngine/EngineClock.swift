package import DocumentModel
import Glibc

/// Tells the time that commits are stamped with. Injected, so that tests can hold or turn it.
package protocol EngineClock: Sendable {
  func now() -> Timestamp
}

/// The system's wall clock.
package struct SystemClock: EngineClock {
  package init() {}

  package func now() -> Timestamp {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    let seconds = Int64(time.tv_sec)
    let stamp = try? Timestamp(
      seconds: seconds, nanoseconds: Int32(truncatingIfNeeded: time.tv_nsec))
    // A clock outside of the years 1 to 9999 is no clock; commit times go on from the last one.
    return stamp ?? .minimum
  }
}

/// Time that only grows, for how long something takes.
enum MonotonicClock {
  static func nanoseconds() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
  }
}
