package import HearthDocumentModel
import HearthOrderedStore
import Synchronization

/// A clock that doesn't at once follow another clock that is set far ahead.
///
/// Commit times ascend. So one commit by a clock that is wrong by years would keep all later ones
/// there, even after the clock is right again. If the base clock is set ahead by more than
/// ``jumpLimit``, this clock trusts it only once it has stayed there for ``probation``. Until then
/// this clock goes on from its last time by the time that passes. A jump that is corrected
/// meanwhile does no harm. A lasting one, such as the first true time of a machine that starts
/// without, is taken over a little later. A smaller jump is followed, and its effect is over when
/// the time has come.
///
/// If the base clock is set back, it is followed at once, since commit times ascend in any case. If
/// that was a mistake, a jump to the earlier time corrects it: a time that was trusted once is
/// trusted again without a probation.
///
/// A clock that is wrong when the database is opened can't be told from one that is right.
package final class SteadyClock: EngineClock {
  /// The smallest jump that is in doubt: an hour.
  package static let jumpLimit: Int64 = 3_600_000_000
  /// Time for which a jump must last: five minutes.
  package static let probation: Int64 = 300_000_000

  /// A time in microseconds, and the elapsed time at that moment.
  fileprivate struct Reading {
    var time: Int64
    var elapsed: Int64

    /// Returns the time after `elapsed` has passed.
    func time(at elapsed: Int64) -> Int64 { time &+ (elapsed &- self.elapsed) }

    /// Whether the clock arrives at `other` if it is not set meanwhile.
    func leads(to other: Reading) -> Bool {
      (other.time &- time(at: other.elapsed)).magnitude <= jumpLimit.magnitude
    }
  }

  fileprivate struct State {
    /// The last trusted reading.
    var trusted: Reading?
    /// The trusted reading that is furthest ahead.
    var furthest: Reading?
    /// The first reading after a jump.
    var doubted: Reading?
  }

  private let base: any EngineClock
  private let noteJump: @Sendable (Duration) -> Void
  private let state = Lock(State())
  /// The last microsecond that no jump can lead to. Up to there, frequent callers take no lock.
  private let undoubtedLimit = Atomic(Int64.min)

  /// - Parameter noteJump: called with the jump when `base` was set ahead too far.
  package init(_ base: any EngineClock, noteJump: @escaping @Sendable (Duration) -> Void) {
    self.base = base
    self.noteJump = noteJump
  }

  package var coarseMicroseconds: Int64 {
    let time = base.coarseMicroseconds
    if time <= undoubtedLimit.load(ordering: .relaxed) { return time }
    return held(time) ?? time
  }

  package func monotonicNanoseconds() -> UInt64 { base.monotonicNanoseconds() }
  package func sleep(nanoseconds: UInt64) { base.sleep(nanoseconds: nanoseconds) }
  package func elapsedMicroseconds() -> Int64? { base.elapsedMicroseconds() }

  package func now() -> Timestamp {
    let now = base.now()
    // A time between two valid times is valid.
    return held(now.microseconds).flatMap { try? Timestamp(microseconds: $0) } ?? now
  }

  /// Returns the time to go on with instead of `time`; `nil` if `time` is not in doubt.
  private func held(_ time: Int64) -> Int64? {
    guard let elapsed = base.elapsedMicroseconds() else { return nil }
    let reading = Reading(time: time, elapsed: elapsed)
    let (held, jump) = state.withLock { state in
      let answer = state.take(reading)
      if let trusted = state.trusted {
        undoubtedLimit.store(trusted.time &+ Self.jumpLimit, ordering: .relaxed)
      }
      return answer
    }
    if let jump { noteJump(.microseconds(jump)) }
    return held
  }
}

extension SteadyClock.State {
  /// - Returns: the time to go on with if `reading` is in doubt; and the jump, if it is new.
  fileprivate mutating func take(_ reading: SteadyClock.Reading) -> (held: Int64?, jump: Int64?) {
    let expected = trusted?.time(at: reading.elapsed) ?? reading.time
    let jump = reading.time &- expected
    guard jump > SteadyClock.jumpLimit, furthest?.leads(to: reading) != true else {
      trust(reading)
      return (nil, nil)
    }
    guard let doubted, doubted.leads(to: reading) else {
      doubted = reading
      return (expected, jump)
    }
    guard reading.elapsed &- doubted.elapsed >= SteadyClock.probation else {
      return (expected, nil)
    }
    trust(reading)
    return (nil, nil)
  }

  private mutating func trust(_ reading: SteadyClock.Reading) {
    (trusted, doubted) = (reading, nil)
    if let furthest, furthest.time(at: reading.elapsed) >= reading.time { return }
    furthest = reading
  }
}
