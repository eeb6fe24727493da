import Dispatch
import HearthFirebase
import Testing

/// The snapshots that come, and their order, if a program's queue is busy.
@Suite struct SnapshotOrderTests {
  private let firestore: Firestore
  private let tasks: CollectionReference
  /// The queue of all calls.
  private var queue: DispatchQueue { firestore.settings.dispatchQueue }

  init() throws {
    firestore = try Firestore.inMemory()
    tasks = firestore.collection("tasks")
  }

  @Test func `a listener and a write in one turn are two snapshots`() async throws {
    // Repeated with new queries, since it is chance whether both become one snapshot.
    for round in 0..<20 {
      let query = tasks.whereField("round", isEqualTo: round)
      let (stream, continuation) = AsyncStream.makeStream(of: [String].self)
      let written = DispatchSemaphore(value: 0)
      let (firestore, tasks) = (firestore, tasks)
      let turn: @Sendable () -> Void = {
        query.addSnapshotListener { snapshot, _ in
          continuation.yield(snapshot?.documents.map { $0.documentID } ?? [])
        }
        tasks.document("a\(round)").setData(["round": round])
        // The turn ends when the write is over, on another thread.
        _Concurrency.Task {
          try? await firestore.waitForPendingWrites()
          written.signal()
        }
        written.wait()
      }
      queue.async(execute: turn)
      var iterator = stream.makeAsyncIterator()
      #expect(await iterator.next() == [])
      #expect(await iterator.next() == ["a\(round)"])
    }
  }

  @Test func `what changes while the queue is busy is one snapshot`() async throws {
    let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
    tasks.addSnapshotListener { snapshot, _ in continuation.yield(snapshot?.count ?? -1) }
    var iterator = stream.makeAsyncIterator()
    #expect(await iterator.next() == 0)
    let busy = DispatchSemaphore(value: 0)
    queue.async { busy.wait() }
    for id in 0..<50 { try await tasks.document("\(id)").setData([:]) }
    busy.signal()
    var counts: [Int] = []
    while counts.last != 50, let count = await iterator.next() { counts.append(count) }
    // The one that was under way, those that joined it, and at most two more looks at the commits
    // up to then.
    #expect(counts.count <= 4)
    #expect(counts == counts.sorted())
  }

  @Test func `listeners take options`() async throws {
    let options = SnapshotListenOptions().withSource(.cache).withIncludeMetadataChanges(true)
    #expect(options.source == .cache)
    #expect(options.includeMetadataChanges)
    #expect(SnapshotListenOptions().source == .default)
    #expect(!SnapshotListenOptions().withSource(.cache).includeMetadataChanges)
    #expect(SnapshotListenOptions().withSource(.cache) != options)
    let (stream, continuation) = AsyncStream.makeStream(of: String.self)
    let document = tasks.document("a")
    let listeners = [
      tasks.addSnapshotListener(options: options) { snapshot, _ in
        continuation.yield("\(snapshot?.count ?? -1) \(snapshot?.metadata.isFromCache ?? true)")
      }
    ]
    var iterator = stream.makeAsyncIterator()
    #expect(await iterator.next() == "0 false")
    try await document.setData([:])
    #expect(await iterator.next() == "1 false")
    listeners.forEach { $0.remove() }
    document.addSnapshotListener(options: options) { snapshot, _ in
      continuation.yield("\(snapshot?.exists ?? false)")
    }
    #expect(await iterator.next() == "true")
  }

  @Test func `in sync is behind all listeners that a change concerns`() async throws {
    let (stream, continuation) = AsyncStream.makeStream(of: String.self)
    let even = tasks.whereField("even", isEqualTo: true)
    let inSync = firestore.addSnapshotsInSyncListener { continuation.yield("in sync") }
    var iterator = stream.makeAsyncIterator()
    // At once, since no other call waits.
    #expect(await iterator.next() == "in sync")
    tasks.addSnapshotListener { snapshot, _ in
      continuation.yield("all \(snapshot?.count ?? -1)")
    }
    even.addSnapshotListener { snapshot, _ in
      continuation.yield("even \(snapshot?.count ?? -1)")
    }
    for number in 1...20 {
      try await tasks.document("\(number)").setData(["even": true])
      var missing: Set = ["all \(number)", "even \(number)"]
      while !missing.isEmpty, let event = await iterator.next() { missing.remove(event) }
      // A call in sync follows the last of them.
      while let event = await iterator.next(), event != "in sync" {}
    }
    inSync.remove()
    inSync.remove()
  }

  @Test func `a removed listener in sync holds nothing`() async throws {
    final class Screen: Sendable {}
    var screen: Screen? = Screen()
    weak let held = screen
    let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
    let registration = firestore.addSnapshotsInSyncListener { [screen] in
      withExtendedLifetime(screen) { _ = continuation.yield() }
    }
    screen = nil
    var iterator = stream.makeAsyncIterator()
    await iterator.next()
    // After the call that delivered it.
    await withCheckedContinuation { turn in queue.async { turn.resume() } }
    #expect(held != nil)
    registration.remove()
    #expect(held == nil)
  }
}
