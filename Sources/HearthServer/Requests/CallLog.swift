import FoundationEssentials
import Synchronization

/// Number of queries that lacked an index.
package struct QueryRefusals: Sendable {
  package var ofCalls = 0
  /// Number of listeners' ones, whose streams go on.
  package var ofListeners = 0
}

/// The last thousand calls that a server has answered.
package final class CallLog: Sendable {
  /// Number of calls that are kept.
  static let limit = 1_000

  private struct State {
    /// The calls by their number modulo the limit.
    var calls: [RecordedCall] = []
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
      let first = max(number, state.count - state.calls.count)
      guard first < state.count else { return [] }
      return (first..<state.count).map { state.calls[$0 % CallLog.limit] }
    }
  }

  /// Number of refusals so far.
  package var refusals: QueryRefusals { state.withLock { $0.refusals } }

  /// Returns a call by its number; `nil` if it isn't kept.
  package func call(_ number: Int) -> RecordedCall? {
    state.withLock { state in
      guard number >= state.count - state.calls.count, number < state.count else { return nil }
      return state.calls[number % CallLog.limit]
    }
  }
}
