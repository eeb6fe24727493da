import HearthAdminSocket
import HearthDocumentModel
import HearthFirestoreJSON
import Foundation
import Hearth
import HearthQueryPlanning
import TestSupport
import Testing

/// The bytes on the socket, which tools and applications of different releases exchange: they are
/// in a golden file for every call, with its request and its answer.
@Suite struct WireTests {
  private let folder: TemporaryFolder
  private let database: Database
  private let transcript: WireTranscript

  init() throws {
    folder = try TemporaryFolder()
    var options = Database.Options()
    options.isDurable = false
    // So that each answer depends on the calls before it alone.
    options.runsBackgroundWork = false
    options.acceptsToolWrites = true
    database = try Database.open(at: folder.path(of: "cities.hearth"), options: options)
    transcript = WireTranscript(socket: folder.path(of: "cities.hearth/admin.sock"))
    for number in 0..<6 {
      try database.document("cities/city\(number)").setData([
        "n": .integer(Int64(number)), "c": .string(number % 3 == 0 ? "JP" : "DÉ \"\\\u{1}"),
        "d": .double(number == 2 ? .nan : -0.0), "t": .array([.integer(1), .string("é")]),
        "v": .vector([1, Double(number)]), "b": .bytes([0, 255]),
        "r": .reference(try DocumentName(ResourcePath("a/b"), in: .default)),
        "at": .timestamp(try Timestamp(seconds: Int64(number), nanoseconds: 1000)),
      ])
    }
  }

  private static func index(
    _ columns: (String, IndexMode)..., scope: QueryScope = .collection,
    vector: VectorColumn? = nil
  ) throws -> IndexDefinition {
    let columns = try columns.map { IndexColumn(try FieldPath($0.0), $0.1) }
    return IndexDefinition("cities", columns, scope: scope, vector: vector)
  }

  @Test func everyCallHasItsBytes() throws {
    try callIndexes()
    try callQueries()
    try callUpkeep()
    try callDocuments()
    #expect(transcript.calls == Set(Database.calls.map { $0.name }))
    let difference = try Golden.difference(of: transcript.text, from: "wire/calls.golden")
    #expect(difference == nil, "\(difference ?? "")")
  }

  private func callDocuments() throws {
    let town = try ResourcePath("cities/é/towns/1")
    let time = try Timestamp(seconds: 1, nanoseconds: 1000)
    let transforms = [
      FieldTransform(try FieldPath("n"), .increment(.double(-0.5))),
      FieldTransform(try FieldPath("`a b`.c"), .arrayUnion([.string("x"), .null])),
    ]
    try transcript.run(CommitCall([.set(town, ["n": .integer(1)], transforms: transforms)]))
    try transcript.run(DocumentCall(town))
    try transcript.run(DocumentCall(ResourcePath("cities/none")))
    try transcript.run(CollectionsCall(below: .root))
    try transcript.run(CollectionsCall(below: ResourcePath("cities/é")))
    try transcript.run(CommitCall([.create(town, [:])]))
    try transcript.run(CommitCall([.verify(ResourcePath("cities/none"), .updateTime(time))]))
    try transcript.run(
      BatchWriteCall([
        .update(ResourcePath("cities/é/towns/2"), [(FieldPath("`a b`.c"), nil)]),
        .merge(ResourcePath("cities/é/towns/3"), ["m": .map(["a": true])]),
      ]))
    try transcript.run(CountBelowCall(ResourcePath("cities/é")))
    try transcript.run(RecursiveDeleteCall(ResourcePath("cities/é")))
  }

  private func callIndexes() throws {
    let index = try Self.index(("c", .ascending), ("n", .descending))
    let narrow = try Self.index(("n", .ascending), ("c", .ascending))
    let pace = BuildPace(documentsPerSecond: 7, maximumLatency: .microseconds(2500))
    try transcript.run(IndexBuildCall([index, narrow], pace: pace, isAwaited: false))
    try transcript.run(IndexChangeCall(.pause, index))
    try transcript.run(IndexBuildsCall(isAwaited: false))
    try transcript.run(IndexChangeCall(.cancel, narrow, pace: .unlimited))
    try transcript.run(IndexChangeCall(.resume, index))
    try transcript.run(IndexBuildsCall(isAwaited: true, pace: .unlimited))
    try transcript.run(IndexChangeCall(.create, Self.index(("`a b`.c", .contains))))
    try transcript.run(
      IndexChangeCall(.create, Self.index(vector: VectorColumn(FieldPath("v"), dimension: 2))))
    try transcript.run(IndexChangeCall(.create, index))
    try transcript.run(IndexChangeCall(.create, narrow))
    try transcript.run(
      IndexChangeCall(
        .create, Self.index(("n", .ascending), ("c", .ascending), scope: .collectionGroup)))
    try transcript.run(RedundantIndexesCall())
    try transcript.run(IndexChangeCall(.drop, narrow))
    try transcript.run(IndexChangeCall(.drop, narrow))
    try database.indexes.setOverride(
      [SingleFieldIndex(.descending, scope: .collectionGroup)], of: FieldPath("`a b`.c"),
      in: "towns")
    try database.indexes.setOverride([], of: nil, in: "towns")
    try transcript.run(CoveringCall(index, isCovering: true))
    try transcript.run(
      KeptCountsCall(of: [FieldPath("c")], in: "cities", scope: .collection, areKept: true))
    try transcript.run(
      KeptCountsCall(
        of: [FieldPath("`a b`.c"), FieldPath("n")], in: "cities", scope: .collectionGroup,
        areKept: true))
    try transcript.run(SingleFieldIndexesCall(of: FieldPath("`a b`.c"), in: "towns"))
    try transcript.run(IndexChangeCall(.hide, index))
    try transcript.run(IndexListCall())
    try transcript.run(IndexFileCall())
    let file = try database.indexes.file()
    var wanted = file
    wanted.composites.append(narrow)
    try transcript.run(
      IndexApplyCall(from: file, to: wanted, prunes: true, isAwaited: true, pace: .unlimited))
  }

  private func callQueries() throws {
    let cities = try database.collection("cities").query
    let japan = try RunnableQuery(
      cities.whereField("c", isEqualTo: "JP").order(by: "n", descending: true).limit(to: 2))
    // Its index is hidden.
    try transcript.run(QueryCall(japan))
    let index = try Self.index(("c", .ascending), ("n", .descending))
    try transcript.run(IndexChangeCall(.unhide, index))
    try transcript.run(QueryCall(japan))
    try transcript.run(
      QueryCall(
        RunnableQuery(cities.order(by: "n").limit(toLast: 1)),
        at: Timestamp(seconds: 253_402_300_799, nanoseconds: 0)))
    try transcript.run(
      QueryCall(
        RunnableQuery(
          database.collectionGroup("cities").whereField("d", isEqualTo: 1).order(by: "n").query)))
    try transcript.run(CountCall(japan))
    let aggregations: [Aggregation] = [
      .count(as: "é"), .sum(try FieldPath("n")), .count(upTo: 2, as: "two"),
    ]
    try transcript.run(AggregateCall(aggregations, of: RunnableQuery(cities)))
    for extent in [ExplainCall.Extent.plan, .run, .answer] {
      try transcript.run(ExplainCall(japan, extent))
    }
    try transcript.run(ExplainCall(RunnableQuery(cities), aggregating: aggregations, .answer))
    let merged = try cities.whereField("c", in: ["JP", "FR"]).whereField("n", isGreaterThan: 1)
      .order(by: "n").limit(to: 3)
    try transcript.run(ExplainCall(RunnableQuery(merged), .run))
    try transcript.run(IndexesNotUsedCall(japan, aggregating: [.count(as: "all")]))
    try transcript.watch(WatchCall(japan), on: database) { number in
      guard number == 0 else { return }
      var batch = database.batch()
      try batch.updateData(["n": 10], for: database.document("cities/city0"))
      batch.delete(try database.document("cities/city3"))
      try batch.commit()
    }
  }

  private func callUpkeep() throws {
    try transcript.run(VerifyCall())
    try transcript.run(SumsCall(areKept: true))
    try transcript.run(QuickVerifyCall(sampleCount: 2, seed: .max))
    try transcript.run(RepairCall())
    let field = try FieldPath("at")
    try transcript.run(TimeToLiveSetCall(field, in: "cities", offsetSeconds: 7))
    try transcript.run(TimeToLiveListCall())
    try transcript.run(SweepCall())
    try transcript.run(TimeToLiveRemoveCall(field, in: "cities"))
    try transcript.run(CompactCall())
    try transcript.run(StatisticsCall(countingEntries: false))
    try transcript.run(StatisticsCall(countingEntries: true))
  }

  // MARK: Messages that no call of a small database brings

  private static let index =
    #"{"collectionGroup":"c","queryScope":"COLLECTION","columns":"#
    + #"[{"names":["a","b c"],"mode":"ASCENDING"},{"names":["__name__"],"mode":"ASCENDING"}]}"#

  /// Statuses of each state, with every member.
  @Test(arguments: [
    #""subject":{"index":\#(index)},"state":"BUILDING""#,
    #""subject":{"covering":\#(index)},"state":"PAUSED""#,
    #""subject":{"collectionGroup":"c","names":["a"]},"state":"READY""#,
    #""subject":{"collectionGroup":"c"},"state":"CANCELLED""#,
    #""subject":{"collectionGroup":"c","timeToLive":["a"]},"state":"FAILED","error":"#
      + #"{"code":"INVALID_ARGUMENT","message":"c/1: no","isOfBuild":true,"cause":"why"}"#,
  ])
  func aBuildStatusHasItsBytes(start: String) throws {
    let progress = #","documentsDone":1,"documentsTotal":2,"fraction":0.5,"entriesWritten":3"#
    try expectSame(IndexBuild.Status.self, "{\(start)\(progress)}")
    try expectSame(
      IndexBuild.Status.self,
      "{\(start)\(progress)"
        + #","documentsPerSecond":4.0,"secondsLeft":0.25,"stalledSeconds":31.0}"#)
  }

  /// Values of the right kind that no build, refusal or index has.
  @Test func aMemberWithAnImpossibleValueIsNamed() throws {
    let progress = #""documentsDone":1,"documentsTotal":2,"fraction":1.5,"entriesWritten":3"#
    try expectRefused(
      IndexBuild.Status.self,
      #"{"subject":{"collectionGroup":"c"},"state":"READY",\#(progress)}"#, naming: "fraction")
    try expectRefused(
      MissingIndex.self, #"{"index":\#(Self.index),"building":[],"progress":-1.0,"hidden":[]}"#,
      naming: "progress")
    try expectRefused(
      IndexStatistics.self,
      #"{"kind":"field","definitions":[],"state":"READY","isHidden":false,"#
        + #""since":"2026-01-02T03:04:05Z","entryWriteCount":5}"#, naming: "definitions")
  }

  private func expectRefused<Message: Decodable>(
    _ type: Message.Type, _ text: String, naming member: String
  ) throws {
    let json = try JSONValue(parsing: Array(text.utf8))
    let error = #expect(throws: DatabaseError.self) { try AdminDecoder.read(type, from: json) }
    #expect(error?.message.contains("has no \(member),") == true, "\(String(describing: error))")
  }

  @Test func reportsOfFaultsHaveTheirBytes() throws {
    let problem = #"{"kind":"missing entry","subject":"cities/é: a"}"#
    let findings = #"{"documentCount":1,"entryCount":2,"problemCount":3,"problems":[\#(problem)]}"#
    try expectSame(VerificationReport.self, findings)
    try expectSame(
      QuickVerificationReport.self,
      #"{"findings":\#(findings),"keepsSums":true,"summedCount":1,"unsummed":["x"],"#
        + #""lookedUpCount":2,"tracedCount":3,"isExhaustive":false,"#
        + #""seed":"18446744073709551615"}"#)
    try expectSame(
      RepairReport.self,
      #"{"documentCount":1,"putCount":2,"deletedCount":3,"recountedCount":4,"damagedCount":1,"#
        + #""damaged":[\#(problem)]}"#)
  }

  @Test func figuresOfADatabaseHaveTheirBytes() throws {
    let time = "2026-01-02T03:04:05.000006Z"
    let caches =
      #"{"documentCount":1,"documentByteCount":2,"documentHitCount":3,"documentMissCount":4,"#
      + #""scanCount":5,"scanByteCount":6}"#
    let index =
      #"{"kind":"composite","definitions":[\#(Self.index)],"state":"CREATING","isHidden":true,"#
      + #""entryCount":1,"byteCount":2,"diskByteCount":3,"since":"\#(time)","queryCount":4,"#
      + #""lastQueryTime":"\#(time)","entryWriteCount":5}"#
    try expectSame(
      DatabaseStatistics.self,
      #"{"documentCount":1,"collectionCount":2,"commitCount":3,"lastCommitTime":"\#(time)","#
        + #""commitTimeLeadMicroseconds":90000000,"diskByteCount":4,"indexes":[\#(index)],"#
        + #""usageStart":"\#(time)","usageFailure":"full","caches":\#(caches),"#
        + #""historyMomentCount":5,"historyByteCount":6,"listenerCount":7,"keepsSums":true}"#)
  }

  @Test func anExplanationOfANearestQueryHasItsBytes() throws {
    let statistics =
      #"{"entriesRead":1,"documentsRead":2,"seekCount":3,"resultsSkipped":4,"#
      + #""documentsCovered":5,"keptCountsRead":6,"deletedEntriesPassed":7}"#
    let production =
      #"{"resultsReturned":1,"readOperations":2,"documentsScanned":3,"indexEntriesScanned":4,"#
      + #""documentsBillable":5,"indexEntriesBillable":6,"vectorsBillable":7,"#
      + #""smallOperations":8,"minimumQueryCost":9}"#
    let leaf =
      #"{"kind":"nothing","title":"é","orders":[],"ranges":[],"offset":0,"children":[]}"#
    let tree =
      #"{"kind":"scan","title":"t","scan":{"source":"key","index":\#(Self.index),"#
      + #""conditions":["a == 1"],"extent":"x"},"orders":[{"names":["a"],"isDescending":true}],"#
      + #""ranges":[["a","b"]],"start":"s","end":"e","offset":1,"limit":2,"children":[\#(leaf)],"#
      + #""work":{"entriesRead":1,"seekCount":2}}"#
    try expectSame(
      QueryExplanation.self,
      #"{"tree":\#(tree),"indexesUsed":[{"queryScope":"Collection","properties":"(a ASC)"}],"#
        + #""indexesNotUsed":[{"index":\#(Self.index),"isAutomatic":true,"reason":"r","#
        + #""edit":"e"}],"indexesReplacingMerges":[{"index":\#(Self.index),"building":[],"#
        + #""hidden":[]}],"execution":{"resultCount":1,"statistics":\#(statistics),"#
        + #""documentBytesRead":2,"planning":3,"findingEntries":4,"readingDocuments":5,"#
        + #""production":\#(production)}}"#)
  }

  @Test func aMissingIndexHasItsBytes() throws {
    try expectSame(
      MissingIndex.self,
      #"{"index":\#(Self.index),"smaller":\#(Self.index),"building":[\#(Self.index)],"#
        + #""progress":0.41,"hidden":[\#(Self.index)]}"#)
  }

  /// Expects that what is read from `text` is written as it stands there.
  private func expectSame<Message: Codable>(_ type: Message.Type, _ text: String) throws {
    let message = try AdminDecoder.read(type, from: JSONValue(parsing: Array(text.utf8)))
    #expect(WireTranscript.text(message) == text)
  }
}
