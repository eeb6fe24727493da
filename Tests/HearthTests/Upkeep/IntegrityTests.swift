import Hearth
import HearthOrderedStore
import Testing

/// Times to live, repairs and quick checks through the calls of an application.
@Suite struct IntegrityTests {
  private let field = FieldPath(unchecked: ["end"])

  @Test func documentsGoByTheirTime() throws {
    let database = try Database.inMemory()
    let sessions = try database.collection("sessions")
    let past = try Timestamp(seconds: 1_000_000, nanoseconds: 0)
    try sessions.document("old").setData(["end": .timestamp(past)])
    try sessions.document("new").setData(["end": .timestamp(.maximum)])
    try database.timesToLive.set(field, in: "sessions", offsetSeconds: 60)
    try database.timesToLive.set(field, in: "visits")
    let policies = try database.timesToLive.list()
    #expect(policies.map(\.collectionGroup) == ["sessions", "visits"])
    #expect(policies.map(\.offsetSeconds) == [60, 0])
    #expect(policies.map(\.state) == [.ready, .ready])
    try database.timesToLive.sweep()
    #expect(try sessions.getDocuments().documents.map(\.id) == ["new"])
    try database.timesToLive.remove(field, in: "sessions")
    try database.timesToLive.remove(field, in: "visits")
    #expect(try database.timesToLive.list().isEmpty)
    #expect(throws: DatabaseError.self) { try database.timesToLive.remove(field, in: "visits") }
    #expect(try database.verify().isClean)
    try database.close()
  }

  @Test func asynchronousCallsDoTheSame() async throws {
    let database = try Database.inMemory()
    let session = try database.document("sessions/old")
    try await session.setData(["end": .timestamp(.minimum)])
    try await database.timesToLive.set(field, in: "sessions")
    try await database.timesToLive.sweep()
    #expect(try await !session.getDocument().exists)
    try await database.timesToLive.remove(field, in: "sessions")
    try await database.indexes.keepSums()
    #expect(try await database.verifyQuickly().isClean)
    #expect(try await database.repair().isClean)
    try await database.close()
  }

  /// After a change of indexes without sums, the sums are made in the background, after a build by
  /// any thread. The limit ends a wait that would have no end; other tests may delay this one for
  /// minutes.
  @Test(.timeLimit(.minutes(30))) func sumsComeBackAfterAChangeOfIndexes() async throws {
    let database = try Database.inMemory()
    try await database.document("c/1").setData(["a": 1, "b": 2, "end": .timestamp(.maximum)])
    try await database.indexes.keepSums()
    func expectSummed() async throws {
      while try await !database.verifyQuickly(sampleCount: 0).unsummed.isEmpty {
        try Task.checkCancellation()
        await Task.yield()
      }
    }
    let (a, b) = (FieldPath(unchecked: ["a"]), FieldPath(unchecked: ["b"]))
    let index = IndexDefinition("c", [IndexColumn(a, .ascending), IndexColumn(b, .ascending)])
    try await database.indexes.setOverride([SingleFieldIndex(.ascending)], of: a, in: "c")
    try await expectSummed()
    try await database.indexes.create(index)
    try await expectSummed()
    try await database.indexes.tune(index, covering: true)
    try await expectSummed()
    try await database.timesToLive.set(field, in: "c")
    try await database.indexes.removeOverride(of: a, in: "c")
    try await expectSummed()
    #expect(try await database.verifyQuickly().summedCount == 6)
    #expect(try await database.verify().isClean)
    try await database.close()
  }

  @Test func listenersSeeWhatGoes() throws {
    let database = try Database.inMemory()
    let sessions = try database.collection("sessions")
    try sessions.document("old").setData(["end": .timestamp(.minimum)])
    let sizes = Lock<[Int]>([])
    let registration = sessions.addSnapshotListener { result in
      if case .success(let snapshot) = result { sizes.withLock { $0.append(snapshot.count) } }
    }
    sizes.withLock(when: { $0.last == 1 }) { _ in }
    try database.timesToLive.set(field, in: "sessions")
    try database.timesToLive.sweep()
    sizes.withLock(when: { $0.last == 0 }) { _ in }
    registration.remove()
    try database.close()
  }

  @Test func entriesAreCheckedAndMended() throws {
    let store = MemoryStore()
    let database = try Database.over(store)
    let cities = try database.collection("cities")
    for number in 0..<50 {
      try cities.document("\(number)").setData(["n": .integer(Int64(number))])
    }
    #expect(try database.indexes.keepsSums() == false)
    try database.indexes.keepSums()
    #expect(try database.indexes.keepsSums())
    let clean = try database.verifyQuickly(sampleCount: 10, seed: 3)
    #expect(clean.isClean && clean.summedCount == 4 && !clean.isExhaustive && clean.seed == 3)
    #expect(clean.findings.documentCount == 10)
    // Beneath the database, as a fault would do it.
    let cursor = try store.makeSnapshot().makeCursor()
    try cursor.seek(to: [0x61])
    var batch = StoreBatch()
    batch.delete([UInt8](copying: cursor.key))
    try store.write(batch)
    // Between two commits all reads have one view, which is older than the fault.
    try database.document("towns/1").setData(["n": 1])
    let damaged = try database.verifyQuickly()
    #expect(damaged.isExhaustive && damaged.findings.problems.map(\.kind) == ["missing entry"])
    let report = try database.repair()
    #expect(report.putCount == 1 && report.deletedCount == 0 && report.isClean)
    #expect(try database.repair().putCount == 0)
    #expect(try database.verify().isClean)
    try database.indexes.keepSums(false)
    try database.close()
  }
}
