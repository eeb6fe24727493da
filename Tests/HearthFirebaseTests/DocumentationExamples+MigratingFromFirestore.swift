import Foundation
import Hearth
import HearthFirebase
import Testing

// The code of MigratingFromFirestore.md that is written for Firebase, word for word:
// DocumentationTests compares the two.

@Suite struct MigratingFromFirestoreExamples {
  func start(at folder: String) throws {
    try Firestore.configure(at: folder)
  }

  func startWithIndexes(at folder: String) throws {
    let database = try Firestore.configure(at: folder)
    try createIndexes(of: database)
  }

  func createIndexes(of database: Database) throws {
    let byTime = IndexDefinition(
      "tasks",
      [
        IndexColumn(try Hearth.FieldPath("userId"), .ascending),
        IndexColumn(try Hearth.FieldPath("createdTime"), .ascending),
      ])
    if try !database.indexes.list().map(\.definition).contains(byTime) {
      try database.indexes.create(byTime)
    }
  }

  func addTask(_ title: String, for userID: String, in firestore: Firestore) async throws -> Int {
    let tasks = firestore.collection("tasks")
    try await tasks.addDocument(data: [
      "title": title, "userId": userID, "createdTime": FieldValue.serverTimestamp(),
    ])
    let query = tasks.whereField("userId", isEqualTo: userID).order(by: "createdTime")
    return try await query.getDocuments().count
  }

  @Test func addsATask() async throws {
    let database = try Database.inMemory()
    let firestore = Firestore(database)
    do {
      _ = try await addTask("Milk", for: "ada", in: firestore)
      Issue.record("The query ran without its index.")
    } catch {
      let text = error.localizedDescription
      #expect(text.hasPrefix("The query requires an index. You can create it here: https://"))
      #expect(text.contains("\nOr create it here: hearth index create tasks userId:asc"))
      #expect(!text.contains("--db"), "It has no folder.")
    }
    try inBackground { try createIndexes(of: database) }
    #expect(try await addTask("Bread", for: "ada", in: firestore) == 2)
    // A second start finds the index.
    try inBackground { try createIndexes(of: database) }
  }

  /// With the names that tell both modules' wrappers apart.
  @Test func bothModulesHaveWrappers() async throws {
    struct Task: Codable {
      @HearthFirebase.DocumentID var id: String?
      @HearthFirebase.ServerTimestamp var createdTime: HearthFirebase.Timestamp?
    }
    let document = Firestore(try Database.inMemory()).document("tasks/milk")
    try document.setData(from: Task())
    let task = try await document.getDocument(as: Task.self)
    #expect(task.id == "milk" && task.createdTime != nil)
  }

  /// Makes calls in a context without `await`.
  private func inBackground(_ body: () throws -> Void) throws { try body() }
}
