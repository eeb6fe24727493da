import HearthDocumentEngine
import HearthDocumentModel
import HearthEngineUpkeep
import HearthQueryPlanning
import TestSupport
import Testing

@Suite struct PartitionTests {
  private static let fixture = Result { try filled(documentCount: 4000) }

  /// Returns a database with documents of group `c` in two collections.
  private static func filled(documentCount: Int) throws -> EngineFixture {
    let fixture = try EngineFixture()
    for start in stride(from: 0, to: documentCount, by: 500) {
      let end = min(start + 500, documentCount)
      _ = try fixture.engine.commit((start..<end).map { .set(path($0), MapValue()) })
    }
    return fixture
  }

  private static func path(_ number: Int) -> ResourcePath {
    let parent = number % 3 == 0 ? ["c"] : ["p", "x", "c"]
    return ResourcePath(unchecked: parent + ["d\(number)"])
  }

  private var group: StructuredQuery { StructuredQuery(collectionID: "c", allDescendants: true) }

  private func cuts(_ query: StructuredQuery, _ count: Int) throws -> [DocumentName] {
    try Self.fixture.get().engine.readView().partition(query, count: count)
  }

  @Test func cutsDivideTheGroup() throws {
    let fixture = try Self.fixture.get()
    let all = try fixture.names(group)
    #expect(all.count == 4000)
    for count in [1, 2, 3, 7] {
      let cuts = try cuts(group, count)
      #expect(cuts.count == count)
      #expect(cuts.map(\.path) == cuts.map(\.path).sorted())
      // Together the ranges are the whole, and each is a fair part.
      var found: [String] = []
      for index in 0...count {
        var query = group
        query.orders = [Order(.documentID)]
        if index > 0 { query.start = Cursor([.reference(cuts[index - 1])], isBefore: true) }
        if index < count { query.end = Cursor([.reference(cuts[index])], isBefore: true) }
        let part = try fixture.names(query)
        #expect(part.count * (count + 1) > 4000 / 3 && part.count * (count + 1) < 4000 * 3)
        found += part
      }
      #expect(found == all)
    }
  }

  @Test func thereAreNoMoreCutsThanSampledNames() throws {
    let most = try cuts(group, .max)
    // One name in 128 of 4,000.
    #expect((16...64).contains(most.count), "\(most.count)")
    #expect(most == most.sorted { $0.path < $1.path })
    #expect(Set(try cuts(group, 5)).isSubset(of: Set(most)))
  }

  @Test func cutsStayWhereTheyAre() throws {
    let fixture = try Self.filled(documentCount: 2000)
    let before = try fixture.engine.readView().partition(group, count: .max)
    _ = try fixture.engine.commit((2000..<2200).map { .set(Self.path($0), MapValue()) })
    let after = try fixture.engine.readView().partition(group, count: .max)
    #expect(!before.isEmpty && Set(before).isSubset(of: Set(after)))
  }

  @Test func aSmallGroupHasNoCuts() throws {
    for count in [0, 1, 127] {
      let fixture = try Self.filled(documentCount: count)
      #expect(try fixture.engine.readView().partition(group, count: 64) == [])
    }
    #expect(try cuts(StructuredQuery(collectionID: "none", allDescendants: true), 2) == [])
  }

  @Test func otherQueriesAreRefused() throws {
    func refusal(_ count: Int = 2, _ change: (inout StructuredQuery) -> Void) -> String? {
      var query = group
      change(&query)
      do {
        _ = try Self.fixture.get().engine.readView().partition(query, count: count)
        return nil
      } catch { return (error as? DatabaseError)?.message }
    }
    #expect(refusal { $0.orders = [Order(.documentID)] } == nil)
    #expect(refusal { $0.filter = .and([]) } == nil)
    #expect(refusal(0) { _ in } == "Partition count must be greater than zero.")
    #expect(
      refusal { $0.parent = ResourcePath(unchecked: ["p", "x"]) }
        == "Ancestor queries are not supported.")
    let field = FieldPath(unchecked: ["a"])
    #expect(
      refusal { $0.allDescendants = false } == "Query must select all descendant collections.")
    #expect(refusal { $0.collectionID = "" } == nil)
    #expect(refusal { $0.projection = [] } == "Property masks are not supported.")
    #expect(refusal { $0.limit = 1 } == "Query limit is not supported.")
    #expect(refusal { $0.offset = 1 } == "Query offset is not supported.")
    let cursor = Cursor([], isBefore: true)
    #expect(refusal { $0.start = cursor } == "Query start cursors are not supported.")
    #expect(refusal { $0.end = cursor } == "Query end cursors are not supported.")
    #expect(
      refusal {
        $0.filter = .field(field, .equal, 1)
        $0.orders = [Order(.documentID)]
      } == "order by clause cannot contain more fields after the key")
    let name = Filter.field(.documentID, .greaterThan, reference("c/d1"))
    #expect(refusal { $0.filter = name } == "Query filters are not supported.")
  }

  private func reference(_ path: String) -> Value {
    let segments = path.split(separator: "/").map(String.init)
    return .reference(DocumentName(unchecked: ResourcePath(unchecked: segments), in: .default))
  }

  /// A query that is not by name alone is first refused for the lack of an index.
  @Test func aServedQueryThatCannotBePartitionedIsRefused() throws {
    let fixture = try EngineFixture()
    let field = FieldPath(unchecked: ["a"])
    func refusal(_ query: StructuredQuery) -> DatabaseError? {
      do {
        _ = try fixture.engine.readView().partition(query, count: 2)
        return nil
      } catch { return error }
    }
    var byField = group
    byField.orders = [Order(field)]
    var descending = group
    descending.orders = [Order(.documentID, .descending)]
    var nearest = group
    nearest.nearest = NearestNeighbors(field, to: [1, 0], by: .euclidean, limit: 3)
    var equal = group
    equal.filter = .field(field, .equal, 1)
    let queries = [byField, descending, nearest, equal]
    let refusals = queries.map(refusal)
    #expect(refusals.map { $0?.code } == queries.map { _ in .failedPrecondition })
    for index in refusals.compactMap({ $0?.missingIndex?.index }) {
      if index.singleField == nil {
        try fixture.engine.createIndex(index)
      } else {
        try fixture.engine.setOverride(
          "c", field,
          SingleFieldIndex.defaults + [SingleFieldIndex(.ascending, scope: .collectionGroup)])
      }
    }
    for query in queries { #expect(refusal(query)?.code == .invalidArgument) }
  }
}
