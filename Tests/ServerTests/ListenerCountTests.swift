import Foundation
import Hearth
import HearthProtocols
import HearthServerCalls
import SwiftProtobuf
import Testing

/// The limit of the queries and documents to which all streams listen together.
@Suite(.timeLimit(.minutes(5))) struct ListenerCountTests {
  private let database: Database
  private let count = ListenerCount(limit: 3)

  init() throws { database = try Database.inMemory() }

  private func listener() -> DirectListener { DirectListener(to: database, sharing: count) }

  /// Adds a target, and returns the code with which it is refused; `nil` if it has its result.
  private func code(
    of listener: DirectListener, adding change: (inout DirectListener.Request) -> Void
  ) async throws -> Int32? {
    listener.send(change)
    while let message = await listener.next() {
      if message.isSnapshot { return nil }
      if message.targetChange.hasCause { return message.targetChange.cause.code }
    }
    throw CancellationError()
  }

  private func remove(_ id: Int32, from listener: DirectListener) async throws {
    listener.send { $0.removeTarget = id }
    let message = try #require(await listener.next())
    #expect(message.targetChange.targetChangeType == .remove)
  }

  @Test func theStreamsOfAServerHaveOneLimit() async throws {
    let (first, second) = (listener(), listener())
    #expect(try await code(of: first) { $0.add(2, collection: "c") } == nil)
    let documents = ["a", "b"].map { "\(DirectListener.database)/documents/c/\($0)" }
    let two = try await code(of: second) {
      $0.addTarget.targetID = 2
      $0.addTarget.documents.documents = documents
    }
    #expect(two == nil)
    #expect(try await code(of: second) { $0.add(4, collection: "d") } == 8)
    // The stream and its other target go on.
    try await remove(2, from: second)
    #expect(try await code(of: second) { $0.add(4, collection: "d") } == nil)
    #expect(try await code(of: second) { $0.add(6, collection: "e") } == nil)
    #expect(try await code(of: second) { $0.add(8, collection: "f") } == 8)
    #expect(await first.end() == nil)
    #expect(try await code(of: second) { $0.add(8, collection: "f") } == nil)
    #expect(await second.end() == nil)
  }

  // MARK: Places that are given back

  /// Waits until a stream has done what it was asked for, and checks that another one may have all
  /// places.
  private func expectNoPlaceIsTaken(by listener: DirectListener) async throws {
    let refused = try await code(of: listener) {
      $0.add(9, collection: "c") { $0.resumeToken = Data([1]) }
    }
    #expect(refused == 3)
    let other = self.listener()
    for id in 1...3 as ClosedRange<Int32> {
      #expect(try await code(of: other) { $0.add(id, collection: "c") } == nil)
    }
    #expect(try await code(of: other) { $0.add(4, collection: "c") } == 8)
    #expect(await other.end() == nil)
    #expect(await listener.end() == nil)
  }

  @Test func aTargetThatIsRemovedGivesItsPlaceBack() async throws {
    let listener = listener()
    #expect(try await code(of: listener) { $0.add(2, collection: "c") } == nil)
    try await remove(2, from: listener)
    try await expectNoPlaceIsTaken(by: listener)
  }

  @Test func aRefusedTargetTakesNoPlace() async throws {
    let listener = listener()
    let missingIndex = try await code(of: listener) {
      $0.add(2, collection: "c") { target in
        for field in ["a", "b"] {
          target.query.structuredQuery.orderBy.append(.with { $0.field.fieldPath = field })
        }
      }
    }
    #expect(missingIndex == 9)
    try await expectNoPlaceIsTaken(by: listener)
  }

  @Test func aTargetOfOneResultGivesItsPlaceBack() async throws {
    let listener = listener()
    #expect(try await code(of: listener) { $0.add(2, collection: "c") { $0.once = true } } == nil)
    let message = try #require(await listener.next())
    #expect(message.targetChange.targetChangeType == .remove)
    try await expectNoPlaceIsTaken(by: listener)
  }
}
