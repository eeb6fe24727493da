import Hearth
import HearthDocumentModel
import HearthOrderedStore
import HearthProtocols
import HearthRules
import HearthSecurityRules
import HearthServerCalls
import SwiftProtobuf
import Synchronization
import TestSupport
import Testing

/// Streams of `Listen` under security rules.
@Suite(.timeLimit(.minutes(5))) struct RulesListenTests {
  private typealias Response = DirectListener.Response

  private let database: Database
  private let project = DatabaseID.default.project

  init() throws { database = try Database.inMemory() }

  /// Returns rules for the documents below the root.
  private static func ruleset(_ statements: String) throws -> Ruleset {
    try Ruleset(
      compiling: """
        rules_version = '2';
        service cloud.firestore { match /databases/{db}/documents {
        \(statements)
        } }
        """)
  }

  private static let shut = "match /none/{id} { allow read: if false; }"

  private func set(_ path: String, _ fields: MapValue) throws {
    _ = try database.commit([.set(try ResourcePath(path), fields)])
  }

  /// A message in a short form, with the number in a document.
  private static func form(_ response: Response) -> String {
    switch response.responseType {
    case .documentChange(let change)?:
      let id = change.document.name.split(separator: "/").last ?? ""
      let number = change.document.fields.first { $0.key == "n" }?.value.integerValue ?? 0
      return "change \(id) \(number) \(change.targetIds) \(change.removedTargetIds)"
    case .documentDelete(let delete)?:
      return "delete \(delete.document.split(separator: "/").last ?? "") "
        + "\(delete.removedTargetIds)"
    case .documentRemove(let remove)?:
      return "hide \(remove.document.split(separator: "/").last ?? "") \(remove.removedTargetIds)"
    case .targetChange(let change)?:
      return "\(change.targetChangeType) \(change.targetIds)"
        + (change.hasCause ? " \(change.cause.code)" : "")
    default: return "other"
    }
  }

  /// Returns the next messages, as many as there are.
  private static func next(_ count: Int, of listener: DirectListener) async -> [String] {
    var messages: [String] = []
    while messages.count < count, let message = await listener.next() {
      messages.append(form(message))
    }
    return messages
  }

  /// Adds the target of one document.
  private static func addDocument(_ path: String, _ id: Int32, to listener: DirectListener) {
    listener.send { request in
      request.addTarget.targetID = id
      request.addTarget.documents.documents = ["\(DirectListener.database)/documents/\(path)"]
    }
  }

  private static let alice = RulesClient.bearer("alice")

  @Test func aRefusedTargetLeavesTheOthers() async throws {
    let rules = ServedRules(try Self.ruleset("match /open/{id} { allow read; }"))
    try set("open/a", ["n": 1])
    let listener = DirectListener(to: database, under: rules)
    listener.send { $0.add(2, collection: "shut") }
    #expect(await Self.next(2, of: listener) == ["add [2]", "remove [2] 7"])
    Self.addDocument("shut/a", 4, to: listener)
    #expect(await Self.next(2, of: listener) == ["add [4]", "remove [4] 7"])
    listener.send { $0.add(6, collection: "open") }
    #expect(
      await listener.snapshot().map(Self.form) == [
        "add [6]", "change a 1 [6] []", "current [6]", "noChange []",
      ])
    #expect(await listener.end() == nil)
  }

  /// The query would need an index; a caller without rights is not told of it.
  @Test func aRefusedQueryIsNotRun() async throws {
    let rules = ServedRules(try Self.ruleset("match /open/{id} { allow read; }"))
    let listener = DirectListener(to: database, under: rules)
    listener.send {
      $0.add(2, collection: "shut") { target in
        for field in ["a", "b"] {
          target.query.structuredQuery.orderBy.append(.with { $0.field.fieldPath = field })
        }
      }
    }
    #expect(await Self.next(2, of: listener) == ["add [2]", "remove [2] 7"])
    #expect(listener.refusals.isEmpty)
    #expect(await listener.end() == nil)
  }

  @Test func credentialsThatCannotBeReadEndTheStream() async throws {
    let rules = ServedRules(try Self.ruleset(Self.shut))
    let listener = DirectListener(to: database, under: rules, as: "Bearer x")
    listener.send { $0.add(2, collection: "c") }
    #expect(await listener.next() == nil)
    let error = await listener.end() as? DatabaseError
    #expect(error?.code == .invalidArgument)
  }

  @Test func aDocumentThatBecomesAnothersIsNotSent() async throws {
    let rules = ServedRules(
      try Self.ruleset("match /c/{id} { allow get: if resource.data.owner == request.auth.uid; }"))
    try set("c/a", ["owner": "alice", "n": 1])
    let listener = DirectListener(to: database, under: rules, as: Self.alice)
    Self.addDocument("c/a", 2, to: listener)
    #expect(
      await listener.snapshot().map(Self.form) == [
        "add [2]", "change a 1 [2] []", "current [2]", "noChange []",
      ])
    try set("c/a", ["owner": "alice", "n": 2])
    #expect(await listener.snapshot().map(Self.form) == ["change a 2 [2] []", "noChange []"])
    try set("c/a", ["owner": "bob", "n": 3])
    #expect(await Self.next(2, of: listener) == ["reset [2]", "remove [2] 7"])
    #expect(await listener.end() == nil)
  }

  /// The content of a document that has left a result is no result.
  @Test func aDocumentThatLeavesAResultIsNotShown() async throws {
    let rules = ServedRules(
      try Self.ruleset("match /c/{id} { allow list: if resource.data.owner == request.auth.uid; }"))
    try set("c/a", ["owner": "alice", "n": 1])
    try set("c/b", ["owner": "alice", "n": 1])
    for (caller, left) in [(Self.alice, "hide a [2]"), ("Bearer owner", "change a 9 [] [2]")] {
      try set("c/a", ["owner": "alice", "n": 1])
      try set("c/b", ["owner": "alice", "n": 1])
      let listener = DirectListener(to: database, under: rules, as: caller)
      listener.send {
        $0.add(2, collection: "c") { target in
          target.query.structuredQuery.where.fieldFilter = .with { filter in
            filter.field.fieldPath = "owner"
            filter.op = .equal
            filter.value.stringValue = "alice"
          }
        }
      }
      _ = await listener.snapshot()
      try set("c/a", ["owner": "bob", "n": 9])
      #expect(await listener.snapshot().map(Self.form) == [left, "noChange []"])
      _ = try await database.commit([.delete(try ResourcePath("c/b"))])
      #expect(await listener.snapshot().map(Self.form) == ["delete b [2]", "noChange []"])
      #expect(await listener.end() == nil)
    }
  }

  private static let byRole = """
    match /c/{id} {
      allow read: if get(/databases/$(db)/documents/roles/$(request.auth.uid)).data.reads;
    }
    """

  @Test func aLostRoleEndsTheListenersThatNeededIt() async throws {
    let rules = ServedRules(try Self.ruleset(Self.byRole))
    try set("roles/alice", ["reads": true])
    try set("c/a", ["n": 1])
    let listener = DirectListener(to: database, under: rules, as: Self.alice)
    listener.send { $0.add(2, collection: "c") }
    _ = await listener.snapshot()
    Self.addDocument("c/a", 4, to: listener)
    _ = await listener.snapshot()
    // The role is still there.
    try set("roles/alice", ["reads": true, "n": 1])
    try set("c/a", ["n": 2])
    #expect(await listener.snapshot().map(Self.form) == ["change a 2 [2, 4] []", "noChange []"])
    try set("roles/alice", ["reads": false])
    #expect(
      await Self.next(4, of: listener) == [
        "reset [2]", "remove [2] 7", "reset [4]", "remove [4] 7",
      ])
    // Nothing is left to listen to.
    #expect(database.listenerCount == 0)
    #expect(await listener.end() == nil)
  }

  /// If any read of the store fails, a target either ends or still follows the role.
  @Test func aTargetWhoseRoleCannotBeFollowedEnds() async throws {
    var number = 1
    var failedCount = 0
    while true {
      let fault = LaterFault(failingRead: number)
      let database = try Database.over(ObservedStore(MemoryStore(), observer: fault))
      func set(_ path: String, _ fields: MapValue) throws {
        _ = try database.commit([.set(try ResourcePath(path), fields)])
      }
      try set("roles/alice", ["reads": true])
      try set("c/a", ["n": 1])
      fault.begin()
      let listener = DirectListener(
        to: database, under: ServedRules(try Self.ruleset(Self.byRole)), as: Self.alice)
      listener.send { $0.add(2, collection: "c") }
      var end = await Self.untilEnd(of: 2, listener) { $0 == "current [2]" }
      fault.end()
      if end == nil {
        try set("roles/alice", ["reads": false])
        end = await Self.untilEnd(of: 2, listener) { _ in false }
      }
      #expect(end == "remove [2] 7" || fault.hasFailed && end?.hasPrefix("remove [2]") == true)
      _ = await listener.end()
      try await database.close()
      guard fault.hasFailed else { break }
      failedCount += 1
      number += 1
    }
    #expect(failedCount > 5)
  }

  /// Returns the message that ends a target; `nil` if another one comes first that `isEnough`, and
  /// `over` if the stream ends.
  private static func untilEnd(
    of target: Int32, _ listener: DirectListener, _ isEnough: (String) -> Bool
  ) async -> String? {
    while let message = await listener.next().map(form) {
      if message.hasPrefix("remove [\(target)]") { return message }
      if isEnough(message) { return nil }
    }
    return "remove [\(target)] over"
  }

  @Test func aRoleThatGoesInTheSameCommitHidesItsData() async throws {
    let rules = ServedRules(try Self.ruleset(Self.byRole))
    try set("roles/alice", ["reads": true])
    try set("c/a", ["n": 1])
    let listener = DirectListener(to: database, under: rules, as: Self.alice)
    listener.send { $0.add(2, collection: "c") }
    _ = await listener.snapshot()
    _ = try await database.commit([
      .set(try ResourcePath("c/a"), ["n": 2]),
      .set(try ResourcePath("roles/alice"), ["reads": false]),
    ])
    #expect(await Self.next(2, of: listener) == ["reset [2]", "remove [2] 7"])
    #expect(await listener.end() == nil)
  }

  /// The client has not taken its first messages when the role goes.
  @Test func aRoleThatGoesWhileTheClientDoesNotReadIsNoticed() async throws {
    let rules = ServedRules(try Self.ruleset(Self.byRole))
    try set("roles/alice", ["reads": true])
    try set("c/a", ["n": 1])
    let listener = DirectListener(to: database, under: rules, as: Self.alice)
    listener.send { $0.add(2, collection: "c") }
    let first = try #require(await listener.next(holds: true))
    #expect(Self.form(first) == "add [2]")
    try set("roles/alice", ["reads": false])
    try set("c/a", ["n": 2])
    listener.goOn()
    #expect(await Self.next(1, of: listener) == ["remove [2] 7"])
    #expect(await listener.end() == nil)
  }

  @Test func newRulesHoldForRunningStreams() async throws {
    let rules = ServedRules()
    try set("c/a", ["n": 1])
    let listener = DirectListener(to: database, under: rules, as: Self.alice)
    listener.send { $0.add(2, collection: "c") }
    _ = await listener.snapshot()
    listener.send { $0.add(4, collection: "d") }
    _ = await listener.snapshot()
    try rules.replace(
      try Self.ruleset("match /d/{id} { allow read; }"), ofProject: project)
    // No document has changed.
    #expect(await Self.next(2, of: listener) == ["reset [2]", "remove [2] 7"])
    try set("d/a", ["n": 3])
    #expect(await listener.snapshot().map(Self.form) == ["change a 3 [4] []", "noChange []"])
    rules.replaceCommon(by: try Self.ruleset(Self.shut))
    try set("d/a", ["n": 4])
    #expect(await listener.snapshot().map(Self.form) == ["change a 4 [4] []", "noChange []"])
    try rules.replace(try Self.ruleset(Self.shut), ofProject: project)
    #expect(await Self.next(2, of: listener) == ["reset [4]", "remove [4] 7"])
    #expect(await listener.end() == nil)
  }

  @Test func theOwnerIsNotJudged() async throws {
    let rules = ServedRules(try Self.ruleset(Self.shut))
    try set("c/a", ["n": 1])
    let listener = DirectListener(to: database, under: rules, as: "Bearer owner")
    listener.send { $0.add(2, collection: "c") }
    _ = await listener.snapshot()
    rules.replaceCommon(by: try Self.ruleset("match /d/{id} { allow read; }"))
    try set("c/a", ["n": 2])
    #expect(await listener.snapshot().map(Self.form) == ["change a 2 [2] []", "noChange []"])
    #expect(await listener.end() == nil)
  }

  @Test func refusalsOfTargetsAreNoted() async throws {
    let (notes, note) = AsyncStream.makeStream(of: String.self)
    let rules = ServedRules(try Self.ruleset("match /c/{id} { allow read: if false; }")) {
      note.yield("\($0.project) \($1.operations.map { "\($0.method) \($0.path)" })")
    }
    let listener = DirectListener(to: database, under: rules)
    listener.send { $0.add(2, collection: "c") }
    Self.addDocument("c/a", 4, to: listener)
    _ = await Self.next(4, of: listener)
    var iterator = notes.makeAsyncIterator()
    #expect(await iterator.next() == "\(project) [\"list c\"]")
    #expect(await iterator.next() == "\(project) [\"get c/a\"]")
    #expect(await listener.end() == nil)
  }

  /// The documents that judgements read count among a stream's listeners.
  @Test func watchedDocumentsHaveALimit() async throws {
    let rules = ServedRules(try Self.ruleset(Self.byRole))
    try set("roles/alice", ["reads": true])
    let listener = DirectListener(
      to: database, sharing: ListenerCount(limit: 1), under: rules, as: Self.alice)
    listener.send { $0.add(2, collection: "c") }
    #expect(await Self.next(2, of: listener) == ["add [2]", "remove [2] 8"])
    #expect(database.listenerCount == 0)
    #expect(await listener.end() == nil)
  }
}

/// Makes one read of a store fail, counted from a moment on.
private final class LaterFault: StoreObserver {
  private struct State {
    var isCounting = false
    var readCount = 0
  }

  private let failingRead: Int
  private let state = Mutex(State())

  init(failingRead: Int) {
    self.failingRead = failingRead
  }

  var hasFailed: Bool { state.withLock { $0.readCount >= failingRead } }

  func begin() { state.withLock { $0.isCounting = true } }
  func end() { state.withLock { $0.isCounting = false } }

  func willPerform(_ operation: StoreOperation) throws(StoreError) {
    let isDue = state.withLock { state -> Bool in
      guard state.isCounting else { return false }
      state.readCount += 1
      return state.readCount == failingRead
    }
    if isDue { throw StoreError(.inputOutput, "a fault of the test") }
  }

  func willWrite(_ batch: StoreBatch, to store: any OrderedStore) {}
  func didRead(byteCount: Int) {}
}
