import HearthDocumentEngine
import HearthDocumentModel
import HearthEngineUpkeep
import Foundation
import Hearth
import HearthOrderedStore
import TestSupport
import Testing

/// The threads that awaited calls block. The limits end waits that would have no end.
@Suite struct BlockingTests {
  /// More than there are threads of one kind.
  private static let count = 300

  /// Runs `body` while more calls of `kinds` are blocked than there are threads for them.
  ///
  /// - Parameter areInLine: whether each belongs to a last attempt whose turn hasn't come.
  private func whileBlocked(
    _ kinds: [Blocking.Kind], areInLine: Bool = false, _ body: () async throws -> Void
  ) async throws {
    let gate = DispatchSemaphore(value: 0)
    for kind in kinds {
      for _ in 0..<Self.count {
        LoneAttempt.run(areInLine ? LoneAttempt() : nil) {
          Blocking.start(kind) { gate.wait() }
        }
      }
    }
    defer { for _ in 0..<Self.count * kinds.count { gate.signal() } }
    try await body()
  }

  private func finish(_ kind: Blocking.Kind) async {
    await waitForEnd { end in Blocking.start(kind, end) }
  }

  /// Waits until what `start` begins has called the closure; fails if the test is cancelled before.
  private func waitForEnd(of start: (@escaping @Sendable () -> Void) -> Void) async {
    let (ends, end) = AsyncStream.makeStream(of: Bool.self)
    start { end.yield(true) }
    var iterator = ends.makeAsyncIterator()
    #expect(await iterator.next() == true)
  }

  @Test(.timeLimit(.minutes(30)))
  func noKindWaitsForThoseThatMayTakeLonger() async throws {
    try await whileBlocked([.unbounded]) { await finish(.change) }
    try await whileBlocked([.unbounded, .change]) {
      await finish(.read)
      await finish(.ending)
    }
  }

  /// The calls of transactions with locks wait for each other.
  @Test(.timeLimit(.minutes(30)))
  func endingsWaitForNone() async throws {
    try await whileBlocked([.ending, .change]) { await finish(.ending) }
  }

  @Test(.timeLimit(.minutes(30)), arguments: [TaskPriority.background, .low, .high])
  func tasksWaitForNone(priority: TaskPriority) async throws {
    try await whileBlocked([.unbounded, .change]) {
      await waitForEnd { end in Task.detached(priority: priority) { end() } }
    }
  }

  /// All other calls may wait for it.
  @Test(.timeLimit(.minutes(30)))
  func anAttemptWhoseTurnHasComeWaitsForNone() async throws {
    let engine = try Engine(MemoryStore())
    let attempt = LoneAttempt()
    let scope = try engine.beginTransaction(alone: attempt)
    try await whileBlocked([.unbounded, .change]) {
      await LoneAttempt.run(attempt) { await finish(.change) }
    }
    scope.rollback()
  }

  /// Only one attempt has its turn: those in line could otherwise take all threads that it needs.
  @Test(.timeLimit(.minutes(30)))
  func attemptsInLineTakeNoThreadOfTheOneWhoseTurnItIs() async throws {
    let engine = try Engine(MemoryStore())
    let attempt = LoneAttempt()
    let scope = try engine.beginTransaction(alone: attempt)
    try await whileBlocked([.unbounded], areInLine: true) {
      await LoneAttempt.run(attempt) { await finish(.change) }
    }
    scope.rollback()
  }
}
