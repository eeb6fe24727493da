import Foundation
import Testing

/// Every call that may wait for the disk exists twice, as the pages say.
@Suite struct AsynchronousFormsTests {
  /// Calls that wait for nothing: they make a value, or note a write for a commit.
  private static let waitless: [String: Set<String>] = [
    "CollectionReference": ["document"],
    "Database": ["beginTransaction", "collection", "collectionGroup", "document", "inMemory"],
    "DocumentReference": ["collection", "encode", "name", "wrap"],
    "IndexAdministration": ["setPace"],
    "QueryBuilding": ["end", "findNearest", "order", "select", "start", "whereField"],
    "Transaction": ["create", "delete", "set", "setData", "update", "updateData", "verify"],
    "TypedCollection": ["document"],
    "TypedQueryBuilding": ["end", "order", "start", "where"],
    "WriteBatch": ["create", "set", "setData", "update"],
  ]

  private struct Call: Hashable, Comparable, CustomStringConvertible {
    let owner: String
    let name: String

    var description: String { "\(owner).\(name)" }

    static func < (left: Call, right: Call) -> Bool { left.description < right.description }
  }

  private let asynchronous: Set<Call>
  private let synchronous: Set<Call>

  init() throws {
    let sources = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
      .appending(path: "Sources/Hearth")
    var (asynchronous, synchronous): (Set<Call>, Set<Call>) = ([], [])
    for declaration in try PublicDeclarations(folders: [sources]).declarations {
      let call = Call(owner: declaration.owner, name: declaration.name)
      if declaration.effects.contains("async") {
        asynchronous.insert(call)
      } else if declaration.effects.contains("throws") {
        synchronous.insert(call)
      }
    }
    // A type without asynchronous calls doesn't reach a database.
    let owners = Set(asynchronous.map(\.owner))
    self.asynchronous = asynchronous
    self.synchronous = synchronous.filter { owners.contains($0.owner) }
  }

  @Test func everyCallThatMayWaitHasOne() {
    #expect(synchronous.contains(Call(owner: "Database", name: "close")))
    #expect(asynchronous.count > 40)
    let lacking = synchronous.subtracting(asynchronous).filter {
      AsynchronousFormsTests.waitless[$0.owner]?.contains($0.name) != true
    }
    #expect(lacking.sorted() == [])
  }

  /// The list of exceptions holds no more than it must.
  @Test func theExceptionsAreNoMoreThanNeeded() {
    let exceptions = AsynchronousFormsTests.waitless.flatMap { owner, names in
      names.map { Call(owner: owner, name: $0) }
    }
    let needless = exceptions.filter { asynchronous.contains($0) || !synchronous.contains($0) }
    #expect(needless.sorted() == [])
  }
}
