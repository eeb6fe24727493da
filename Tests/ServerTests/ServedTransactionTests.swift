import Foundation
import Hearth
import HearthDocumentModel
import HearthFirestoreJSON
import HearthProtocols
import HearthServer
import HearthServerCalls
import ServerTestClient
import SwiftProtobuf
import TestSupport
import Testing

/// Transactions and the server around them.
@Suite(.timeLimit(.minutes(5))) struct ServedTransactionTests {
  private static let root = "/v1/projects/demo-wire/databases/(default)/documents"
  private static let database = "projects/demo-wire/databases/(default)"

  private static func rollback(
    _ id: String, as credentials: String?, on server: TestServer
  ) async throws -> Int? {
    var reader = JSONMessageReader()
    let request = JSONValue.object([
      ("database", .string(database)), ("transaction", .string(id)),
    ])
    let bytes = try reader.bytes(of: request, as: "google.firestore.v1.RollbackRequest")
    let headers = credentials.map { [("authorization", $0)] } ?? []
    return try await server.client.call(
      "/google.firestore.v1.Firestore/Rollback", bytes, headers: headers
    ).status
  }

  @Test func bothProtocolsTellTheCaller() async throws {
    try await TestServer.with { server in
      let begun = try await server.send("POST", "\(Self.root):beginTransaction", "{}")
      let id = try #require(begun["transaction"]?.string)
      for other in ["Bearer stranger", RulesClient.bearer("ann")] {
        #expect(try await Self.rollback(id, as: other, on: server) == 3)
      }
      let query = id.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
      let found = try await server.send("GET", "\(Self.root)/c/none?transaction=\(query)")
      #expect(found.status == 404)
      let other = try await PlainConnection.exchange(
        "GET", "\(Self.root)/c/none?transaction=\(query)",
        headers: ["Authorization: Bearer stranger"], port: server.port)
      #expect(other.status == 400)
      #expect(try await Self.rollback(id, as: "Bearer owner", on: server) == 0)
      let late = try await server.send("GET", "\(Self.root)/c/none?transaction=\(query)")
      #expect(late.status == 409)
    }
  }

  /// A token is good for an hour, and a transaction may outlive it.
  @Test func aUserKeepsTheTransactionWithANewToken() async throws {
    func token(_ user: String, issuedAt time: Int64) -> String {
      RulesClient.bearer(.object([("sub", .string(user)), ("iat", .integer(time))]))
    }
    try await TestServer.with { server in
      let client = RulesClient(port: server.port)
      let begun = try await client.send(
        "POST", "\(Self.root):beginTransaction", "{}", as: token("ann", issuedAt: 1))
      let id = try #require(begun.json["transaction"]?.string)
      let commit = "{\"writes\": [], \"transaction\": \"\(id)\"}"
      let other = try await client.send(
        "POST", "\(Self.root):commit", commit, as: token("bob", issuedAt: 1))
      #expect(other.status == 400)
      let own = try await client.send(
        "POST", "\(Self.root):commit", commit, as: token("ann", issuedAt: 2))
      #expect(own.status == 200)
    }
  }

  @Test func anOpenOneKeepsItsDatabaseOpen() async throws {
    let folder = try TemporaryFolder()
    let places = try DatabasePlaces(.folder(folder.path(of: "data")))
    let registry = DatabaseRegistry(places, limit: 1)
    let transactions = Transactions()
    let client = TransactionClient(DocumentCalls(registry, transactions: transactions))
    _ = try await registry.database(.default, for: .writing)
    let transaction = try await client.begin { $0.readOnly = .init() }
    await registry.closeIdle()
    #expect(registry.openCount == 1)
    #expect(try await client.read("c/none", in: transaction) == nil)
    try await client.rollback(transaction)
    await registry.closeIdle()
    #expect(registry.openCount == 0)
    await registry.closeAll()
  }

  @Test func deletingADatabaseEndsItsTransactions() async throws {
    let registry = DatabaseRegistry(try DatabasePlaces(.inMemory), limit: 2)
    let transactions = Transactions()
    _ = try await registry.database(.default, for: .writing)
    let client = TransactionClient(DocumentCalls(registry, transactions: transactions))
    _ = try await client.begin()
    let administration = AdministrationCalls(registry, Operations(), transactions)
    _ = try await administration.deleteDatabase(
      .with { $0.name = TransactionClient.name }, CallContext())
    #expect(transactions.openCount == 0)
    await registry.closeAll()
  }

  @Test func aTransactionOfAClosedDatabaseIsOver() async throws {
    let database = try Database.inMemory()
    let client = TransactionClient(DocumentCalls(OneDatabase(database: database)))
    let read = try await client.begin()
    let commit = try await client.begin()
    try await database.close()
    let errors = [
      await #expect(throws: DatabaseError.self) { _ = try await client.read("c/a", in: read) },
      await #expect(throws: DatabaseError.self) { try await client.commit(commit) },
    ]
    #expect(errors.map { $0?.code } == [.aborted, .aborted])
  }

  @Test func aDatabaseThatTheOwnerRemovesEndsItsTransactions() async throws {
    try await TestServer.with { server in
      #expect(try await server.send("PATCH", "\(Self.root)/c/a", "{}").status == 200)
      let begun = try await server.send("POST", "\(Self.root):beginTransaction", "{}")
      let transaction = try #require(begun["transaction"]?.string)
      let id = try DatabaseID(project: "demo-wire", database: "(default)")
      try await server.running.removeDatabase(id)
      #expect(try await server.send("GET", "\(Self.root)/c/a").status == 404)
      _ = try await server.send("PATCH", "\(Self.root)/c/b", "{}")
      let read = try await server.send(
        "POST", "\(Self.root):batchGet",
        "{\"documents\": [], \"transaction\": \"\(transaction)\"}")
      #expect(read.status == 409)
    }
  }

  @Test func theLimitsAreThoseOfEachDatabase() async throws {
    let folder = try TemporaryFolder()
    for var served in [ServedDatabases.inMemory, .folder(folder.path(of: "data"))] {
      served.locks.transactionCount = 1
      let registry = DatabaseRegistry(try DatabasePlaces(served), limit: 1)
      do {
        let database = try await registry.database(.default, for: .writing)
        let transaction = try database.beginTransaction()
        let error = #expect(throws: DatabaseError.self) { try database.beginTransaction() }
        #expect(error?.code == .resourceExhausted)
        transaction.rollback()
      }
      await registry.closeAll()
    }
  }

  @Test func theServerHasOneLimitForAllDatabases() async throws {
    var settings = HearthServer(databases: .inMemory)
    settings.databases.locks.transactionCount = 1
    try await TestServer.with(settings) { server in
      func begin(_ project: String) async throws -> Int {
        let path = "/v1/projects/\(project)/databases/(default)/documents:beginTransaction"
        return try await server.send("POST", path, "{}").status
      }
      let first = try await begin("one")
      #expect(first == 200)
      #expect(try await begin("two") == 429)
      // Clearing is one way to end what was left open.
      let clearing = "/emulator/v1/projects/one/databases/(default)/documents"
      #expect(try await server.send("DELETE", clearing).status == 200)
      #expect(try await begin("two") == 200)
    }
  }

  /// A write that waits for a transaction isn't held up to the end of the grace period.
  @Test func theStopLetsWritersGoOn() async throws {
    var settings = HearthServer(databases: .inMemory)
    settings.databases.locks.timeout = .seconds(3600)
    settings.grace = .seconds(3600)
    let server = settings
    try await Turns.run {
      let running = try await server.start(port: 0)
      let client = try await ServerClient.connect(to: running.port)
      let test = TestServer(client: client, running: running)
      let begun = try await test.send("POST", "\(Self.root):beginTransaction", "{}")
      let id = try #require(begun["transaction"]?.string)
      let body = "{\"documents\": [\"\(Self.database)/documents/c/a\"], \"transaction\": \"\(id)\"}"
      #expect(try await test.send("POST", "\(Self.root):batchGet", body).status == 200)
      let writer = Task { try await test.send("PATCH", "\(Self.root)/c/a", "{}") }
      let database = try await running.registry.database(
        DatabaseID(project: "demo-wire"), for: .reading)
      while database.lockWaitCount == 0 { await Task.yield() }
      try await client.close()
      await running.stop()
      #expect(try await writer.value.status == 200)
    }
  }
}
