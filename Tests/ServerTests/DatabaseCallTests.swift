import Foundation
import Hearth
import HearthDocumentModel
import HearthFirestoreJSON
import HearthProtocols
import HearthServer
import HearthServerCalls
import TestSupport
import Testing

/// Databases made, listed and removed over the wire.
@Suite(.timeLimit(.minutes(5))) struct DatabaseCallTests {
  private static let databases = "/v1/projects/demo-wire/databases"
  private static let admin = "google.firestore.admin.v1.FirestoreAdmin"

  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static func names(on server: TestServer) async throws -> [String] {
    let answer = try await server.send("GET", databases)
    return (answer["databases"]?.elements ?? []).compactMap { $0["name"]?.string }
  }

  @Test func aDatabaseIsMadeListedAndDeleted() async throws {
    var settings = HearthServer(databases: .folder(folder.path(of: "data")))
    settings.databases.makesUnknown = false
    try await TestServer.with(settings) { server in
      #expect(try await Self.names(on: server).isEmpty)
      let path = "\(Self.databases)/other-one"
      #expect(try await server.send("GET", path).status == 404)
      let body = "{\"type\": \"FIRESTORE_NATIVE\", \"locationId\": \"nam5\"}"
      let made = try await server.send("POST", "\(Self.databases)?databaseId=other-one", body)
      #expect(made.status == 200 && made["done"] == .boolean(true))
      let again = try await server.send("POST", "\(Self.databases)?databaseId=other-one", body)
      #expect(again.status == 409)
      // It is served, although only known databases are.
      #expect(try await server.send("PATCH", "\(path)/documents/c/a", "{}").status == 200)
      #expect(
        try await server.send("PATCH", "\(Self.databases)/more/documents/c/a", "{}").status == 404)
      let name = "projects/demo-wire/databases/other-one"
      #expect(try await Self.names(on: server) == [name])
      let database = try await server.send("GET", path)
      #expect(database["name"]?.string == name)
      #expect(database["type"]?.string == "FIRESTORE_NATIVE")
      #expect(database["databaseEdition"]?.string == "STANDARD")
      let overGRPC = try await server.call(
        Self.admin, "GetDatabase", "{\"name\": \"\(name)\"}",
        answer: "google.firestore.admin.v1.Database")
      #expect(overGRPC.json == database.json)
      #expect(try await server.send("DELETE", "\(path)?etag=x").status == 400)
      let etag = try #require(database["etag"]?.string)
      let deleted = try await server.send("DELETE", "\(path)?etag=\(etag)")
      #expect(deleted["done"] == .boolean(true))
      #expect(try await server.send("GET", path).status == 404)
      #expect(try await Self.names(on: server).isEmpty)
    }
    let left = try FileManager.default.contentsOfDirectory(atPath: folder.path(of: "data"))
    #expect(left.isEmpty)
  }

  @Test func ofCallsAtOnceOneMakesADatabase() async throws {
    for place in [ServedDatabases.inMemory, .folder(folder.path(of: "data"))] {
      try await TestServer.with(HearthServer(databases: place)) { server in
        let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
          for _ in 0..<16 {
            group.addTask {
              try await server.send("POST", "\(Self.databases)?databaseId=abcd", "{}").status
            }
          }
          return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses.sorted() == [200] + Array(repeating: 409, count: 15))
      }
    }
  }

  @Test func theOperationsOfADatabaseThatStaysStay() async throws {
    let path = folder.path(of: "one")
    try await Database.open(at: path).close()
    try await TestServer.with(HearthServer(databases: .folder(path))) { server in
      let only = try #require(server.running.onlyDatabase)
      let index = """
        {"queryScope": "COLLECTION", "fields": [{"fieldPath": "a", "order": "ASCENDING"},
          {"fieldPath": "b", "order": "ASCENDING"}]}
        """
      let made = try await server.send("POST", "/v1/\(only)/collectionGroups/c/indexes", index)
      _ = try await server.ended(made)
      #expect(try await server.send("DELETE", "/v1/\(only)").status == 400)
      let operations = try await server.send("GET", "/v1/\(only)/operations")
      #expect(operations["operations"]?.elements.count == 1)
    }
  }

  @Test func aCallOnADatabaseThatIsClosedUnderItIsToBeTriedAgain() throws {
    let database = try Database.inMemory()
    let document = try database.document("c/a")
    try database.close()
    let error = try #require(
      #expect(throws: DatabaseError.self) { try document.setData(["n": 1]) })
    #expect(error.code == .failedPrecondition)
    #expect(error.forClient.code == .unavailable)
    #expect(Google_Rpc_Status(error).code == 14)
  }

  @Test func transactionsEndWithTheirDatabase() async throws {
    try await TestServer.with { server in
      let path = "\(Self.databases)/other-one"
      let documents = "\(path)/documents"
      _ = try await server.send("POST", "\(Self.databases)?databaseId=other-one", "{}")
      let begun = try await server.send("POST", "\(documents):beginTransaction", "{}")
      let transaction = try #require(begun["transaction"]?.string)
      _ = try await server.send("DELETE", path)
      _ = try await server.send("PATCH", "\(documents)/c/a", "{}")
      let read = try await server.send(
        "POST", "\(documents):batchGet",
        "{\"documents\": [], \"transaction\": \"\(transaction)\"}")
      #expect(read.status == 409)
    }
  }

  @Test func wrongDatabasesAreRefused() async throws {
    try await TestServer.with { server in
      for (id, body) in [
        ("abc", "{}"), ("Abcd", "{}"), ("abcd-", "{}"), ("1abc", "{}"), ("", "{}"),
        (String(repeating: "a", count: 64), "{}"), ("abcd", "{\"type\": \"DATASTORE_MODE\"}"),
        ("abcd", "{\"databaseEdition\": \"ENTERPRISE\"}"),
      ] {
        let answer = try await server.send("POST", "\(Self.databases)?databaseId=\(id)", body)
        #expect(answer.status == 400)
      }
      #expect(try await Self.names(on: server).isEmpty)
      #expect(try await server.send("DELETE", "\(Self.databases)/abcd").status == 404)
      for id in ["(default)", "abcd"] {
        let made = try await server.send("POST", "\(Self.databases)?databaseId=\(id)")
        #expect(made.status == 200)
      }
      #expect(try await Self.names(on: server).count == 2)
    }
  }

  @Test func theDatabaseOfAFolderOfItsOwnStays() async throws {
    let path = folder.path(of: "data")
    try await TestServer.with(HearthServer(databases: .folder(path))) { server in
      _ = try await server.send("POST", "\(Self.databases)?databaseId=(default)")
    }
    let own = HearthServer(databases: .folder("\(path)/demo-wire/(default)"))
    try await TestServer.with(own) { server in
      #expect(try await Self.names(on: server).count == 1)
      #expect(try await server.send("DELETE", "\(Self.databases)/(default)").status == 400)
      #expect(try await Self.names(on: server).count == 1)
      let other = try await server.send("POST", "\(Self.databases)?databaseId=abcd")
      #expect(other.status == 404)
    }
  }
}
