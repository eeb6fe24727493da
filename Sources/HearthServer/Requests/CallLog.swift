import FoundationEssentials
import Synchronization

/// Number of queries that lacked an index.
package struct QueryRefusals: Sendable {
  package var ofCalls = 0
  /// Number of listeners' ones, whose streams go on.
  package var ofListeners = 0
}

/// The last thousand calls that a server has answered, and queries without their index from before.
package final class CallLog: Sendable {
  /// Number of calls that are kept.
  static let limit = 1_000
  /// Number of queries without their index that are kept beyond these, so that other calls don't
  /// push them out.
  static let refusalLimit = 200

  private struct State {
    /// The calls by their number modulo the limit.
    var calls: [RecordedCall] = []
    /// The latest queries without their index, the earliest first.
    var refused: [RecordedCall] = []
    /// Number of calls so far.
    var count = 0
    var refusals = QueryRefusals()
  }

  /// An id that no other log has, so that clients see that the numbers begin anew.
  package let id = String(UInt64.random(in: .min ... .max), radix: 36)

  private let state = Mutex(State())

  package init() {}

  /// Writes the end of a call.
  package func note(_ end: CallEnd) {
    let time = Int64(Date.now.timeIntervalSince1970 * 1000)
    state.withLock { state in
      let call = RecordedCall(end, number: state.count, time: time)
      if end.isRefusal {
        if state.refused.count >= CallLog.refusalLimit { state.refused.removeFirst() }
        state.refused.append(call)
        if end.duration == nil {
          state.refusals.ofListeners += 1
        } else {
          state.refusals.ofCalls += 1
        }
      }
      if state.calls.count < CallLog.limit {
        state.calls.append(call)
      } else {
        state.calls[state.count % CallLog.limit] = call
      }
      state.count += 1
    }
  }

  /// Returns the calls from a number on that are still kept, the earliest first.
  package func calls(from number: Int) -> [RecordedCall] {
    state.withLock { state in
      let kept = state.count - state.calls.count
      let early = state.refused.filter { number <= $0.number && $0.number < kept }
      let first = max(number, kept)
      guard first < state.count else { return early }
      return early + (first..<state.count).map { state.calls[$0 % CallLog.limit] }
    }
  }

  /// Number of refusals so far.
  package var refusals: QueryRefusals { state.withLock { $0.refusals } }

  /// Returns a call by its number; `nil` if it isn't kept.
  package func call(_ number: Int) -> RecordedCall? {
    state.withLock { state in
      guard number >= state.count - state.calls.count, number < state.count else {
        return state.refused.first { $0.number == number }
      }
      return state.calls[number % CallLog.limit]
    }
  }
}
