import Hearth
import TestSupport
import Testing

// The code of MigratingFromFirestore.md, word for word: DocumentationTests compares the two.

@Suite struct MigratingFromFirestoreExamples {
  func openTasks(of userID: String, in database: Database) async throws -> [DocumentSnapshot] {
    let query = try database.collection("tasks")
      .whereField("userId", isEqualTo: .string(userID))
      .whereField("done", isEqualTo: false)
      .order(by: "createdTime")
    return try await query.getDocuments().documents
  }

  func openAsProduction(at path: String) throws -> Database {
    var options = Database.Options()
    options.databaseID = try DatabaseID(project: "my-project")
    return try Database.open(at: path, options: options)
  }

  @Test func readsTheOpenTasks() async throws {
    let database = try Database.inMemory()
    let tasks = try database.collection("tasks")
    try await tasks.document("milk").setData(
      ["userId": "ada", "done": false, "createdTime": .serverTimestamp])
    try await tasks.document("bread").setData(
      ["userId": "ada", "done": true, "createdTime": .serverTimestamp])
    let missing = await missingIndex { try await openTasks(of: "ada", in: database) }
    try await database.indexes.create(#require(missing))
    #expect(try await openTasks(of: "ada", in: database).map(\.id) == ["milk"])
  }

  @Test func opensAsProduction() throws {
    let folder = try TemporaryFolder()
    let database = try openAsProduction(at: folder.path(of: "database"))
    #expect(try database.id().project == "my-project")
  }

  private func missingIndex(of body: () async throws -> [DocumentSnapshot]) async -> MissingIndex? {
    do {
      _ = try await body()
      return nil
    } catch {
      return (error as? DatabaseError)?.missingIndex
    }
  }
}
