import Foundation
import Hearth
import HearthDocumentModel
import HearthProtocols
import HearthServer
import HearthServerCalls
import SwiftProtobuf
import Testing

/// Listeners whose queries lack an index that the server creates.
@Suite(.timeLimit(.minutes(5))) struct MissingIndexListenTests {
  private let database: Database
  /// Opens when a test lets the builds go on.
  private let gate = DispatchSemaphore(value: 0)

  init() throws {
    database = try Database.inMemory()
    try database.commit([
      .set(ResourcePath("c/x"), MapValue([("a", .integer(1)), ("b", .integer(1))]))
    ])
  }

  private func listener(_ failure: DatabaseError? = nil) -> DirectListener {
    let creation = IndexCreation(
      OneDatabase(database: database),
      record: { [gate] _, _ throws(DatabaseError) in
        // It stays open for those who come later.
        gate.wait()
        gate.signal()
        if let failure { throw failure }
      }, note: { _, _, _ in }, noteRefusal: { _ in })
    return DirectListener(to: database, creating: creation)
  }

  /// Adds a query that needs a composite index.
  private func addQuery(_ id: Int32, to listener: DirectListener) {
    listener.send {
      $0.add(id, collection: "c") { target in
        for field in ["a", "b"] {
          target.query.structuredQuery.orderBy.append(.with { $0.field.fieldPath = field })
        }
      }
    }
  }

  private func form(_ response: DirectListener.Response) -> String {
    switch response.responseType {
    case .documentChange(let change)?:
      "change \(change.document.name.split(separator: "/").last ?? "") \(change.targetIds)"
    case .targetChange(let change)?: "\(change.targetChangeType) \(change.targetIds)"
    default: "other"
    }
  }

  private static func snapshot(_ id: Int32, _ changes: [String]) -> [String] {
    changes + ["current [\(id)]", "noChange []"]
  }

  @Test func otherTargetsGoOnMeanwhile() async throws {
    let listener = listener()
    addQuery(2, to: listener)
    #expect(await listener.next().map(form) == "add [2]")
    listener.send { $0.add(4, collection: "d") }
    #expect(await listener.snapshot().map(form) == Self.snapshot(4, ["add [4]"]))
    try await database.commit([.set(ResourcePath("d/y"), MapValue())])
    #expect(await listener.snapshot().map(form) == ["change y [4]", "noChange []"])
    // The id is taken.
    addQuery(2, to: listener)
    let refusal = try #require(await listener.next()).targetChange
    #expect(refusal.cause.code == 6)
    gate.signal()
    #expect(await listener.snapshot().map(form) == Self.snapshot(2, ["change x [2]"]))
    try await database.commit([.delete(ResourcePath("c/x"))])
    #expect(await listener.snapshot().map(form) == ["other", "noChange []"])
    #expect(await listener.end() == nil)
  }

  @Test func aBuildThatFailsEndsItsTarget() async throws {
    let listener = listener(DatabaseError(.unavailable, "The file can't be written."))
    gate.signal()
    addQuery(2, to: listener)
    #expect(await listener.next().map(form) == "add [2]")
    let removal = try #require(await listener.next()).targetChange
    #expect(removal.targetChangeType == .remove && removal.targetIds == [2])
    #expect(removal.cause.code == 9)
    #expect(removal.cause.message.contains("requires an index"))
    // It can be added again.
    addQuery(2, to: listener)
    #expect(await listener.next().map(form) == "add [2]")
    _ = await listener.next()
    #expect(await listener.end() == nil)
  }

  @Test func aTargetThatIsRemovedMeanwhileIsNotAdded() async throws {
    let listener = listener()
    addQuery(2, to: listener)
    #expect(await listener.next().map(form) == "add [2]")
    listener.send { $0.removeTarget = 2 }
    #expect(await listener.next().map(form) == "remove [2]")
    addQuery(2, to: listener)
    #expect(await listener.next().map(form) == "add [2]")
    gate.signal()
    // Only the later of the two is told.
    #expect(await listener.snapshot().map(form) == Self.snapshot(2, ["change x [2]"]))
    listener.send { $0.add(4, collection: "d") }
    #expect(await listener.snapshot().map(form) == Self.snapshot(4, ["add [4]"]))
    #expect(await listener.end() == nil)
  }
}
