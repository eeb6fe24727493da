import Dispatch
import Synchronization

/// Operations that arrive at a rate, whether or not the earlier ones are done. They arrive like
/// requests of many users, each independent of the others (a Poisson process).
///
/// Only one worker waits for the next arrival; the others wait for their turn. A worker that waits
/// to the nanosecond takes all of a processor.
final class Arrivals: Sendable {
  struct Arrival {
    let number: Int
    /// Time at which the operation should begin, in nanoseconds after the beginning of the load.
    let time: Int64
  }

  private struct State {
    var random: SplitMix
    var next: Arrival
  }

  /// Nanoseconds by which a sleep may end too late. The rest of a wait is spent awake.
  private static let slack: Int64 = 150_000
  /// The longest sleep, in nanoseconds. It is short, so that a stopped load ends soon.
  private static let longestSleep: Int64 = 20_000_000

  /// Mean time between two arrivals, in nanoseconds.
  private let meanGap: Double
  private let limits: LoadLimits
  private let stop: StopFlag
  private let state: Mutex<State>

  /// - Parameter rate: arrivals a second.
  init(rate: Double, limits: LoadLimits, seed: UInt64, stop: StopFlag) {
    meanGap = 1e9 / rate
    self.limits = limits
    self.stop = stop
    var random = SplitMix(seed: seed)
    let first = Arrival(number: 0, time: Int64(meanGap * random.nextExponential()))
    state = Mutex(State(random: random, next: first))
  }

  /// Waits for the next arrival; `nil` if there is none, or none in time.
  ///
  /// - Parameter start: the time when the load began, by the clock.
  func next(since start: Int64) -> Arrival? {
    state.withLock { state in
      let arrival = state.next
      guard limits.allow(operation: arrival.number, after: arrival.time) else { return nil }
      while true {
        let elapsed = MonotonicClock.nanoseconds - start
        if stop.isSet || !limits.allow(operation: arrival.number, after: elapsed) { return nil }
        if arrival.time <= elapsed { break }
        Arrivals.wait(atMost: arrival.time - elapsed)
      }
      advance(&state)
      return arrival
    }
  }

  /// Calls `body` with each arrival that no worker has taken.
  func forEachLeft(_ body: (Arrival) -> Void) {
    state.withLock { state in
      while limits.allow(operation: state.next.number, after: state.next.time) {
        body(state.next)
        advance(&state)
      }
    }
  }

  private func advance(_ state: inout State) {
    let gap = Int64(meanGap * state.random.nextExponential())
    state.next = Arrival(number: state.next.number + 1, time: state.next.time + gap)
  }

  private static func wait(atMost nanoseconds: Int64) {
    guard nanoseconds > slack else { return }
    let sleep = Int(min(nanoseconds - slack, longestSleep))
    _ = DispatchSemaphore(value: 0).wait(timeout: .now() + .nanoseconds(sleep))
  }
}

/// A flag that tells workers to end.
final class StopFlag: Sendable {
  private let flag = Atomic(false)

  var isSet: Bool { flag.load(ordering: .relaxed) }

  func set() { flag.store(true, ordering: .relaxed) }
}

extension SplitMix {
  /// Returns a random number of the exponential distribution with mean 1.
  fileprivate mutating func nextExponential() -> Double {
    // Above 0, so that it has a logarithm.
    let uniform = Double((next() >> 11) + 1) * 0x1p-53
    return -NaturalLogarithm.of(uniform)
  }
}
