import Foundation
import Hearth
import HearthDocumentModel
import HearthFirestoreJSON
import HearthServer
import HearthServerCalls
import ServerTestClient
import Synchronization
import TestSupport
import Testing

/// Indexes that the server creates for refused queries.
@Suite(.timeLimit(.minutes(5))) struct MissingIndexTests {
  private static func documents(_ project: String) -> String {
    "/v1/projects/\(project)/databases/(default)/documents"
  }

  private static func query(_ body: String) -> String {
    "{\"structuredQuery\": {\"from\": [{\"collectionId\": \"c\"}], \(body)}}"
  }

  private static let composite = query(
    """
    "where": {"fieldFilter": {
      "field": {"fieldPath": "a"}, "op": "EQUAL", "value": {"integerValue": "1"}}},
    "orderBy": [{"field": {"fieldPath": "b"}}]
    """)
  private static let group = """
    {"structuredQuery": {"from": [{"collectionId": "c", "allDescendants": true}],
      "orderBy": [{"field": {"fieldPath": "a"}}]}}
    """

  private let folder: TemporaryFolder
  private var path: String { folder.path(of: "firestore.indexes.json") }

  init() throws { folder = try TemporaryFolder() }

  private func file() throws -> IndexFile {
    try IndexFile(text: String(contentsOfFile: path, encoding: .utf8))
  }

  private func settings(_ events: EventList = EventList()) -> HearthServer {
    var settings = HearthServer(databases: .inMemory)
    settings.databases.missingIndexes = .created(file: path)
    settings.note = events.add
    return settings
  }

  @Test func theQueryIsAnsweredAndTheIndexWritten() async throws {
    let events = EventList()
    try await TestServer.with(settings(events)) { server in
      let document =
        "{\"fields\": {\"a\": {\"integerValue\": \"1\"}, \"b\": {\"nullValue\": null}}}"
      _ = try await server.send("PATCH", "\(Self.documents("one"))/c/x", document)
      let answer = try await server.send(
        "POST", "\(Self.documents("one")):runQuery", Self.composite)
      #expect(answer.status == 200)
      #expect(answer.json.elements.first?["document"] != nil)
      #expect(try file().composites.count == 1)
      let ofGroup = try await server.send(
        "POST", "\(Self.documents("one")):runQuery", Self.group)
      #expect(ofGroup.status == 200)
    }
    let override = try #require(try file().overrides.first)
    #expect(override.indexes.count == 4)
    #expect(events.kinds.contains("building") && events.kinds.count { $0 == "built" } == 2)
    #expect(!events.kinds.contains("refused"))
    // All databases of the next server have the indexes at once.
    let later = EventList()
    try await TestServer.with(settings(later)) { server in
      for query in [Self.composite, Self.group] {
        let answer = try await server.send("POST", "\(Self.documents("two")):runQuery", query)
        #expect(answer.status == 200)
      }
    }
    #expect(!later.kinds.contains("built"))
  }

  @Test func aListenerIsAnsweredToo() async throws {
    try await TestServer.with(settings()) { server in
      let stream = try await server.client.openCall("/google.firestore.v1.Firestore/Listen")
      let parent = "projects/one/databases/(default)"
      let target =
        "{\"database\": \"\(parent)\", \"addTarget\": {\"targetId\": 2, \"query\": {"
        + "\"parent\": \"\(parent)/documents\", \(Self.composite.dropFirst())}}"
      var reader = JSONMessageReader()
      let request = try JSONValue(parsing: Array(target.utf8))
      try await stream.send(
        message: reader.bytes(of: request, as: "google.firestore.v1.ListenRequest"))
      var messages = ClientMessages(of: stream)
      var types: [String?] = []
      while types.count < 3, types.last != "REMOVE", let bytes = await messages.next() {
        let response = JSONMessageWriter().json(of: bytes, as: "google.firestore.v1.ListenResponse")
        types.append(response["targetChange"]?["targetChangeType"]?.string)
      }
      #expect(types == ["ADD", "CURRENT", nil])
      try await stream.reset()
    }
  }

  @Test func theCallThatCanNotWaitIsRefusedAndTheBuildGoesOn() async throws {
    let registry = DatabaseRegistry(try DatabasePlaces(.inMemory), limit: 10)
    let database = try await registry.database(.default, for: .writing)
    let query = try database.collection("c").whereField("a", isEqualTo: 1).order(by: "b")
    let error = try await #require(
      #expect(throws: DatabaseError.self) { _ = try await query.getDocuments() })
    let requested = RequestedQuery(.documents(query.structuredQuery), in: .default)
    let refusal = try #require(Refusal(requested, error))
    let gate = DispatchSemaphore(value: 0)
    let refused = Atomic(0)
    let creation = IndexCreation(
      registry, record: { _, _ in gate.wait() }, note: { _, _, _ in },
      noteRefusal: { _ in refused.add(1, ordering: .relaxed) })
    let hasNoTime = CallContext(deadline: .now)
    #expect(await !creation.create(for: refusal, hasNoTime))
    #expect(refused.load(ordering: .relaxed) == 1)
    gate.signal()
    #expect(await creation.create(for: refusal, CallContext()))
    #expect(try await query.getDocuments().isEmpty)
    await registry.closeAll()
  }

  @Test func theFileStopsAtTheLimit() throws {
    func index(_ number: Int) throws -> IndexDefinition {
      IndexDefinition(
        "c", try ["x\(number)", "y"].map { IndexColumn(try FieldPath($0), .ascending) })
    }
    let limit = Limits.compositeIndexesPerDatabase
    var served = ServedDatabases.inMemory
    served.indexes = IndexFile(composites: try (1..<limit).map(index))
    served.missingIndexes = .created(file: path)
    let indexes = try SharedIndexes(served)
    try indexes.add(try index(limit), beside: [])
    let error = #expect(throws: DatabaseError.self) {
      try indexes.add(try index(limit + 1), beside: [])
    }
    #expect(error?.code == .resourceExhausted)
    // One that is there already is no further one.
    try indexes.add(try index(1), beside: [])
    #expect(try file().composites.count == limit)
  }

  private static func override(_ number: Int) throws -> FieldIndexes {
    FieldIndexes(
      collectionGroup: "c", field: try FieldPath("x\(number)"),
      indexes: [SingleFieldIndex(.ascending, scope: .collection)])
  }

  private static func ofGroup(_ number: Int) throws -> IndexDefinition {
    IndexDefinition(
      "c", try [FieldPath("x\(number)"), .documentID].map { IndexColumn($0, .descending) },
      scope: .collectionGroup)
  }

  @Test func theFieldsOfTheFileStopAtTheLimit() throws {
    let limit = IndexCreation.fieldLimit
    var served = ServedDatabases.inMemory
    served.indexes = IndexFile(overrides: try (1..<limit).map(Self.override))
    served.missingIndexes = .created(file: path)
    let indexes = try SharedIndexes(served)
    try indexes.add(try Self.ofGroup(limit), beside: [])
    let error = #expect(throws: DatabaseError.self) {
      try indexes.add(try Self.ofGroup(limit + 1), beside: [])
    }
    #expect(error?.code == .resourceExhausted)
    // A field that has some already may get more.
    try indexes.add(try Self.ofGroup(1), beside: [])
    let overrides = try file().overrides
    #expect(overrides.count == limit && overrides.count { $0.indexes.count == 2 } == 1)
  }

  @Test func theFieldsOfADatabaseStopAtTheLimit() async throws {
    let (database, limit) = (try Database.inMemory(), 3)
    let file = IndexFile(overrides: try (1...limit).map(Self.override))
    try await database.indexes.apply(try await database.indexes.plan(for: file))
    let creation = IndexCreation(
      OneDatabase(database: database), record: { _, _ in }, note: { _, _, _ in },
      noteRefusal: { _ in }, fieldLimit: limit)
    for (number, isCreated) in [(limit + 1, false), (1, true)] {
      let query = try database.collectionGroup("c").order(by: "x\(number)", descending: true)
      let error = try await #require(
        #expect(throws: DatabaseError.self) { _ = try await query.getDocuments() })
      let requested = RequestedQuery(.documents(query.structuredQuery), in: .default)
      let refusal = try #require(Refusal(requested, error))
      _ = await creation.create(for: refusal, CallContext())
      let results = try? await query.getDocuments()
      #expect((results != nil) == isCreated)
    }
    #expect(try await database.indexes.overrides().count == limit)
  }

  @Test func theFileIsReadAgainAndStaysALink() throws {
    let (real, manager) = (folder.path(of: "real.json"), FileManager.default)
    func index(_ name: String) throws -> IndexDefinition {
      IndexDefinition("c", try [name, "z"].map { IndexColumn(try FieldPath($0), .ascending) })
    }
    try Data("{}".utf8).write(to: URL(filePath: real))
    try manager.setAttributes([.posixPermissions: 0o600], ofItemAtPath: real)
    try manager.createSymbolicLink(atPath: path, withDestinationPath: real)
    var served = ServedDatabases.inMemory
    served.missingIndexes = .created(file: path)
    let indexes = try SharedIndexes(served)
    try indexes.add(try index("a"), beside: [])
    let edited = IndexFile(composites: [try index("b")])
    try Data(edited.text.utf8).write(to: URL(filePath: real))
    try indexes.add(try index("c"), beside: [])
    #expect(try file().composites == [try index("b"), try index("c")])
    #expect(try manager.destinationOfSymbolicLink(atPath: path) == real)
    let mode = try manager.attributesOfItem(atPath: real)[.posixPermissions] as? Int
    #expect(mode == 0o600)
    try Data("{".utf8).write(to: URL(filePath: real))
    #expect(throws: DatabaseError.self) { try indexes.add(try index("d"), beside: []) }
    #expect(try String(contentsOfFile: real, encoding: .utf8) == "{")
  }

  @Test func aDatabaseWithoutRoomForTheFileIsServed() async throws {
    func index(_ number: Int) throws -> IndexDefinition {
      IndexDefinition(
        "c", try ["x\(number)", "y"].map { IndexColumn(try FieldPath($0), .ascending) })
    }
    let events = EventList()
    var settings = HearthServer(databases: .inMemory)
    settings.databases.indexes = IndexFile(
      composites: try (0...Limits.compositeIndexesPerDatabase).map(index))
    settings.note = events.add
    try await TestServer.with(settings) { server in
      let answer = try await server.send("PATCH", "\(Self.documents("one"))/c/x", "{}")
      #expect(answer.status == 200)
    }
    #expect(events.kinds.contains("indexesRefused"))
  }

  @Test func aQueryThatIsOnlyPlannedCreatesNothing() async throws {
    try await TestServer.with(settings()) { server in
      let planned = Self.composite.dropLast() + ", \"explainOptions\": {\"analyze\": false}}"
      let answer = try await server.send(
        "POST", "\(Self.documents("one")):runQuery", String(planned))
      #expect(answer.status == 400)
      #expect(!FileManager.default.fileExists(atPath: path))
    }
  }

  @Test func aFileThatCanNotBeWrittenRefusesTheQuery() async throws {
    var settings = settings()
    settings.databases.missingIndexes = .created(file: folder.path(of: "none/indexes.json"))
    try await TestServer.with(settings) { server in
      let answer = try await server.send(
        "POST", "\(Self.documents("one")):runQuery", Self.composite)
      #expect(answer.status == 400 && answer.message.hasPrefix("The query requires an index."))
    }
  }

  @Test func otherMachinesCreateNothing() async throws {
    var settings = settings()
    settings.allowsOtherMachines = true
    let error = await #expect(throws: DatabaseError.self) {
      try await settings.start(host: "0.0.0.0", port: 0).stop()
    }
    #expect(error?.code == .failedPrecondition)
  }
}

/// The events of a server.
private final class EventList: Sendable {
  private let events = Mutex<[ServerEvent]>([])

  @Sendable func add(_ event: ServerEvent) { events.withLock { $0.append(event) } }

  var kinds: [String] {
    events.withLock { events in
      events.map { event in
        switch event {
        case .opened: "opened"
        case .indexesRefused: "indexesRefused"
        case .closed: "closed"
        case .refused: "refused"
        case .building: "building"
        case .built: "built"
        case .denied: "denied"
        case .rulesReplaced: "rulesReplaced"
        case .rulesRefused: "rulesRefused"
        case .providerKeysUnavailable: "providerKeysUnavailable"
        case .mailFailed: "mailFailed"
        case .tlsRefused: "tlsRefused"
        }
      }
    }
  }
}
