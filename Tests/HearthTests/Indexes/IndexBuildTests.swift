import HearthAdminSocket
import HearthDocumentEngine
import HearthDocumentModel
import HearthEngineUpkeep
import HearthFirestoreJSON
import Hearth
import HearthOrderedStore
import Testing

/// Builds that no call waits for, and builds that a call follows.
@Suite struct IndexBuildTests {
  private func definition(_ names: String...) -> IndexDefinition {
    IndexDefinition("c", names.map { IndexColumn(FieldPath(unchecked: [$0]), .ascending) })
  }

  private func filled(
    _ store: any OrderedStore = MemoryStore(), count: Int = 600
  ) throws -> Database {
    var settings = EngineSettings()
    settings.build.chunkDocumentCount = 50
    let database = try Database.over(store, settings: settings)
    for start in stride(from: 0, to: count, by: 100) {
      _ = try database.commitRequest(
        (start..<start + 100).map { number in
          .set(
            ResourcePath(unchecked: ["c", "\(number)"]),
            ["a": .integer(Int64(number % 5)), "b": .integer(Int64(number))])
        })
    }
    return database
  }

  @Test func updatesTellUpToTheEnd() async throws {
    let database = try filled()
    let builds = try await database.indexes.begin([definition("a", "b"), definition("b", "a")])
    for build in builds {
      var last: IndexBuild.Status?
      for await status in build.updates {
        #expect(status.fraction >= last?.fraction ?? 0)
        last = status
      }
      #expect(last?.state == .ready)
      #expect(last?.documentsDone == 600 && last?.entriesWritten == 600)
    }
    #expect(try await database.indexes.list().allSatisfy { $0.state == .ready })
    #expect(try await database.verify().isClean)
    // A sequence that begins late receives the end.
    for await status in builds[0].updates { #expect(status.isFinished) }
  }

  @Test func aBuildContinuesAtTheNextOpen() async throws {
    let store = MemoryStore()
    let engine = try Engine(store)
    _ = try engine.commit([.set(ResourcePath("c/1"), ["a": 1, "b": 2])])
    _ = try engine.builds.begin([definition("a", "b")])

    let database = try Database.over(store)
    for build in try await database.indexes.builds() {
      for await _ in build.updates {}
    }
    #expect(try await database.indexes.list().map(\.state) == [.ready])
    #expect(try await database.verify().isClean)
  }

  @Test func aPausedBuildIsResumedOrCancelled() async throws {
    let database = try filled()
    try database.indexes.setPace(BuildPace(documentsPerSecond: 1))
    let builds = try await database.indexes.begin([definition("a", "b"), definition("b", "a")])
    for build in builds { try await build.pause() }
    #expect(try builds.map { try $0.status().state } == [.paused, .paused])
    #expect(try await database.indexes.list().map(\.state) == [.creating, .creating])
    let byA = try database.collection("c").whereField("a", isEqualTo: 1).order(by: "b")
    let missing = failure { _ = try byA.getDocuments() }?.missingIndex
    #expect(missing?.isBuilding == true)
    // The build is paused: its progress doesn't change between the two.
    #expect(missing?.progress == (try await builds[0].status().fraction))
    try await builds[1].cancel()
    #expect(try await builds[1].status().state == .cancelled)
    try database.indexes.setPace(.unlimited)
    try await builds[0].resume()
    try await builds[0].wait()
    #expect(try await builds[0].status().state == .ready)
    #expect(try await database.indexes.list().map(\.definition) == [definition("a", "b")])
    #expect(code { try builds[0].pause() } == .failedPrecondition)
    #expect(code { _ = try database.indexes.build(of: definition("b", "a")) } == .notFound)
  }

  @Test func aFailedBuildNamesTheDocument() async throws {
    let database = try filled()
    let long = Value.string(String(repeating: "x", count: 1500))
    let names = (0..<6).map { "f\($0)" }
    _ = try database.commitRequest([
      .set(ResourcePath(unchecked: ["c", "wide"]), MapValue(names.map { ($0, long) }))
    ])
    let wide = IndexDefinition(
      "c", names.map { IndexColumn(FieldPath(unchecked: [$0]), .ascending) })
    await #expect(throws: DatabaseError.self) {
      try await database.indexes.createAll([definition("a", "b"), wide])
    }
    #expect(try await database.indexes.list().map(\.definition) == [definition("a", "b")])
    for build in try await database.indexes.builds() {
      let status = try await build.status()
      #expect(try text(received(status)) == text(status))
    }
    let failed = try await database.indexes.builds().compactMap { build in
      let status = try build.status()
      return status.state == .failed ? status : nil
    }
    #expect(failed.map(\.subject) == [.index(wide)])
    #expect(failed.first?.error?.message == "c/wide: Index entry is too large.")
  }

  /// A reader of the updates receives the error that stops the steps, and doesn't wait while no
  /// steps are made. The limit ends a wait that would have no end; other tests may delay this one
  /// for minutes.
  @Test(.timeLimit(.minutes(30))) func updatesTellWhatIsInTheWay() async throws {
    let store = MemoryStore()
    let database = try filled(store, count: 100)
    let cursor = try store.makeSnapshot().makeCursor()
    try cursor.seek(to: [UInt8(ascii: "d")])
    let (first, record) = ([UInt8](copying: cursor.key), [UInt8](copying: cursor.value))
    func put(_ record: [UInt8]) throws {
      var batch = StoreBatch()
      batch.put(first, record)
      try store.write(batch)
      // A commit makes a new view, which sees the put.
      _ = try database.commitRequest([
        .set(ResourcePath("d/1"), ["n": .integer(Int64(record.count))])
      ])
    }
    try put([0xFF])
    let build = try await database.indexes.begin([definition("a", "b")])[0]
    for _ in 0..<2 {
      var last: IndexBuild.Status?
      for await status in build.updates { last = status }
      #expect(last?.state == .building && last?.error?.code == .dataLoss)
      #expect(last?.error?.message.hasPrefix("Document 1: ") == true)
    }
    try put(record)
    var last: IndexBuild.Status?
    while last?.isFinished != true {
      try Task.checkCancellation()
      for await status in build.updates { last = status }
    }
    #expect(last?.state == .ready && last?.error == nil)
    #expect(try await database.verify().isClean)
  }

  @Test func aPartOutsideOfAllBoundsIsRefused() throws {
    let database = try filled()
    let build = try database.indexes.begin([definition("a", "b")])[0]
    var status = try build.status()
    for fraction in [1e300, -0.1] {
      status.fraction = fraction
      #expect(code { _ = try received(status) } == .invalidArgument)
    }
  }

  @Test func closingBreaksABuildOffThatGoesOnLater() async throws {
    let store = MemoryStore()
    let database = try filled(store)
    let build = try await database.indexes.begin(
      [definition("a", "b")], pace: BuildPace(documentsPerSecond: 1))[0]
    // The sequence ends with the database, and not with the build.
    let updates = build.updates.makeAsyncIterator()
    try await database.close()
    var iterator = updates
    var last: IndexBuild.Status?
    while let status = await iterator.next() { last = status }
    #expect(last?.isFinished == false)
  }

  private func text(_ message: some Encodable) -> String {
    var bytes: [UInt8] = []
    AdminEncoder.append(message, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns what the other side of the admin socket reads of a message.
  private func received<Message: Codable>(_ message: Message) throws(DatabaseError) -> Message {
    do {
      return try AdminDecoder.read(from: JSONValue(parsing: Array(text(message).utf8)))
    } catch let error as DatabaseError {
      throw error
    } catch {
      throw DatabaseError(.internal, "\(error)")
    }
  }

  @Test func paceAndSubjectsCrossTheAdminSocket() throws {
    for subject: IndexBuild.Subject in [
      .index(definition("a", "b")), .covering(definition("a")),
      .fields(collectionGroup: "c", field: nil),
      .fields(collectionGroup: "c", field: FieldPath(unchecked: ["a", "b"])),
      .timeToLive(collectionGroup: "c", field: FieldPath(unchecked: ["a", "b"])),
    ] {
      #expect(try received(subject) == subject)
    }
    let pace = BuildPace(documentsPerSecond: 10, maximumLatency: .milliseconds(3))
    #expect(try received(pace) == pace)
    for number in [1e300, -1, .nan, .infinity] {
      let json = JSONValue.object([("maximumMicroseconds", .double(number))])
      #expect(
        code { _ = try AdminDecoder.read(BuildPace.self, from: json) } == .invalidArgument)
    }
    let database = try filled(count: 0)
    for latency in [.zero, .seconds(-1), .nanoseconds(1), .seconds(90_000)] as [Duration] {
      let pace = BuildPace(maximumLatency: latency)
      #expect(code { try database.indexes.setPace(pace) } == .invalidArgument)
    }
    #expect(
      code {
        _ = try database.indexes.begin(
          [definition("b", "a")], pace: BuildPace(documentsPerSecond: .nan))
      } == .invalidArgument)
    #expect(try database.indexes.builds().isEmpty)
  }
}
