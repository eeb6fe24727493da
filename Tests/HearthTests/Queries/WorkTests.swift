import Hearth
import HearthOrderedStore
import TestSupport
import Testing

/// The reads of queries over 10,000 documents: their number depends on the results, and not on the
/// size of the collection.
@Suite struct WorkTests {
  private let database: Database
  private let items: CollectionReference

  init() throws {
    database = try WorkTests.shared.get()
    items = try database.collection("items")
  }

  /// A shared database, since no test changes it. Document n has rank n, and kinds and colours in
  /// turn.
  private static let shared = Result { () throws -> Database in
    let database = try Database.inMemory()
    for first in stride(from: Int64(0), to: 10_000, by: 500) {
      var batch = database.batch()
      for rank in first..<first + 500 {
        let id = String(String(100_000 + rank).dropFirst())
        batch.setData(
          ["rank": .integer(rank), "kind": .integer(rank % 100), "colour": .integer(rank % 7)],
          for: try database.document("items/\(id)"))
      }
      try batch.commit()
    }
    for (scope, mode) in [
      (QueryScope.collection, IndexMode.ascending), (.collectionGroup, .descending),
    ] {
      try database.indexes.create(
        IndexDefinition(
          "items",
          [
            IndexColumn(try FieldPath("kind"), .ascending),
            IndexColumn(try FieldPath("rank"), mode),
          ], scope: scope))
    }
    return database
  }

  private func expectPage(_ query: some QueryBuilding, first: String) throws {
    let page = try query.getDocuments()
    #expect(page.count == 20)
    #expect(page.documents.first?.id == first)
    #expect(page.statistics.entriesRead <= 21)
    #expect(page.statistics.documentsRead == 20)
  }

  @Test func aPageReadsItself() throws {
    try expectPage(items.limit(to: 20), first: "00000")
    try expectPage(items.order(by: "rank", descending: true).limit(to: 20), first: "09999")
    try expectPage(
      items.whereField("rank", isGreaterThan: 4_999).limit(to: 20), first: "05000")
    try expectPage(items.order(by: "rank").start(at: [8_000]).limit(to: 20), first: "08000")
    try expectPage(items.order(by: "rank").limit(toLast: 20), first: "09980")
    try expectPage(database.collectionGroup("items").limit(to: 20), first: "00000")
  }

  @Test func aPageOfACompositeIndexReadsItself() throws {
    let kind = try items.whereField("kind", isEqualTo: 42).order(by: "rank")
    try expectPage(kind.limit(to: 20), first: "00042")
    try expectPage(kind.whereField("rank", isGreaterThan: 5_000).limit(to: 20), first: "05042")
    let group = try database.collectionGroup("items").whereField("kind", isEqualTo: 42)
      .order(by: "rank", descending: true)
    try expectPage(group.limit(to: 20), first: "09942")
  }

  @Test func thePageAfterADocumentReadsOnlyItself() throws {
    let document = try items.document("05042").getDocument()
    let query = try items.whereField("kind", isEqualTo: 42).order(by: "rank").limit(to: 20)
    try expectPage(query.start(afterDocument: document), first: "05142")
  }

  @Test func anOffsetReadsEntriesAndNoDocuments() throws {
    let page = try items.order(by: "rank").offset(100).limit(to: 20).getDocuments()
    #expect(page.documents.first?.id == "00100")
    #expect((120...121).contains(page.statistics.entriesRead))
    #expect(page.statistics.documentsRead == 20)
  }

  @Test func aMergeReadsLessThanItsParts() throws {
    let query = try items.whereField("kind", isEqualTo: 42).whereField("colour", isEqualTo: 3)
    let explanation = try query.explain()
    #expect(explanation.indexesUsed.count == 2)
    // 100 items have the kind, 1,428 the colour, 14 both.
    #expect(explanation.resultCount == 14)
    let statistics = try #require(explanation.statistics)
    #expect(statistics.documentsRead == 14)
    #expect(statistics.entriesRead <= 250, "\(statistics)")
  }

  @Test func aReaderThatStopsReadsNoFurther() throws {
    let counter = StoreCounter()
    let database = try Database.over(ObservedStore(MemoryStore(), observer: counter))
    let cities = try database.collection("cities")
    for _ in 0..<50 { try cities.addDocument(["n": 1]) }
    let one = try cost(counter) { try cities.forEachDocument { _ in false } }
    let all = try cost(counter) { try cities.forEachDocument { _ in true } }
    #expect(all - one >= 49, "\(one) store operations for one document, \(all) for all")
  }

  @Test func countingReadsNoDocuments() throws {
    let counter = StoreCounter()
    let database = try Database.over(ObservedStore(MemoryStore(), observer: counter))
    let cities = try database.collection("cities")
    let text = Value.string(String(repeating: "x", count: 10_000))
    for _ in 0..<50 { try cities.addDocument(["text": text, "n": 1]) }
    let query = try cities.whereField("n", isEqualTo: 1)
    counter.reset()
    #expect(try query.count() == 50)
    #expect(counter.counts.bytesRead < 10_000)
    #expect(try query.getDocuments().count == 50)
    #expect(counter.counts.bytesRead > 500_000)
  }

  private func cost(_ counter: StoreCounter, _ body: () throws -> Void) rethrows -> Int {
    counter.reset()
    try body()
    return counter.counts.operations.values.reduce(0, +)
  }
}
