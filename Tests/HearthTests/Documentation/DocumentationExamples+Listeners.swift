import Hearth
import Testing

// The code of Listeners.md, word for word: DocumentationTests compares the two.

@Suite struct ListenersExamples {
  func printTasks(of user: String, in database: Database) async throws {
    let tasks = try database.collection("tasks")
      .whereField("userId", isEqualTo: .string(user)).order(by: "createdTime")
    for try await snapshot in tasks.snapshots {
      print("\(snapshot.count) tasks")
      for change in snapshot.documentChanges {
        print(change.kind, change.document.id)
      }
    }
  }

  func waitUntilDone(_ task: DocumentReference) async throws {
    for try await snapshot in task.snapshots {
      if try snapshot.value("done")?.booleanValue == true { return }
    }
  }

  func listen(
    to tasks: Query, _ show: @escaping @Sendable ([DocumentSnapshot]) -> Void
  ) -> ListenerRegistration {
    tasks.addSnapshotListener { result in
      switch result {
      case .success(let snapshot): show(snapshot.documents)
      case .failure(let error): print("The listener has ended: \(error)")
      }
    }
  }

  func apply(_ changes: [DocumentChange], to rows: inout [DocumentSnapshot]) {
    for change in changes {
      if let index = change.oldIndex { rows.remove(at: index) }
      if let index = change.newIndex { rows.insert(change.document, at: index) }
    }
  }

  private let database: Database
  private let tasks: CollectionReference
  private let query: Query

  init() throws {
    database = try Database.inMemory()
    tasks = try database.collection("tasks")
    query = try tasks.whereField("userId", isEqualTo: "ada").order(by: "createdTime")
  }

  private func createIndex() throws {
    let missing = try #require(failure { _ = try query.ids() }?.missingIndex)
    try database.indexes.create(missing)
  }

  @Test func isRefusedAndThenEndsWithItsTask() async throws {
    let error = await code { try await printTasks(of: "ada", in: database) }
    #expect(error == .failedPrecondition)
    try createIndex()
    let loop = Task { try await printTasks(of: "ada", in: database) }
    loop.cancel()
    _ = await loop.result
  }

  @Test func waitsUntilItIsDone() async throws {
    let task = try tasks.document("milk")
    async let wait: Void = waitUntilDone(task)
    try await task.setData(["done": false])
    try await task.updateData(["done": true])
    try await wait
  }

  @Test func callsTheClosure() async throws {
    try createIndex()
    let (snapshots, continuation) = AsyncStream.makeStream(of: [DocumentSnapshot].self)
    let registration = listen(to: query) { continuation.yield($0) }
    var rows = snapshots.makeAsyncIterator()
    #expect(await rows.next()?.isEmpty == true)
    try await tasks.document("milk").setData(["userId": "ada", "createdTime": .serverTimestamp])
    #expect(await rows.next()?.map(\.id) == ["milk"])
    registration.remove()
  }

  @Test func keepsAListInStep() async throws {
    try createIndex()
    var rows: [DocumentSnapshot] = []
    var snapshots = query.snapshots.makeAsyncIterator()
    for (id, time) in [("b", 2), ("a", 1), ("c", 3), ("b", 4)] {
      try await tasks.document(id).setData(["userId": "ada", "createdTime": .integer(Int64(time))])
      let snapshot = try #require(try await snapshots.next())
      apply(snapshot.documentChanges, to: &rows)
      #expect(rows.map(\.id) == snapshot.documents.map(\.id))
    }
    #expect(rows.map(\.id) == ["a", "c", "b"])
  }
}
