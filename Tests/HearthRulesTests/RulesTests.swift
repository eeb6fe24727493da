import Hearth
import HearthDocumentModel
import HearthRules
import Testing

/// Users of a database under security rules.
@Suite(.timeLimit(.minutes(5))) struct RulesTests {
  private static let text = """
    rules_version = '2';
    service cloud.firestore { match /databases/{db}/documents {
      function isMember() {
        return get(/databases/$(db)/documents/teams/red).data.members.hasAny([request.auth.uid]);
      }
      match /tasks/{id} {
        allow get, list: if resource.data.owner == request.auth.uid;
        allow create: if request.resource.data.owner == request.auth.uid
          && request.resource.data.at == request.time;
        allow update: if resource.data.owner == request.auth.uid
          && request.resource.data.owner == resource.data.owner;
        allow delete: if resource.data.owner == request.auth.uid;
      }
      match /notes/{id} { allow read: if isMember(); }
      match /pairs/{id} {
        allow write: if getAfter(/databases/$(db)/documents/pairs/$(request.resource.data.other))
          .data.other == id;
      }
    } }
    """

  private let database: Database
  private let alice: DatabaseUser
  private let bob: DatabaseUser
  private let stranger: DatabaseUser
  private let tasks: CollectionReference
  private let notes: CollectionReference
  private let team: DocumentReference

  init() throws {
    database = try Database.inMemory()
    let rules = try database.rules(Self.text)
    (alice, bob, stranger) = (rules.asUser("alice"), rules.asUser("bob"), rules.signedOut)
    tasks = try database.collection("tasks")
    notes = try database.collection("notes")
    team = try database.document("teams/red")
    try tasks.document("milk").setData(["owner": "alice", "n": 1])
    try notes.document("first").setData(["text": "one"])
    try team.setData(["members": ["alice"]])
  }

  private func code(_ body: () throws -> Void) -> DatabaseError.Code? {
    do {
      try body()
      return nil
    } catch {
      return (error as? DatabaseError)?.code
    }
  }

  @Test func aDocumentIsJudgedAsItIs() throws {
    let milk = try tasks.document("milk")
    #expect(try alice.getDocument(milk).value("n") == 1)
    #expect(code { _ = try bob.getDocument(milk) } == .permissionDenied)
    #expect(code { _ = try stranger.getDocument(milk) } == .permissionDenied)
    // A missing one has no owner.
    #expect(code { _ = try alice.getDocument(tasks.document("none")) } == .permissionDenied)
    #expect(code { _ = try bob.getAll([milk, team]) } == .permissionDenied)
    #expect(try alice.getAll([milk]).count == 1)
  }

  @Test func aRefusalHasItsReasons() throws {
    let error = #expect(throws: DatabaseError.self) { try bob.getDocument(tasks.document("milk")) }
    #expect(error?.message == "Missing or insufficient permissions.")
    let operation = try #require(error?.rulesRefusal?.operations.first)
    #expect(operation.path.description == "tasks/milk" && operation.method == .get)
    #expect(operation.items.map(\.line) == [7])
    #expect(operation.items.map(\.reason) == ["false"])
    #expect(error?.rulesRefusal?.explanation == "\nfalse for 'get' @ L7")
  }

  @Test func aQueryIsJudgedByItsConditions() throws {
    let own = try tasks.whereField("owner", isEqualTo: "alice")
    #expect(try alice.getDocuments(own).count == 1)
    #expect(try alice.count(own) == 1)
    #expect(try alice.aggregate([.count(as: "all")], of: own)["all"] == 1)
    #expect(code { _ = try alice.getDocuments(tasks) } == .permissionDenied)
    #expect(code { _ = try alice.count(tasks) } == .permissionDenied)
    #expect(code { _ = try alice.listDocuments(in: tasks) } == .permissionDenied)
    #expect(try alice.listDocuments(in: notes).documents.count == 1)
    #expect(code { _ = try bob.getDocuments(own) } == .permissionDenied)
    // It would be refused for its index if it ran.
    let unindexed = try tasks.whereField("a", isEqualTo: 1).order(by: "b")
    #expect(code { _ = try bob.getDocuments(unindexed) } == .permissionDenied)
  }

  @Test func writesAreJudgedBeforeAndAfter() throws {
    let bread = try tasks.document("bread")
    try alice.commit { $0.create(["owner": "alice", "at": .serverTimestamp], for: bread) }
    #expect(
      code { try alice.commit { $0.setData(["owner": "bob"], for: bread) } } == .permissionDenied)
    #expect(
      code { try bob.commit { $0.updateData(["n": 2], for: bread) } } == .permissionDenied)
    try alice.commit { $0.updateData(["n": 2], for: bread) }
    #expect(code { try bob.commit { $0.delete(bread) } } == .permissionDenied)
    try alice.commit { $0.delete(bread) }
    #expect(try !bread.getDocument().exists)
  }

  @Test func aBatchIsJudgedAsAWhole() throws {
    let pairs = try database.collection("pairs")
    let (one, two) = (try pairs.document("1"), try pairs.document("2"))
    #expect(
      code { try stranger.commit { $0.setData(["other": "2"], for: one) } } == .permissionDenied)
    try stranger.commit { batch in
      batch.setData(["other": "2"], for: one)
      batch.setData(["other": "1"], for: two)
    }
    #expect(try two.getDocument().exists)
  }

  @Test func aTransactionIsJudgedInItsReadsAndItsCommit() throws {
    let milk = try tasks.document("milk")
    try alice.runTransaction { transaction in
      let n = try transaction.getDocument(milk).value("n", as: Int.self)
      try transaction.write { $0.updateData(["n": .increment(Int64(n ?? 0))], for: milk) }
    }
    #expect(try milk.getDocument().value("n") == 2)
    #expect(
      code { try bob.runTransaction { _ = try $0.getDocument(milk) } } == .permissionDenied)
    #expect(
      code { try bob.runTransaction { try $0.write { $0.delete(milk) } } } == .permissionDenied)
    #expect(try milk.getDocument().exists)
  }

  // MARK: Listening

  @Test func aListenerThatMayNotListenIsRefused() async throws {
    var snapshots = bob.snapshots(of: try tasks.document("milk")).makeAsyncIterator()
    await #expect(throws: DatabaseError.self) { _ = try await snapshots.next() }
    var results = alice.snapshots(of: tasks).makeAsyncIterator()
    let error = await #expect(throws: DatabaseError.self) { _ = try await results.next() }
    #expect(error?.code == .permissionDenied)
    #expect(try await results.next()?.count == nil)
  }

  @Test func aListenerIsJudgedBeforeEachSnapshot() async throws {
    let milk = try tasks.document("milk")
    var snapshots = alice.snapshots(of: milk).makeAsyncIterator()
    #expect(try await snapshots.next()?.value("n") == 1)
    try await milk.updateData(["n": 2])
    #expect(try await snapshots.next()?.value("n") == 2)
    try await milk.updateData(["owner": "bob"])
    let error = await #expect(throws: DatabaseError.self) { _ = try await snapshots.next() }
    #expect(error?.code == .permissionDenied)
    #expect(try await snapshots.next()?.id == nil)
  }

  @Test func aListenerEndsWithTheRightThatItsJudgementHasRead() async throws {
    var results = alice.snapshots(of: notes).makeAsyncIterator()
    #expect(try await results.next()?.count == 1)
    try await team.updateData(["members": []])
    // Nothing of the notes has changed.
    let error = await #expect(throws: DatabaseError.self) { _ = try await results.next() }
    #expect(error?.code == .permissionDenied)
  }

  @Test func aListenerOfAClosedDatabaseEnds() async throws {
    var results = alice.snapshots(of: notes).makeAsyncIterator()
    #expect(try await results.next()?.count == 1)
    try await database.close()
    #expect(try await results.next()?.count == nil)
  }
}
