import Dispatch
import Hearth
import HearthOrderedStore
import TestSupport
import Testing

/// Listeners through the library's public calls.
@Suite struct SnapshotTests {
  private let database: Database
  private let tasks: CollectionReference

  init() throws {
    database = try Database.inMemory()
    tasks = try database.collection("tasks")
  }

  private func set(_ id: String, _ number: Int64) throws {
    try tasks.document(id).setData(["n": .integer(number)])
  }

  private func ids(_ snapshot: QuerySnapshot?) -> [String]? { snapshot?.documents.map(\.id) }

  // MARK: Sequences

  @Test func aQueryIsASequenceOfSnapshots() async throws {
    try set("b", 2)
    var snapshots = try tasks.order(by: "n").snapshots.makeAsyncIterator()
    #expect(ids(try await snapshots.next()) == ["b"])
    try set("a", 1)
    let second = try #require(try await snapshots.next())
    #expect(ids(second) == ["a", "b"])
    #expect(second.documentChanges.map(\.kind) == [.added])
    #expect(second.documentChanges.map(\.newIndex) == [0])
    try await tasks.document("b").delete()
    let third = try #require(try await snapshots.next())
    #expect(third.documentChanges.map(\.kind) == [.removed])
    #expect(third.documentChanges[0].document.id == "b")
    #expect(third.documentChanges[0].oldIndex == 1)
    #expect(third.documentChanges[0].newIndex == nil)
    #expect(third.readTime > second.readTime)
    #expect(try third.documents[0].value("n") == 1)
  }

  @Test func everySequenceListensAnew() async throws {
    try set("a", 1)
    let snapshots = tasks.snapshots
    for _ in 0..<2 {
      for try await snapshot in snapshots {
        #expect(snapshot.documentChanges.map(\.kind) == [.added])
        break
      }
    }
    #expect(database.listenerCount == 0)
  }

  @Test func theLastOnesComeInTheQuerysOrder() async throws {
    for (id, number) in [("a", 1), ("b", 2), ("c", 3)] { try set(id, Int64(number)) }
    var snapshots = try tasks.order(by: "n").limit(toLast: 2).snapshots.makeAsyncIterator()
    #expect(ids(try await snapshots.next()) == ["b", "c"])
    try set("d", 4)
    #expect(ids(try await snapshots.next()) == ["c", "d"])
  }

  @Test func aDocumentIsASequenceToo() async throws {
    let task = try tasks.document("a")
    var snapshots = task.snapshots.makeAsyncIterator()
    var snapshot = try #require(try await snapshots.next())
    #expect(!snapshot.exists)
    #expect(snapshot.reference == task)
    try set("a", 1)
    snapshot = try #require(try await snapshots.next())
    #expect(try snapshot.value("n") == 1)
    try await task.delete()
    snapshot = try #require(try await snapshots.next())
    #expect(!snapshot.exists)
  }

  @Test func cancellingTheTaskEndsTheSequence() async throws {
    let (started, starting) = AsyncStream.makeStream(of: Void.self)
    let snapshots = tasks.snapshots
    let task = Task {
      var count = 0
      for try await _ in snapshots {
        count += 1
        starting.yield()
      }
      return count
    }
    for await _ in started { break }
    task.cancel()
    #expect(try await task.value == 1)
    #expect(database.listenerCount == 0)
  }

  @Test func aCancelledTaskIsToldNothing() async throws {
    let snapshots = tasks.snapshots
    let (go, gate) = AsyncStream.makeStream(of: Void.self)
    let task = Task {
      for await _ in go { break }
      var iterator = snapshots.makeAsyncIterator()
      return try await iterator.next() == nil
    }
    task.cancel()
    gate.finish()
    #expect(try await task.value)
    #expect(database.listenerCount == 0)
  }

  /// A consumer that is slow misses the snapshots between.
  @Test func aSlowConsumerIsToldTheOutcome() async throws {
    var snapshots = try tasks.order(by: "n").snapshots.makeAsyncIterator()
    _ = try await snapshots.next()
    for number in 1...200 { try set("a", Int64(number)) }
    for number in 1...50 { try set("b\(number)", Int64(number)) }
    for number in 1...49 { try await tasks.document("b\(number)").delete() }
    database.settleListeners()
    let snapshot = try #require(try await snapshots.next())
    #expect(ids(snapshot) == ["b50", "a"])
    #expect(snapshot.documentChanges.map(\.kind) == [.added, .added])
  }

  // MARK: Errors

  @Test func aMissingIndexEndsTheSequence() async throws {
    let query = try tasks.whereField("user", isEqualTo: "me").order(by: "n")
    var snapshots = query.snapshots.makeAsyncIterator()
    let error = await #expect(throws: DatabaseError.self) { try await snapshots.next() }
    #expect(error?.code == .failedPrecondition)
    #expect(error?.missingIndex != nil)
    let refusal = #expect(throws: DatabaseError.self) { try query.getDocuments() }
    #expect(error?.message == refusal?.message)
    #expect(try await snapshots.next() == nil)
  }

  @Test func aQueryThatCanNeverRunEndsAtOnce() async throws {
    var snapshots = tasks.query.limit(toLast: 1).snapshots.makeAsyncIterator()
    let error = await #expect(throws: DatabaseError.self) { try await snapshots.next() }
    #expect(error?.code == .unimplemented)
  }

  @Test func closingTheDatabaseEndsListeners() async throws {
    var snapshots = tasks.snapshots.makeAsyncIterator()
    _ = try await snapshots.next()
    try await database.close()
    #expect(try await snapshots.next() == nil)
    var late = tasks.snapshots.makeAsyncIterator()
    let error = await #expect(throws: DatabaseError.self) { try await late.next() }
    #expect(error?.code == .failedPrecondition)
  }

  // MARK: Closures

  @Test func aClosureIsCalledWithEachSnapshot() async throws {
    let (events, source) = AsyncStream.makeStream(of: [String].self)
    let queue = DispatchQueue(label: "calls")
    let calls = Counter()
    let registration = tasks.addSnapshotListener(on: queue) { result in
      calls.increment()
      source.yield((try? result.get().documents.map(\.id)) ?? ["failure"])
    }
    var event = events.makeAsyncIterator()
    #expect(await event.next() == [])
    try set("a", 1)
    #expect(await event.next() == ["a"])
    registration.remove()
    registration.remove()
    try set("b", 1)
    database.settleListeners()
    await Self.drain(queue)
    #expect(calls.value == 2)
    #expect(database.listenerCount == 0)
  }

  @Test func aClosureMayRemoveItself() async throws {
    let (events, source) = AsyncStream.makeStream(of: Int.self)
    let queue = DispatchQueue(label: "calls")
    let calls = Counter()
    let registrations = RegistrationBox()
    let registration = tasks.addSnapshotListener(on: queue) { result in
      calls.increment()
      registrations.remove()
      source.yield((try? result.get().count) ?? -1)
    }
    registrations.hold(registration)
    var event = events.makeAsyncIterator()
    #expect(await event.next() == 0)
    try set("a", 1)
    database.settleListeners()
    await Self.drain(queue)
    #expect(calls.value == 1)
    #expect(database.listenerCount == 0)
  }

  @Test func aClosureIsToldOneError() async throws {
    let (events, source) = AsyncStream.makeStream(of: DatabaseError.Code?.self)
    let queue = DispatchQueue(label: "calls")
    let calls = Counter()
    let query = try tasks.whereField("user", isEqualTo: "me").order(by: "n")
    query.addSnapshotListener(on: queue) { result in
      calls.increment()
      if case .failure(let error) = result { source.yield(error.code) } else { source.yield(nil) }
    }
    var event = events.makeAsyncIterator()
    #expect(await event.next() == .some(.failedPrecondition))
    try set("a", 1)
    database.settleListeners()
    await Self.drain(queue)
    #expect(calls.value == 1)
  }

  /// However many commits come while its queue is busy, one call delivers them all.
  @Test func aBusyQueueIsToldOnce() async throws {
    let queue = DispatchQueue(label: "calls")
    let counts = Lock<[Int]>([])
    let registration = tasks.addSnapshotListener(on: queue) { result in
      counts.withLock { $0.append((try? result.get().count) ?? -1) }
    }
    database.settleListeners()
    await Self.drain(queue)
    queue.suspend()
    for number in 0..<20 {
      try set("\(number)", Int64(number))
      database.settleListeners()
    }
    queue.resume()
    await Self.drain(queue)
    #expect(counts.withLock { $0 } == [0, 20])
    registration.remove()
  }

  /// A registration may be held long after its listener has ended.
  @Test func aClosureIsReleasedAtItsEnd() async throws {
    final class Owner: Sendable {
      func take(_ result: Result<QuerySnapshot, DatabaseError>) {}
    }
    let queue = DispatchQueue(label: "calls")
    func listen(to query: Query) -> (ListenerRegistration, () -> Owner?) {
      let owner = Owner()
      let registration = query.addSnapshotListener(on: queue) { owner.take($0) }
      return (registration, { [weak owner] in owner })
    }
    let removed = listen(to: tasks.query)
    let closed = listen(to: tasks.query)
    let failed = listen(to: try tasks.whereField("user", isEqualTo: "me").order(by: "n"))
    database.settleListeners()
    await Self.drain(queue)
    #expect(removed.1() != nil && failed.1() == nil)
    removed.0.remove()
    await Self.drain(queue)
    #expect(removed.1() == nil && closed.1() != nil)
    try await database.close()
    await Self.drain(queue)
    #expect(closed.1() == nil)
    withExtendedLifetime((removed, closed, failed)) {}
  }

  /// Returns once all calls that are scheduled so far are done, and the calls that these schedule.
  private static func drain(_ queue: DispatchQueue) async {
    for _ in 0..<2 {
      await withCheckedContinuation { done in queue.async { done.resume() } }
    }
  }

  @Test func aDocumentsClosureIsCalledToo() async throws {
    let (events, source) = AsyncStream.makeStream(of: Bool.self)
    let registration = try tasks.document("a").addSnapshotListener { result in
      source.yield((try? result.get().exists) ?? false)
    }
    var event = events.makeAsyncIterator()
    #expect(await event.next() == false)
    try set("a", 1)
    #expect(await event.next() == true)
    registration.remove()
  }

  // MARK: Answers

  @Test func anAnswerAddsAllDocuments() throws {
    try set("b", 2)
    try set("a", 1)
    let snapshot = try tasks.order(by: "n").getDocuments()
    #expect(snapshot.documentChanges.map(\.document.id) == ["a", "b"])
    #expect(snapshot.documentChanges.map(\.newIndex) == [0, 1])
    #expect(snapshot.documentChanges.allSatisfy { $0.kind == .added && $0.oldIndex == nil })
    #expect(try snapshot.readTime == database.snapshot().readTime)
  }

  // MARK: Threads

  /// Consumers on many tasks replay the changes of writers; at the end all hold the result.
  @Test func consumersKeepUpWithWriters() async throws {
    let query = try tasks.order(by: "n").limit(to: 7)
    let (database, tasks) = (database, tasks)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<3 {
        group.addTask {
          var list: [String] = []
          for try await snapshot in query.snapshots {
            for change in snapshot.documentChanges {
              if let index = change.oldIndex {
                #expect(list.remove(at: index) == change.document.id)
              }
              if let index = change.newIndex { list.insert(change.document.id, at: index) }
            }
            #expect(list == snapshot.documents.map(\.id))
            guard list.first == "end" else { continue }
            // This is the last write.
            let last = try await query.getDocuments()
            #expect(list == last.documents.map(\.id))
            return
          }
        }
      }
      group.addTask {
        try await withThrowingTaskGroup(of: Void.self) { writers in
          for writer in 0..<3 {
            writers.addTask {
              var random = SplitMix64(seed: UInt64(writer))
              for _ in 0..<100 {
                let document = try tasks.document(
                  "\(writer)-\(Int.random(in: 0..<8, using: &random))")
                if random.oneIn(3) {
                  try await document.delete()
                } else {
                  let number = Int64.random(in: 0..<100, using: &random)
                  try await document.setData(["n": .integer(number)])
                }
              }
            }
          }
          try await writers.waitForAll()
        }
        try await tasks.document("end").setData(["n": -1])
      }
      try await group.waitForAll()
    }
    #expect(database.listenerCount == 0)
  }
}

/// A registration that its own closure removes, which may be called before the registration exists.
private final class RegistrationBox: Sendable {
  private let state = Lock<(registration: ListenerRegistration?, isRemoved: Bool)>((nil, false))

  func hold(_ registration: ListenerRegistration) {
    let isRemoved = state.withLock { state in
      state.registration = registration
      return state.isRemoved
    }
    if isRemoved { registration.remove() }
  }

  func remove() {
    let registration = state.withLock { state in
      state.isRemoved = true
      return state.registration
    }
    registration?.remove()
  }
}
