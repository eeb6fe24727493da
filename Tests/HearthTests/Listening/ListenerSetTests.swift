import Hearth
import HearthDocumentModel
import Synchronization
import Testing

/// Listeners that are asked together.
@Suite(.timeLimit(.minutes(10))) struct ListenerSetTests {
  private static func set(_ paths: [String], _ number: Int64, in database: Database) throws {
    _ = try database.commit(
      paths.map { .set(try ResourcePath($0), ["n": .integer(number)]) })
  }

  private static func forms(_ moment: ListenerSet.Moment) throws -> [String] {
    try moment.events.map { _, event in
      switch event {
      case .result(let result):
        try result.documents.map { document in
          guard case .integer(let number)? = try document.value("n") else { return "?" }
          return "\(document.reference.path) \(number)"
        }.joined(separator: ", ")
      case .failure(let error): error.missingIndex == nil ? "failed" : "no index"
      }
    }
  }

  @Test func theNewsOfAMomentAreOfOneCommit() async throws {
    let database = try Database.inMemory()
    let set = ListenerSet(in: database) {}
    for id in ["a", "b", "c"] { _ = set.add(try database.collection(id).query) }
    #expect(try await Self.forms(set.moment()) == ["", "", ""])
    // Commits go on while the set is asked.
    let writer = Task.detached {
      for number in 1...300 as ClosedRange<Int64> {
        try Self.set(["a/1", "b/1"], number, in: database)
      }
    }
    var last: UInt64 = 0
    var numbers: [Int64] = []
    while numbers.last != 300 {
      let moment = try await set.moment()
      #expect(moment.database.commitNumber >= last)
      last = moment.database.commitNumber
      let results = try moment.events.map { _, event -> Value? in
        guard case .result(let result) = event else { return nil }
        return try result.documents.first?.value("n")
      }
      guard !results.isEmpty else { continue }
      #expect(results.count == 2)
      #expect(results.first == results.last)
      if case .integer(let number)?? = results.first { numbers.append(number) }
    }
    try await writer.value
    #expect(numbers == numbers.sorted())
  }

  @Test func onlyListenersWithNewsAreAsked() async throws {
    let database = try Database.inMemory()
    let told = Mutex(0)
    let set = ListenerSet(in: database) { told.withLock { $0 += 1 } }
    for id in 0..<500 { _ = set.add(try database.document("c/\(id)")) }
    #expect(try await set.moment().events.count == 500)
    told.withLock { $0 = 0 }
    try Self.set(["c/7"], 1, in: database)
    database.settleListeners()
    #expect(set.hasNews)
    #expect(told.withLock { $0 } == 1)
    #expect(try await Self.forms(set.moment()) == ["c/7 1"])
    try Self.set(["d/7"], 1, in: database)
    database.settleListeners()
    #expect(!set.hasNews)
    #expect(try await Self.forms(set.moment()) == [])
  }

  @Test func aListenerThatWasRemovedIsToldNothing() async throws {
    let database = try Database.inMemory()
    let set = ListenerSet(in: database) {}
    let first = set.add(try database.collection("c").query)
    _ = set.add(try database.collection("c").query)
    _ = try await set.moment()
    try Self.set(["c/a"], 1, in: database)
    database.settleListeners()
    set.remove(first)
    #expect(try await Self.forms(set.moment()) == ["c/a 1"])
    #expect(database.listenerCount == 1)
  }

  @Test func anErrorComesWithTheNewsOfTheOthers() async throws {
    let database = try Database.inMemory()
    let set = ListenerSet(in: database) {}
    _ = set.add(try database.collection("c").order(by: "a").order(by: "b"))
    _ = set.add(try database.collection("c").query)
    #expect(try await Self.forms(set.moment()) == ["no index", ""])
    #expect(try await Self.forms(set.moment()) == [])
  }

  @Test func aClosedDatabaseHasNoMoment() async throws {
    let database = try Database.inMemory()
    let set = ListenerSet(in: database) {}
    _ = set.add(try database.collection("c").query)
    try await database.close()
    let error = await #expect(throws: DatabaseError.self) { _ = try await set.moment() }
    #expect(error?.code == .failedPrecondition && error?.isOfClosedDatabase == true)
  }

  @Test func aSetThatIsReleasedHasNoListeners() async throws {
    let database = try Database.inMemory()
    var set: ListenerSet? = ListenerSet(in: database) {}
    _ = set?.add(try database.collection("c").query)
    #expect(database.listenerCount == 1)
    set = nil
    #expect(database.listenerCount == 0)
  }
}
