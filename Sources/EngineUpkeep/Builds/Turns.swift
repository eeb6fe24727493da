import HearthDocumentModel
import HearthOrderedStore

/// The turns of callers that exclude each other, in the order in which they came.
final class Turns: Sendable {
  private struct State {
    var last = 0
    var current = 1
  }

  private let state = Lock(State())

  /// Waits for the caller's turn, and runs `body`.
  func take<Result>(
    _ body: () throws(DatabaseError) -> Result
  ) throws(DatabaseError) -> Result {
    let turn = state.withLock { state in
      state.last += 1
      return state.last
    }
    state.withLock(when: { $0.current == turn }) { _ in }
    defer { state.withLock { $0.current += 1 } }
    return try body()
  }
}
