import HearthAdminSocket
import HearthDocumentModel
import HearthFirestoreJSON
import Foundation
import Hearth
import HearthQueryPlanning
import TestSupport
import Testing

/// Calls on a database that is open in this process: over the socket they have the same answers as
/// without it.
@Suite struct CallTests {
  private let folder: TemporaryFolder
  private let database: Database
  private var path: String { folder.path(of: "cities.hearth") }

  init() throws {
    folder = try TemporaryFolder()
    var options = Database.Options()
    // The answers don't depend on the disk.
    options.isDurable = false
    database = try Database.open(at: folder.path(of: "cities.hearth"), options: options)
    let cities = try database.collection("cities")
    for number in 0..<20 {
      try cities.document("city\(number)").setData([
        "n": .integer(Int64(number)), "c": .string(number % 3 == 0 ? "JP" : "DÉ \"\\\u{1}"),
        "d": .double(number == 7 ? .nan : -0.0), "t": .array([.integer(1), .string("é")]),
        "v": .vector([1, 2]), "b": .bytes([0, 255]),
        "r": .reference(try DocumentName(ResourcePath("a/b"), in: .default)),
      ])
    }
    try database.indexes.create(
      IndexDefinition(
        "cities",
        [
          IndexColumn(try FieldPath("c"), .ascending), IndexColumn(try FieldPath("n"), .descending),
        ]))
    try database.indexes.setOverride(
      [SingleFieldIndex(.ascending)], of: try FieldPath("`a b`.c"), in: "cities")
    try database.indexes.setOverride([], of: nil, in: "quiet")
    try database.indexes.keepCounts(of: [FieldPath("c")], in: "cities")
  }

  private func client() throws -> AdminClient {
    try #require(try AdminClient.connect(folder: path))
  }

  /// Returns the call's items and answer as JSON, and the same over the socket.
  private func answers<Call: DatabaseCall>(
    _ call: Call, isTimed: Bool = false
  ) throws -> (own: [String], remote: [String]) {
    func text(_ message: some Encodable) -> String {
      WireTranscript.text(message)
        .replacing(/"(planning|findingEntries|readingDocuments)":[0-9]+/) { "\($0.output.1)" }
    }
    var own: [String] = []
    own.append(text(try call.perform(on: database) { own.append(text($0)) }))
    var remote: [String] = []
    remote.append(text(try client().run(call) { remote.append(text($0)) }))
    return (own, remote)
  }

  private func expectSame(_ call: some DatabaseCall) throws {
    let (own, remote) = try answers(call)
    #expect(own == remote)
    #expect(!own.isEmpty)
  }

  @Test func answersAreTheSameOverTheSocket() throws {
    let cities = try database.collection("cities").query
    let japan = try cities.whereField("c", isEqualTo: "JP").order(by: "n", descending: true)
    try expectSame(QueryCall(RunnableQuery(cities)))
    try expectSame(QueryCall(RunnableQuery(japan.limit(to: 3))))
    try expectSame(QueryCall(RunnableQuery(cities.order(by: "n").limit(toLast: 4))))
    try expectSame(QueryCall(RunnableQuery(cities), at: database.snapshot().readTime))
    try expectSame(CountCall(RunnableQuery(japan)))
    try expectSame(
      AggregateCall(
        [.count(as: "é"), .sum(try FieldPath("n")), .count(upTo: 2, as: "two")],
        of: RunnableQuery(cities)))
    for extent in [ExplainCall.Extent.plan, .run, .answer] {
      try expectSame(ExplainCall(RunnableQuery(japan), extent))
      try expectSame(
        ExplainCall(RunnableQuery(cities), aggregating: [.count(as: "all")], extent))
    }
    let merged = try cities.whereField("c", isEqualTo: "JP").whereField("n", isEqualTo: 3)
    try expectSame(ExplainCall(RunnableQuery(merged), .plan))
    #expect(try merged.explain(running: false).indexesReplacingMerges.count == 1)
    try expectSame(IndexesNotUsedCall(RunnableQuery(japan), aggregating: []))
    try expectSame(IndexListCall())
    try expectSame(SingleFieldIndexesCall(of: try FieldPath("`a b`.c"), in: "cities"))
    try expectSame(VerifyCall())
    try expectSame(QuickVerifyCall(sampleCount: 5, seed: .max))
    try expectSame(RepairCall())
    try database.indexes.keepSums()
    try expectSame(SumsCall(areKept: true))
    try expectSame(TimeToLiveListCall())
    let timeToLive = TimeToLiveSetCall(
      try FieldPath("`a b`.c"), in: "cities", offsetSeconds: 2_147_483_647)
    // Only the first call builds, and reports its progress.
    _ = try timeToLive.perform(on: database) { _ in }
    try expectSame(timeToLive)
    try expectSame(SweepCall())
    let remove = TimeToLiveRemoveCall(try FieldPath("`a b`.c"), in: "cities")
    _ = try client().run(remove) { _ in }
    #expect(throws: DatabaseError.self) { try client().run(remove) { _ in } }
    _ = try client().run(QuickVerifyCall(sampleCount: 5, seed: nil)) { _ in }
    // The second index serves the queries of the first.
    let narrow = try Self.composite("n", "c")
    try database.indexes.create(narrow)
    try database.indexes.create(
      IndexDefinition("cities", narrow.columns, scope: .collectionGroup))
    #expect(try !RedundantIndexesCall().perform(on: database) { _ in }.elements.isEmpty)
    try expectSame(RedundantIndexesCall())
    try expectSame(IndexFileCall())
    try expectSame(IndexListCall())
    try expectSame(IndexBuildsCall(isAwaited: true))
    // Background work on sums would be a commit between the two.
    try database.indexes.keepSums()
    try expectSame(StatisticsCall(countingEntries: true))
    try expectSame(StatisticsCall(countingEntries: false))
    try expectSame(CompactCall())
  }

  private static func composite(_ names: String...) throws -> IndexDefinition {
    IndexDefinition("cities", try names.map { IndexColumn(try FieldPath($0), .ascending) })
  }

  @Test func callsDoOverTheSocketWhatTheySay() throws {
    let client = try client()
    let index = try Self.composite("n", "c")
    let pace = BuildPace(documentsPerSecond: 1)
    let present = try client.run(IndexFileCall()) { _ in }.file
    var wanted = present
    wanted.composites.append(index)
    _ = try client.run(
      try IndexApplyCall(from: present, to: wanted, isAwaited: false, pace: pace)
    ) { _ in }
    #expect(database.indexes.pace == pace)
    let build = try database.indexes.build(of: index)
    _ = try client.run(IndexChangeCall(.pause, index)) { _ in }
    #expect(try build.status().state == .paused)
    let faster = BuildPace(documentsPerSecond: 1e6)
    _ = try client.run(IndexChangeCall(.resume, index, pace: faster)) { _ in }
    _ = try client.run(IndexBuildsCall(isAwaited: true)) { _ in }
    #expect(try build.status().state == .ready)

    func listed() throws -> IndexAdministration.CompositeIndex? {
      try database.indexes.list().first { $0.definition == index }
    }
    _ = try client.run(IndexChangeCall(.hide, index)) { _ in }
    #expect(try listed()?.isHidden == true)
    _ = try client.run(IndexChangeCall(.unhide, index)) { _ in }
    #expect(try listed()?.isHidden == false)
    _ = try client.run(CoveringCall(index, isCovering: true)) { _ in }
    #expect(try listed()?.isCovering == true)
    let counts = { (areKept: Bool) in
      KeptCountsCall(
        of: [try FieldPath("n")], in: "cities", scope: .collectionGroup, areKept: areKept)
    }
    _ = try client.run(counts(true)) { _ in }
    #expect(try database.indexes.keptCounts().contains { $0.scope == .collectionGroup })
    _ = try client.run(counts(false)) { _ in }
    #expect(try !database.indexes.keptCounts().contains { $0.scope == .collectionGroup })
  }

  @Test func explanationsReadTheSame() throws {
    let cities = try database.collection("cities").query
    let query = try RunnableQuery(
      cities.whereField("n", in: [1, 2, 3]).whereField("c", isEqualTo: "JP"))
    let call = ExplainCall(query, .plan)
    let own = try call.perform(on: database) { _ in }.explanation
    let remote = try client().run(call) { _ in }.explanation
    #expect(remote.tree == own.tree)
    #expect(remote.plan == own.plan)
  }

  @Test func aRefusalKeepsWhatItKnows() throws {
    let query = try RunnableQuery(
      database.collectionGroup("cities").whereField("c", isEqualTo: "JP")
        .order(by: "t").query)
    let call = QueryCall(query)
    let own = #expect(throws: DatabaseError.self) { try call.perform(on: database) { _ in } }
    let remote = #expect(throws: DatabaseError.self) { try client().run(call) { _ in } }
    #expect(own?.missingIndex != nil)
    #expect(remote?.missingIndex == own?.missingIndex)
    #expect(remote?.message == own?.message)
    #expect(remote?.code == own?.code)
  }

  @Test func theProgressOfABuildCrossesTheSocket() throws {
    let column = IndexColumn(try FieldPath("a"), .ascending)
    var missing = MissingIndex(
      index: IndexDefinition("cities", [column]), smaller: nil,
      building: [IndexDefinition("cities", [column])])
    #expect(try received(missing) == missing)
    missing.progress = 0.41
    #expect(try received(missing) == missing)
    missing.progress = 41
    #expect(throws: DatabaseError.self) { try received(missing) }
  }

  /// Returns what the other side reads of a message.
  private func received<Message: Codable>(_ message: Message) throws -> Message {
    try AdminDecoder.read(from: JSONValue(parsing: Array(WireTranscript.text(message).utf8)))
  }

  @Test func aQueryThatIsNestedTooDeepIsRefused() throws {
    var value = Value.integer(1)
    for _ in 0..<60 { value = .map(["a": value]) }
    let query = try database.collection("cities").whereField("m", isEqualTo: value)
    let error = #expect(throws: DatabaseError.self) { _ = try RunnableQuery(query) }
    #expect(error?.code == .invalidArgument)
  }

  // MARK: Builds

  @Test func buildsThatAreReadyAreNotToldOf() throws {
    #expect(try !database.indexes.builds().isEmpty)
    #expect(try client().run(IndexBuildsCall(isAwaited: true)) { _ in }.elements.isEmpty)
  }

  @Test func aBuildThatFailedIsToldOfUntilItsIndexIsThere() throws {
    let long = Value.string(String(repeating: "x", count: 1500))
    let names = (0..<6).map { "f\($0)" }
    let wide = try database.document("cities/wide")
    try wide.setData(MapValue(names.map { ($0, long) }))
    let index = IndexDefinition(
      "cities", try names.map { IndexColumn(try FieldPath($0), .ascending) })
    let client = try client()
    // Twice, but only the second call counts.
    for _ in 0..<2 {
      let call = IndexBuildCall([index], pace: nil, isAwaited: true)
      let error = #expect(throws: DatabaseError.self) { _ = try client.run(call) { _ in } }
      #expect(error?.details is FailedBuild)
    }
    let told = try client.run(IndexBuildsCall(isAwaited: true)) { _ in }.elements
    #expect(told.map(\.state) == [.failed] && told.map(\.subject) == [.index(index)])
    #expect(told.first?.error?.message == "cities/wide: Index entry is too large.")
    try wide.delete()
    _ = try client.run(IndexChangeCall(.create, index)) { _ in }
    #expect(try client.run(IndexBuildsCall(isAwaited: false)) { _ in }.elements.isEmpty)
  }

  /// Connects, and hangs up once a call is made.
  private func abandon(_ call: some DatabaseCall) throws {
    let socket = try UnixSocket.connected(to: path + "/admin.sock")
    var hello: [UInt8] = []
    _ = try socket.read(into: &hello, atMost: 4096)
    var line: [UInt8] = []
    AdminRequest.append(call, to: &line)
    try socket.write(line)
  }

  /// The limit ends a wait that would have no end; other tests may delay this one for minutes.
  @Test(.timeLimit(.minutes(30)))
  func aWaiterThatHasGoneHoldsUpNoConnection() async throws {
    let index = try Self.composite("n", "c")
    let present = try await database.indexes.file()
    var wanted = present
    wanted.composites.append(index)
    try addCities(500)
    // More than an hour's work.
    let pace = BuildPace(documentsPerSecond: 0.1)
    let build = try await database.indexes.begin([index], pace: pace)[0]
    // The number of calls that are served at once.
    for _ in 0..<4 {
      try abandon(IndexBuildsCall(isAwaited: true))
      try abandon(IndexBuildCall([index], pace: nil, isAwaited: true))
      try abandon(IndexChangeCall(.create, index))
      try abandon(try IndexApplyCall(from: wanted, to: wanted))
    }
    var isServed = false
    while !isServed {
      try Task.checkCancellation()
      do throws(DatabaseError) {
        isServed = try AdminClient.connect(folder: path) != nil
      } catch {
        try #require(error.code == .resourceExhausted)
        await Task.yield()
      }
    }
    // The build goes on.
    #expect(try await build.status().state == .building)
    try database.indexes.setPace(.unlimited)
    try await build.wait()
  }

  @Test func anIndexComesAndGoes() throws {
    let definition = IndexDefinition(
      "cities",
      [IndexColumn(try FieldPath("t"), .contains), IndexColumn(try FieldPath("n"), .ascending)])
    let client = try client()
    _ = try client.run(IndexChangeCall(.create, definition)) { _ in }
    #expect(try database.indexes.list().contains { $0.definition == definition })
    let error = #expect(throws: DatabaseError.self) {
      _ = try client.run(IndexChangeCall(.create, definition)) { _ in }
    }
    #expect(error?.code == .alreadyExists)
    #expect(try client.run(VerifyCall()) { _ in }.isClean)
    _ = try client.run(IndexChangeCall(.drop, definition)) { _ in }
    #expect(try !database.indexes.list().contains { $0.definition == definition })
  }

  @Test func aWatchedQueryReportsWrites() throws {
    let client = try client()
    let query = try RunnableQuery(
      database.collection("cities").whereField("n", isGreaterThanOrEqualTo: 18).order(by: "n"))
    var seen: [String] = []
    struct Enough: Error {}
    let watch = { (results: WatchedResults) throws in
      guard results.readTime != nil else { return }
      for change in results.changes {
        seen.append("\(change.kind) \(change.document.name.path) \(change.newIndex ?? -1)")
      }
      switch seen.count {
      case 2: try database.document("cities/city18").updateData(["n": 30])
      case 3: try database.document("cities/city19").delete()
      default: throw Enough()
      }
    }
    #expect(throws: Enough.self) { _ = try client.run(WatchCall(query), watch) }
    // Its listener ends too.
    try database.close()
    #expect(
      seen == [
        "added cities/city18 0", "added cities/city19 1", "modified cities/city18 1",
        "removed cities/city19 -1",
      ])
  }

  private func addCities(_ count: Int) throws {
    var batch = database.batch()
    for number in 0..<count {
      batch.setData(["n": 1, "c": 1], for: try database.document("cities/more\(number)"))
    }
    try batch.commit()
  }

  // MARK: Opening and closing

  @Test func aWaitingCallerIsToldOfTheClose() throws {
    try addCities(500)
    // So slow that progress is reported soon, and the build isn't done when the close comes.
    let call = IndexBuildCall(
      [try Self.composite("n", "c")], pace: BuildPace(documentsPerSecond: 1), isAwaited: true)
    let client = try client()
    let closed = Waiting()
    let error = #expect(throws: DatabaseError.self) {
      _ = try client.run(call) { [database] _ in
        Thread { closed.end(Result { try database.close() }) }.start()
      }
    }
    try closed.wait()
    #expect(error?.code == .aborted)
    #expect(error?.message.contains("It goes on when it is opened again.") == true)
    #expect(error?.details == nil)
  }

  @Test func closingEndsTheConnections() throws {
    let client = try client()
    try database.close()
    #expect(throws: ClosedConnection.self) { _ = try client.run(VerifyCall()) { _ in } }
    #expect(try AdminClient.connect(folder: path) == nil)
  }

  @Test func aReleasedDatabaseIsNotKeptOpen() throws {
    let other = folder.path(of: "other.hearth")
    do {
      let database = try Database.open(at: other)
      _ = try #require(try AdminClient.connect(folder: other))
      try database.document("a/b").setData([:])
    }
    #expect(try AdminClient.connect(folder: other) == nil)
    try Database.open(at: other).close()
  }

  @Test func administrationCanBeSwitchedOff() throws {
    var options = Database.Options()
    options.servesAdministration = false
    let other = folder.path(of: "other.hearth")
    let database = try Database.open(at: other, options: options)
    #expect(try AdminClient.connect(folder: other) == nil)
    #expect(database.openReport.administrationFailure == nil)
    try database.close()
  }
}
