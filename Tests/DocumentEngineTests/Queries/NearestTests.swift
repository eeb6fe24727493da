import HearthDocumentEngine
import HearthDocumentModel
import HearthEngineUpkeep
import HearthOrderedStore
import HearthQueryPlanning
import TestSupport
import Testing

/// The reads and results of queries for the nearest vectors (§4.10).
@Suite struct NearestTests {
  private static let fixture = Result { try filled() }
  private static let place = FieldPath(unchecked: ["place"])
  private static let group = FieldPath(unchecked: ["group"])

  /// Returns an engine with a thousand documents on a line, in ten groups, with an index of all and
  /// one by group.
  private static func filled() throws -> EngineFixture {
    let fixture = try EngineFixture()
    _ = try fixture.engine.commit((0..<1000).map(document))
    let vector = VectorColumn(place, dimension: 2)
    try fixture.engine.createIndex(IndexDefinition("c", [], vector: vector))
    try fixture.engine.createIndex(
      IndexDefinition("c", [IndexColumn(group, .ascending)], vector: vector))
    return fixture
  }

  private static func document(_ number: Int) -> Write {
    let fields: MapValue = [
      "place": .vector([Double(number), 0]), "group": .integer(Int64(number % 10)),
      "n": .integer(Int64(number)),
    ]
    return .set(ResourcePath(unchecked: ["c", "d\(1000 + number)"]), fields)
  }

  private func query(
    _ filter: Filter? = nil, limit: Int = 3, distanceField: String? = nil,
    threshold: Double? = nil, by measure: NearestNeighbors.Measure = .euclidean
  ) -> StructuredQuery {
    StructuredQuery(
      collectionID: "c", filter: filter,
      nearest: NearestNeighbors(
        Self.place, to: [100.25, 0], by: measure, limit: limit, distanceField: distanceField,
        threshold: threshold))
  }

  private func run(
    _ query: StructuredQuery
  ) throws -> (ids: [String], fields: [MapValue], ExecutionStatistics) {
    let execution = try Self.fixture.get().engine.readView().run(query)
    var (ids, fields): ([String], [MapValue]) = ([], [])
    while let document = try execution.nextDocument() {
      ids.append(document.path.lastSegment ?? "")
      fields.append(try document.fields())
    }
    return (ids, fields, execution.statistics)
  }

  @Test func allVectorsAreComparedAndOnlyTheNearestRead() throws {
    let (ids, _, statistics) = try run(query())
    #expect(ids == ["d1100", "d1101", "d1099"])
    #expect(statistics.entriesRead == 1000 && statistics.vectorEntriesRead == 1000)
    #expect(statistics.documentsRead == 3 && statistics.seekCount == 1)
  }

  @Test func aFilterNarrowsWhatIsCompared() throws {
    let (ids, _, statistics) = try run(query(.field(Self.group, .equal, 7)))
    #expect(ids == ["d1097", "d1107", "d1087"])
    #expect(statistics.entriesRead == 100 && statistics.documentsRead == 3)
    let range = Filter.field(Self.group, .greaterThan, 8)
    #expect(try run(query(range)).ids == ["d1099", "d1109", "d1089"])
    let several = try run(query(.field(Self.group, .in, [1, 7])))
    #expect(several.ids == ["d1101", "d1097", "d1107"])
    #expect(several.2.entriesRead == 200 && several.2.documentsRead == 3)
  }

  @Test func theThresholdBoundsTheDistance() throws {
    #expect(try run(query(limit: 100, threshold: 1.25)).ids == ["d1100", "d1101", "d1099"])
    let (ids, _, statistics) = try run(query(threshold: -1))
    #expect(ids == [] && statistics.documentsRead == 0)
    #expect(
      try run(query(limit: 2, threshold: 99_999, by: .dotProduct)).ids == ["d1999", "d1998"])
  }

  @Test func equallyNearOnesComeByName() throws {
    var query = query(limit: 4)
    query.nearest?.vector = [100.5, 0]
    #expect(try run(query).ids == ["d1100", "d1101", "d1099", "d1102"])
    query.nearest?.measure = .cosine
    #expect(throws: DatabaseError.self) { try run(query) }
    // All but the origin are in one direction: a filter excludes the origin.
    query.filter = .field(Self.group, .greaterThan, 0)
    #expect(try run(query).ids == ["d1001", "d1002", "d1003", "d1004"])
  }

  @Test func theDistanceStandsInItsField() throws {
    let (_, fields, _) = try run(query(limit: 1, distanceField: "n"))
    #expect(fields[0]["n"] == 0.25 && fields[0].count == 3)
    let literal = try run(query(limit: 1, distanceField: "group.x")).fields[0]
    #expect(literal["group.x"] == 0.25 && literal["group"] == 0)
  }

  @Test func theMaskAppliesToTheDistanceToo() throws {
    func masked(_ names: [[String]]) throws -> MapValue {
      var query = query(limit: 1, distanceField: "distance")
      query.projection = names.map { FieldPath(unchecked: $0) }
      return try run(query).fields[0]
    }
    #expect(try masked([["n"]]) == ["n": 100])
    #expect(try masked([["n"], ["distance"]]) == ["n": 100, "distance": 0.25])
    #expect(try masked([["distance", "x"]]) == [:])
    #expect(try masked([]) == [:])
  }

  @Test func anOriginFailsTheWholeCosineQuery() throws {
    let execution = try Self.fixture.get().engine.readView().run(
      query(limit: 1, by: .cosine))
    let error = #expect(throws: DatabaseError.self) { try execution.nextDocument() }
    #expect(error?.code == .failedPrecondition)
    #expect(
      error?.message
        == "Cannot compute cosine distance against a vector with a magnitude of zero.")
  }

  @Test func figuresOverTheNearest() throws {
    let view = try Self.fixture.get().engine.readView()
    let count = try view.aggregate(AggregationQuery(query(limit: 5), [.count()]))
    #expect(count.values.map(\.value) == [5])
    #expect(count.statistics.documentsRead == 0 && count.statistics.vectorEntriesRead == 1000)
    let sum = AggregationQuery(query(limit: 5), [.sum(Self.group)])
    let result = try view.aggregate(sum)
    // 1098 to 1102.
    #expect(result.values.map(\.value) == [20])
    #expect(result.statistics.documentsRead == 0)
    let other = AggregationQuery(query(), [.sum(FieldPath(unchecked: ["n"]))])
    let refusal = #expect(throws: DatabaseError.self) { try view.aggregate(other) }
    #expect(refusal?.missingIndex?.index.description == "(n ASC, __name__ ASC, place VECTOR<2>)")
  }

  @Test func aDeadlineEndsTheSearch() throws {
    let execution = try Self.fixture.get().engine.readView().run(query(), deadline: .now)
    #expect(code { _ = try execution.nextDocument() } == .deadlineExceeded)
  }
}
