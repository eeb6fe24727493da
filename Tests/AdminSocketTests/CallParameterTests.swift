import HearthAdminSocket
import HearthDocumentModel
import HearthFirestoreJSON
import Hearth
import HearthQueryPlanning
import Testing

/// The parameters of calls, sent through the socket.
@Suite struct CallParameterTests {
  private let database: Database

  init() throws {
    database = try Database.inMemory()
    try database.indexes.create(
      IndexDefinition(
        "cities",
        [IndexColumn(FieldPath("c"), .ascending), IndexColumn(FieldPath("n"), .ascending)]
      ))
  }

  /// Returns one call of each kind, with all of its parameters set.
  private func samples() throws -> [any DatabaseCall] {
    let query = try RunnableQuery(database.collection("cities").query)
    let index = try IndexDefinition(
      "cities",
      ["n", "`é b`.c"].map { IndexColumn(try FieldPath($0), .ascending) })
    let field = try FieldPath("`a b`.c")
    let pace = BuildPace(documentsPerSecond: 7, maximumLatency: .milliseconds(3))
    let path = try ResourcePath("c/é")
    let file = try database.indexes.file()
    return [
      QueryCall(query), WatchCall(query), CountCall(query),
      AggregateCall([.count(as: "é")], of: query), ExplainCall(query, .run),
      IndexesNotUsedCall(query, aggregating: [.count(as: "all")]), IndexListCall(),
      IndexChangeCall(.resume, index, pace: pace), SingleFieldIndexesCall(of: field, in: "c"),
      IndexBuildCall([index, index], pace: pace, isAwaited: true),
      IndexBuildsCall(isAwaited: true, pace: pace), IndexFileCall(),
      try IndexApplyCall(from: file, to: file, prunes: true, isAwaited: true, pace: pace),
      RedundantIndexesCall(),
      CoveringCall(index, isCovering: true),
      KeptCountsCall(of: [field], in: "c", scope: .collectionGroup, areKept: true), CompactCall(),
      VerifyCall(), QuickVerifyCall(sampleCount: 5, seed: .max), RepairCall(),
      SumsCall(areKept: true), TimeToLiveListCall(),
      TimeToLiveSetCall(field, in: "c", offsetSeconds: 7), TimeToLiveRemoveCall(field, in: "c"),
      SweepCall(), StatisticsCall(countingEntries: true), DocumentCall(path),
      CollectionsCall(below: path), CountBelowCall(path), CommitCall([.delete(path)]),
      BatchWriteCall([.delete(path)]), RecursiveDeleteCall(path),
    ]
  }

  @Test func everyCallReadsItsParametersBack() throws {
    func text(_ call: some Encodable) -> String { WireTranscript.text(call) }
    func expectTheSame<Call: DatabaseCall>(_ call: Call) throws {
      let written = text(call)
      #expect(
        text(try AdminDecoder.read(Call.self, from: JSONValue(parsing: Array(written.utf8))))
          == written)
      // Each parameter counts: without it the call is a different one, or none.
      guard case .object(let members) = try JSONValue(parsing: Array(written.utf8)) else { return }
      for place in members.indices where members[place].1.isSaid {
        var others = members
        let name = others.remove(at: place).0
        let other = try? AdminDecoder.read(Call.self, from: .object(others))
        #expect(other.map(text) != written, "\(Call.name): \(name)")
      }
    }
    let calls = try samples()
    for call in calls { try expectTheSame(call) }
    #expect(calls.map { type(of: $0).name } == Database.calls.map { $0.name })
  }
}

extension JSONValue {
  /// Whether the value differs from a missing one.
  fileprivate var isSaid: Bool {
    switch self {
    case .null, .boolean(false): false
    default: true
    }
  }
}
