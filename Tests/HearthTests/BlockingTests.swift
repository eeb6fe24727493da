import DocumentEngine
import DocumentModel
import Foundation
import Hearth
import OrderedStore
import TestSupport
import Testing

/// The threads that awaited calls block. The limits end waits that would have no end.
@Suite struct BlockingTests {
  /// More than there are threads of one kind.
  private static let count = 300

  /// Runs `body` while more calls of `kinds` are blocked than there are threads for them.
  private func whileBlocked(
    _ kinds: [Blocking.Kind], _ body: () async throws -> Void
  ) async throws {
    let gate = DispatchSemaphore(value: 0)
    for kind in kinds {
      for _ in 0..<Self.count { Blocking.start(kind) { gate.wait() } }
    }
    defer { for _ in 0..<Self.count * kinds.count { gate.signal() } }
    try await body()
  }

  /// Fails where it takes so long that the test is cancelled.
  private func finish(_ kind: Blocking.Kind) async {
    let (ends, end) = AsyncStream.makeStream(of: Bool.self)
    Blocking.start(kind) { end.yield(true) }
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

  @Test(.timeLimit(.minutes(30)), arguments: [TaskPriority.background, .low, .high])
  func tasksWaitForNone(priority: TaskPriority) async throws {
    try await whileBlocked([.unbounded, .change]) {
      let (ends, end) = AsyncStream.makeStream(of: Bool.self)
      Task.detached(priority: priority) { end.yield(true) }
      var iterator = ends.makeAsyncIterator()
      #expect(await iterator.next() == true)
    }
  }

  /// All others may wait for it.
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

  /// Only one has its turn: those in line could otherwise take all threads that it needs.
  @Test(.timeLimit(.minutes(30)))
  func attemptsInLineTakeNoThreadOfTheOneWhoseTurnItIs() async throws {
    let gate = DispatchSemaphore(value: 0)
    for _ in 0..<Self.count {
      LoneAttempt.run(LoneAttempt()) { Blocking.start(.unbounded) { gate.wait() } }
    }
    defer { for _ in 0..<Self.count { gate.signal() } }
    let engine = try Engine(MemoryStore())
    let attempt = LoneAttempt()
    let scope = try engine.beginTransaction(alone: attempt)
    await LoneAttempt.run(attempt) { await finish(.change) }
    scope.rollback()
  }
}
