import Foundation
import Hearth
import TestSupport
import Testing

// The code of Tutorial.md, word for word: DocumentationTests compares the two.

struct TodoItem: Codable, Sendable {
  @DocumentID var id: String?
  var title: String
  var userID: String
  var isDone = false
  @ServerTimestamp var createdTime: Date?
}

struct TodoRepository: Sendable {
  let database: Database
  let items: CollectionReference

  init(_ database: Database) throws {
    self.database = database
    items = try database.collection("items")
  }

  func add(_ title: String, for userID: String) throws -> DocumentReference {
    try items.addDocument(from: TodoItem(title: title, userID: userID))
  }

  func setDone(_ isDone: Bool, of id: String) throws {
    try items.document(id).updateData(["isDone": .boolean(isDone)])
  }

  func remove(_ id: String) throws {
    try items.document(id).delete()
  }

  func query(for userID: String) throws -> Query {
    try items.whereField("userID", isEqualTo: .string(userID)).order(by: "createdTime")
  }

  func list(for userID: String) throws -> [TodoItem] {
    try query(for: userID).getDocuments().documents(as: TodoItem.self)
  }
}

func firstTry(at path: String) throws -> [TodoItem] {
  let repository = try TodoRepository(Database.open(at: path))
  _ = try repository.add("Buy milk", for: "ada")
  return try repository.list(for: "ada")
}

extension TodoRepository {
  static func indexes() throws -> [IndexDefinition] {
    [
      IndexDefinition(
        "items",
        [
          IndexColumn(try FieldPath("userID"), .ascending),
          IndexColumn(try FieldPath("createdTime"), .ascending),
        ])
    ]
  }

  func createIndexes() throws {
    let present = try database.indexes.list().map(\.definition)
    for index in try TodoRepository.indexes() where !present.contains(index) {
      try database.indexes.create(index)
    }
  }
}

extension TodoRepository {
  func changes(for userID: String, show: ([TodoItem]) -> Bool) async throws {
    for try await snapshot in try query(for: userID).snapshots {
      guard show(try snapshot.documents(as: TodoItem.self)) else { return }
    }
  }
}

extension TodoRepository {
  func removeDone(of userID: String) throws -> Int {
    let done = try items.whereField("userID", isEqualTo: .string(userID))
      .whereField("isDone", isEqualTo: true)
    return try database.runTransaction { transaction in
      let found = try transaction.getDocuments(done).documents
      for item in found { try transaction.delete(item.reference) }
      return found.count
    }
  }
}

@Test func aUserHasOnlyTheirOwnTasks() throws {
  let repository = try TodoRepository(Database.inMemory())
  try repository.createIndexes()
  let milk = try repository.add("Buy milk", for: "ada")
  _ = try repository.add("Sleep", for: "bob")
  #expect(try repository.list(for: "ada").map(\.title) == ["Buy milk"])

  try repository.setDone(true, of: milk.id)
  #expect(try repository.removeDone(of: "ada") == 1)
  #expect(try repository.list(for: "ada").isEmpty)
  #expect(try repository.list(for: "bob").count == 1)
}

@Suite struct TutorialExamples {
  @Test func theFirstTryIsRefused() throws {
    let folder = try TemporaryFolder()
    let error = failure { _ = try firstTry(at: folder.path(of: "todo")) }
    #expect(
      error?.message.hasPrefix("The query requires an index. You can create it here: ") == true)
    #expect(try error?.missingIndex?.index == TodoRepository.indexes().first)
  }

  @Test func createsTheIndexesOnce() throws {
    let repository = try TodoRepository(Database.inMemory())
    try repository.createIndexes()
    try repository.createIndexes()
    #expect(try repository.database.indexes.list().count == 1)
  }

  @Test func showsTheChanges() async throws {
    let repository = try TodoRepository(Database.inMemory())
    try inBackground { try repository.createIndexes() }
    var seen: [[String]] = []
    try await repository.changes(for: "ada") { items in
      seen.append(items.map(\.title))
      if items.isEmpty { try? inBackground { _ = try repository.add("Buy milk", for: "ada") } }
      return items.isEmpty
    }
    #expect(seen == [[], ["Buy milk"]])
  }

  /// Makes calls in a context without `await`.
  private func inBackground(_ body: () throws -> Void) throws { try body() }
}
