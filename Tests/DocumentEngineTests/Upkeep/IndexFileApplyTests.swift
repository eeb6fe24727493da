import HearthDocumentEngine
import HearthDocumentModel
import HearthEngineUpkeep
import HearthOrderedStore
import HearthQueryPlanning
import HearthReports
import TestSupport
import Testing

/// The law of index files: a file that is applied twice changes nothing the second time (§6.4).
@Suite struct IndexFileApplyTests {
  private static let fields: [FieldPath?] = [
    nil, FieldPath(unchecked: ["a"]), FieldPath(unchecked: ["a", "b"]), FieldPath(unchecked: ["b"]),
  ]

  @Test func appliedAgainAFileDoesNothing() throws {
    let seed = GeneratedCases.seed(count: Self.fileCount)
    var random = SplitMix64(seed: seed)
    let engine = try Engine(MemoryStore())
    var counts = (applied: 0, steps: 0, timesToLive: 0)
    for round in 0..<Self.fileCount {
      let file = Self.file(using: &random)
      let prunes = random.oneIn(2)
      do throws(DatabaseError) {
        let plan = try IndexFilePlan(from: engine.indexFile(), to: file, prunes: prunes)
        try engine.apply(plan)
        counts.applied += 1
        counts.steps += plan.steps.count
        counts.timesToLive += plan.steps.count { $0.description.contains("time to live") }
      } catch {
        // Another field of the group has a time to live, and keeps it.
        try #require(error.code == .failedPrecondition, "\(error)")
        continue
      }
      let again = try IndexFilePlan(from: engine.indexFile(), to: file, prunes: prunes)
      #expect(again.steps.isEmpty, "round \(round): \(again.steps) for \(file)")
    }
    print(counts)
    // Shares mean little in a small sample.
    guard Self.fileCount >= 300 else { return }
    #expect(counts.applied > Self.fileCount / 2 && counts.timesToLive > Self.fileCount / 10)
  }

  private static let fileCount = GeneratedCases.count(unlessTold: 300)

  private static func file(using random: inout SplitMix64) -> IndexFile {
    var file = IndexFile()
    for group in ["c", "d"] {
      var mayLive = true
      for field in fields.shuffled(using: &random) where random.oneIn(2) {
        var isTimeToLive: Bool? = random.oneIn(3) ? nil : random.oneIn(2)
        if isTimeToLive == true, field == nil || !mayLive { isTimeToLive = false }
        if isTimeToLive == true { mayLive = false }
        let indexes =
          random.oneIn(2)
          ? SingleFieldIndex.defaults : SingleFieldIndex.all.filter { _ in random.oneIn(3) }
        file.overrides.append(
          FieldIndexes(
            collectionGroup: group, field: field, indexes: indexes, isTimeToLive: isTimeToLive))
      }
      for names in [["a", "b"], ["b", "a"], ["a", "c"]] where random.oneIn(2) {
        file.composites.append(
          IndexDefinition(
            group, names.map { IndexColumn(FieldPath(unchecked: [$0]), .ascending) }))
      }
    }
    return file
  }

  /// A refusal that waits for two builds reports the slower one.
  @Test func aRefusalTellsHowFarTheBuildsAre() throws {
    func definition(_ first: String) -> IndexDefinition {
      IndexDefinition(
        "c",
        [
          IndexColumn(FieldPath(unchecked: [first]), .ascending),
          IndexColumn(FieldPath(unchecked: ["n"]), .descending),
        ])
    }
    let engine = try Engine(MemoryStore(), settings: .building(10))
    for number in 0..<200 {
      let fields: MapValue = ["a": 1, "b": 2, "n": .integer(Int64(number))]
      _ = try engine.commit([.set(ResourcePath(unchecked: ["c", "\(number)"]), fields)])
    }
    let definitions = [definition("a"), definition("b")]
    _ = try engine.builds.begin(definitions)
    _ = try engine.builds.step()
    let query = StructuredQuery(
      collectionID: "c",
      filter: .and([
        .field(FieldPath(unchecked: ["a"]), .equal, 1),
        .field(FieldPath(unchecked: ["b"]), .equal, 2),
      ]),
      orders: [Order(FieldPath(unchecked: ["n"]), .descending)])
    do throws(DatabaseError) {
      _ = try engine.readView().run(query)
      Issue.record("the query was served")
    } catch {
      let missing = engine.builds.addingProgress(to: error).missingIndex
      #expect(missing?.building == definitions && missing?.isBuilding == true)
      let fractions = try engine.builds.list().map(\.fraction)
      #expect(missing?.progress == fractions.min())
    }
  }
}
