import HearthDocumentEngine
import HearthDocumentModel
import HearthEngineUpkeep
import HearthOrderedStore
import HearthQueryPlanning
import TestSupport
import Testing

/// The reads of each kind of plan, scan by scan, as a golden text: a lost optimisation is a changed
/// line.
@Suite struct PlanWorkTests {
  private struct Case {
    let title: String
    let query: StructuredQuery

    init(
      _ title: String, _ filter: Filter? = nil, _ orders: [Order] = [], in collection: String = "t",
      below parent: String = "", allDescendants: Bool = false, limit: Int? = 20, offset: Int = 0,
      start: Cursor? = nil
    ) {
      self.title = title
      query = StructuredQuery(
        collectionID: collection,
        below: ResourcePath(unchecked: parent.split(separator: "/").map(String.init)),
        allDescendants: allDescendants, filter: filter, orders: orders, start: start,
        offset: offset, limit: limit)
    }
  }

  private static func field(_ name: String) -> FieldPath { FieldPath(unchecked: [name]) }

  private static func compare(
    _ name: String, _ comparison: Filter.Comparison, _ value: Value
  ) -> Filter {
    .field(field(name), comparison, value)
  }

  private static func by(_ names: String...) -> [Order] {
    names.map { name in
      name.hasPrefix("-")
        ? Order(field(String(name.dropFirst())), .descending) : Order(field(name))
    }
  }

  /// Returns an engine with 3,000 tasks of 30 users at the root, 600 in `p/{0...5}/t`, and
  /// composite indexes.
  private static func filled() throws -> EngineFixture {
    let fixture = try EngineFixture(settings: .keepingNoScans)
    for start in stride(from: 0, to: 3000, by: 500) {
      _ = try fixture.engine.commit((start..<start + 500).map { task($0, in: ["t"]) })
    }
    let others = (0..<600).map { task($0, in: ["p", "\($0 % 6)", "t"]) }
    _ = try fixture.engine.commit(others)
    let indexes: [(String, QueryScope)] = [
      ("user -time", .collection), ("done -time", .collection), ("user time", .collection),
      ("done user", .collectionGroup),
    ]
    for (columns, scope) in indexes {
      let columns = columns.split(separator: " ").map { name in
        name.hasPrefix("-")
          ? IndexColumn(field(String(name.dropFirst())), .descending)
          : IndexColumn(field(String(name)), .ascending)
      }
      try fixture.engine.createIndex(IndexDefinition("t", columns, scope: scope))
    }
    return fixture
  }

  private static func task(_ number: Int, in collection: [String]) -> Write {
    let fields: MapValue = [
      "user": .integer(Int64(number % 30)), "done": .boolean(number % 2 == 0),
      "time": .integer(Int64(number)), "tags": .array([.integer(Int64(number % 7)), "all"]),
    ]
    return .set(ResourcePath(unchecked: collection + ["t\(10_000 + number)"]), fields)
  }

  private static let cases = [
    Case("names"),
    Case("one equality", compare("user", .equal, 7)),
    Case("a composite", compare("user", .equal, 7), by("-time")),
    Case("an automatic index backwards", nil, by("-time")),
    Case("an offset", nil, by("time"), offset: 100),
    Case(
      "a merge of automatics",
      .and([compare("user", .equal, 8), compare("tags", .arrayContains, "all")])),
    Case(
      "a merge of composites", .and([compare("user", .equal, 8), compare("done", .equal, true)]),
      by("-time")),
    Case("!= skips a gap of 100 entries", compare("user", .notEqual, 0)),
    Case("!= in the middle of the page", compare("time", .notEqual, 10)),
    Case(
      "not-in of neighbours", compare("time", .notIn, .array([3, 4, 5, 12])), by("-time"),
      limit: nil,
      start: Cursor([.integer(15)], isBefore: true)),
    Case(
      "two ranges, the wide one first: a jump for each user",
      .and([compare("user", .greaterThan, 3), compare("time", .greaterThan, 2980)]),
      by("user", "time"), limit: nil),
    Case(
      "two ranges, the second one dense: steps, no jumps",
      .and([compare("user", .greaterThan, 3), compare("time", .greaterThan, 30)]),
      by("user", "time"), limit: nil),
    Case(
      "a group's index for one collection: foreign documents are jumped over",
      .and([compare("done", .equal, true), compare("user", .greaterThan, 3)]), below: "p/4",
      limit: nil),
    Case("or", .or([compare("user", .equal, 7), compare("tags", .arrayContains, 3)])),
    Case("in, ordered by names", compare("user", .in, .array([1, 2, 3]))),
    Case(
      "in on the field sorted by: later values aren't opened",
      compare("time", .in, .array([7, 8, 9])), by("time"), limit: 1),
    Case(
      "in on a field of the index behind the one sorted by",
      .and([compare("user", .in, .array([1, 2]))]), by("-time")),
    Case(
      "or with a merge",
      .or([
        .and([compare("user", .equal, 8), compare("tags", .arrayContains, "all")]),
        compare("time", .equal, 9),
      ])),
    Case("kindless, at any depth", in: "", allDescendants: true),
    Case("kindless, right below a document", in: "", below: "p/3"),
    Case(
      "kindless, from a document on", nil, [Order(.documentID)], in: "", allDescendants: true,
      start: Cursor([reference("p/4/t/t10300")], isBefore: false)),
    Case("nothing can match", compare("user", .equal, .null)),
    Case("no results are wanted", limit: 0),
  ]

  private static func reference(_ path: String) -> Value {
    let path = ResourcePath(unchecked: path.split(separator: "/").map(String.init))
    return .reference(DocumentName(unchecked: path, in: .default))
  }

  @Test func everyKindOfPlanReadsWhatItNeeds() throws {
    let view = try Self.filled().engine.readView()
    var text = ""
    for item in Self.cases {
      let execution = try view.run(item.query)
      var count = 0
      while try execution.nextDocument() != nil { count += 1 }
      let all = execution.statistics
      text += "# \(item.title)\n\(execution.plan)\n"
      for (index, scans) in execution.scanStatistics.enumerated() {
        let work = scans.map { "\($0.entriesRead) entries with \($0.seekCount) seeks" }
        text += "  -> branch \(index + 1): \(work.joined(separator: ", "))\n"
      }
      text += "  => \(count) results, \(all.entriesRead) entries, \(all.documentsRead) documents, "
      text += "\(all.resultsSkipped) skipped\n\n"
    }
    let difference = try Golden.difference(of: text, from: "engine/work.golden")
    #expect(difference == nil, "\(difference ?? "")")
  }

  // MARK: Size

  /// Returns an engine of documents that all have both values, without the indexes that aren't
  /// used.
  private static func wide(_ count: Int) throws -> Engine {
    let engine = try Engine(MemoryStore())
    let indexes = [SingleFieldIndex(.ascending)]
    try engine.setOverride("t", field("a"), indexes + [SingleFieldIndex(.descending)])
    for name in ["b", "c"] { try engine.setOverride("t", field(name), indexes) }
    for start in stride(from: 0, to: count, by: 1000) {
      _ = try engine.commit(
        (start..<start + 1000).map { number in
          let id = String("\(1_000_000 + number)".dropFirst())
          return .set(
            ResourcePath(unchecked: ["t", id]), ["a": .integer(Int64(number)), "b": 1, "c": 1])
        })
    }
    return engine
  }

  /// Returns the cost of a page of each kind.
  private static func pages(_ engine: Engine) throws -> [ExecutionStatistics] {
    let queries = [
      Case("", .or([compare("b", .equal, 1), compare("c", .equal, 1)])),
      Case("", compare("a", .notEqual, 5)),
      Case("", nil, by("-a")),
      Case("", in: "", allDescendants: true),
    ]
    return try queries.map { item in
      let execution = try engine.readView().run(item.query)
      var count = 0
      while try execution.nextDocument() != nil { count += 1 }
      #expect(count == 20)
      for scan in execution.scanStatistics.joined() { #expect(scan.entriesRead <= 22) }
      var statistics = execution.statistics
      statistics.documentBytesRead = 0
      return statistics
    }
  }

  @Test func aPageCostsTheSameHoweverManyDocumentsThereAre() throws {
    let small = try Self.pages(Self.wide(10_000))
    #expect(try small == Self.pages(Self.wide(100_000)))
  }
}
