import Foundation
import HearthFirebase
import Testing

@Suite struct ListenerTests {
  private let firestore: Firestore
  private let tasks: CollectionReference

  init() throws {
    firestore = try Firestore.inMemory()
    tasks = firestore.collection("tasks")
  }

  /// Returns the calls of a listener: a text per call, and an end when the listener ends.
  private func events(
    _ listen: (AsyncStream<String>.Continuation) -> any ListenerRegistration
  ) -> (stream: AsyncStream<String>, registration: any ListenerRegistration) {
    let (stream, continuation) = AsyncStream.makeStream(of: String.self)
    return (stream, listen(continuation))
  }

  private func describe(_ snapshot: QuerySnapshot) -> String {
    let changes = snapshot.documentChanges.map { change in
      let indexes = [change.oldIndex, change.newIndex].map {
        $0 == UInt(NSNotFound) ? "-" : "\($0)"
      }
      return "\(change.type) \(change.document.documentID) \(indexes.joined(separator: ">"))"
    }
    return changes.joined(separator: ", ")
  }

  @Test func `a query's listener is told of changes`() async throws {
    withoutWaiting { tasks.document("b").setData(["n": 2]) }
    let (stream, registration) = events { continuation in
      tasks.order(by: "n").addSnapshotListener { snapshot, error in
        continuation.yield(snapshot.map(describe) ?? "\(error!)")
      }
    }
    var iterator = stream.makeAsyncIterator()
    // The first snapshot has the write, for which no call waited.
    #expect(await iterator.next() == "added b ->0")
    try await tasks.document("a").setData(["n": 1])
    #expect(await iterator.next() == "added a ->0")
    try await tasks.document("a").updateData(["n": 3])
    #expect(await iterator.next() == "modified a 0>1")
    try await tasks.document("b").delete()
    #expect(await iterator.next() == "removed b 0>-")
    registration.remove()
    registration.remove()
  }

  @Test func `a document's listener is told of changes`() async throws {
    let document = tasks.document("a")
    let (stream, registration) = events { continuation in
      document.addSnapshotListener(includeMetadataChanges: true) { snapshot, error in
        continuation.yield("\(snapshot?["n"] as? Int ?? -1)")
      }
    }
    var iterator = stream.makeAsyncIterator()
    #expect(await iterator.next() == "-1")
    try await document.setData(["n": 1])
    #expect(await iterator.next() == "1")
    registration.remove()
  }

  @Test func `an error is the only call`() async throws {
    for query in [
      tasks.whereField("userId", isEqualTo: "me").order(by: "n"),
      tasks.whereField("a..b", isEqualTo: 1),
    ] {
      let (stream, _) = events { continuation in
        query.addSnapshotListener { snapshot, error in
          continuation.yield(error?.localizedDescription ?? "none")
          // After all other calls that were due, including those of the write below.
          tasks.addSnapshotListener { snapshot, _ in
            guard snapshot?.isEmpty == false else { return }
            firestore.settings.dispatchQueue.async { continuation.finish() }
          }
        }
      }
      try await tasks.document("a").setData(["userId": "me", "n": 1])
      var messages: [String] = []
      for await message in stream { messages.append(message) }
      #expect(messages.count == 1)
      #expect(
        messages[0].hasPrefix("The query requires an index.")
          || messages[0].hasPrefix("Invalid field path (a..b)."))
    }
  }

  @Test func `a listener that was removed at once is never called`() async throws {
    // On the queue that would call them, so that no call comes before the removal.
    firestore.settings.dispatchQueue.sync {
      let registration = tasks.addSnapshotListener { _, _ in
        Issue.record("It was called.")
      }
      registration.remove()
      let failing = tasks.whereField("a..b", isEqualTo: 1).addSnapshotListener { _, _ in
        Issue.record("It was called.")
      }
      failing.remove()
    }
    try await tasks.document("a").setData([:])
    let (stream, _) = events { continuation in
      tasks.addSnapshotListener { snapshot, _ in continuation.yield("\(snapshot?.count ?? -1)") }
    }
    // Listeners share their queue: the others' turn would have come.
    for await count in stream {
      #expect(count == "1")
      break
    }
  }

  @Test func `snapshots are a sequence`() async throws {
    withoutWaiting { tasks.document("b").setData(["n": 2]) }
    var counts: [Int] = []
    for try await snapshot in tasks.snapshots {
      counts.append(snapshot.count)
      if counts.count == 2 { break }
      try await tasks.document("a").setData(["n": 1])
    }
    #expect(counts == [1, 2])
    for try await snapshot in tasks.document("a").snapshots {
      #expect(snapshot.exists)
      break
    }
    await #expect(throws: NSError.self) {
      for try await _ in tasks.whereField("x", isEqualTo: 1).order(by: "n").snapshots {}
    }
  }
}
