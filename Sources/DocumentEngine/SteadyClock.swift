package import DocumentModel
import OrderedStore
import Synchronization

/// A clock that doesn't follow another one at once when that is set far ahead.
///
/// Commit times ascend. So one commit by a clock that is wrong by years would keep all later ones
/// there, after the clock is right again. A clock that was set ahead by more than ``jumpLimit`` is
/// believed only once it has stayed there for ``probation``; until then this one goes on from
/// where it was, by the time that passes. What is corrected meanwhile does no harm, and what stays,
/// such as the first true time of a machine that starts without, is taken over a little later. A
/// smaller jump is followed, and what it does is over when the time has come.
///
/// A clock that is set back is followed at once, since commit times ascend whatever it says. If
/// that was the mistake, it is put right by a jump to where it was before: what was believed once
/// is believed again, without a probation.
///
/// A clock that is wrong from the open on can't be told from one that is right.
package final class SteadyClock: EngineClock {
  /// An hour.
  package static let jumpLimit: Int64 = 3_600_000_000
  /// Five minutes.
  package static let probation: Int64 = 300_000_000

  /// A time in microseconds, and what had passed then.
  fileprivate struct Reading {
    var time: Int64
    var elapsed: Int64

    /// What the time is when so much has passed.
    func time(at elapsed: Int64) -> Int64 { time &+ (elapsed &- self.elapsed) }

    /// Whether `other` is where the clock is then if it is not set meanwhile.
    func leads(to other: Reading) -> Bool {
      (other.time &- time(at: other.elapsed)).magnitude <= jumpLimit.magnitude
    }
  }

  fileprivate struct State {
    /// The last one that was believed.
    var trusted: Reading?
    /// The one that is furthest ahead of all that were.
    var furthest: Reading?
    /// The first one behind a jump.
    var doubted: Reading?
  }

  private let base: any EngineClock
  private let noteJump: @Sendable (Duration) -> Void
  private let state = Lock(State())
  /// The last microsecond that no jump can lead to: what asks often takes no lock up to there.
  private let undoubtedLimit = Atomic(Int64.min)

  /// - Parameter noteJump: is told when `base` was set ahead too far, and by how much.
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
    // A time between two that there are is one.
    return held(now.microseconds).flatMap { try? Timestamp(microseconds: $0) } ?? now
  }

  /// The time to go on with instead of `time`, if that is in doubt.
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
  /// - Returns: the time to go on with, if `reading` is in doubt; and by how much it was set ahead,
  ///   if that is new.
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
