import Hearth
import Testing

// The code of Indexes.md, word for word: DocumentationTests compares the two.

func whyNot(_ query: Query) throws -> [String] {
  try query.indexesNotUsed().map { "\($0.index) \($0.reason)" }
}

func arrangeFields(of indexes: IndexAdministration) throws {
  // No query asks for the text of a post: its entries are only a burden.
  try indexes.setOverride([], of: FieldPath("text"), in: "posts")

  // The authors in all collections named posts, at any path.
  try indexes.setOverride(
    SingleFieldIndex.defaults + [SingleFieldIndex(.ascending, scope: .collectionGroup)],
    of: FieldPath("author"), in: "posts")
}

func createIndexes(of indexes: IndexAdministration) throws {
  let byCountry = IndexDefinition(
    "cities",
    [
      IndexColumn(try FieldPath("country"), .ascending),
      IndexColumn(try FieldPath("population"), .descending),
    ])
  try indexes.create(byCountry) { progress in
    print("\(progress.documentsDone) of \(progress.documentsTotal)")
  }
}

func createTogether(_ definitions: [IndexDefinition], of indexes: IndexAdministration) throws {
  try indexes.createAll(definitions)
}

func tuneIndexes(of indexes: IndexAdministration, byCountry: IndexDefinition) throws {
  // A page of results is read from the index alone.
  try indexes.tune(byCountry, covering: true)

  // The number of a country's capitals is one read, however large it is.
  try indexes.keepCounts(of: [FieldPath("country"), FieldPath("capital")], in: "cities")
}

@Suite struct IndexesExampleTests {
  private let cities: Cities

  init() throws { cities = try Cities() }

  @Test func tunes() throws {
    let indexes = cities.database.indexes
    try createIndexes(of: indexes)
    let byCountry = try #require(try indexes.list().first).definition
    try tuneIndexes(of: indexes, byCountry: byCountry)
    #expect(try indexes.list().map(\.isCovering) == [true])
    let kept = try #require(try indexes.keptCounts().first)
    #expect(kept.fields.map(\.description) == ["capital", "country"])
    #expect(kept.state == .ready)
    let japan = try cities.collection.whereField("country", isEqualTo: "JP")
    let page = try japan.order(by: "population", descending: true).getDocuments()
    #expect(page.statistics.documentsCovered == page.count)
    let explained = try cities.collection.whereField("country", isEqualTo: "JP")
      .whereField("capital", isEqualTo: true).explain(aggregating: [.count()])
    #expect(explained.statistics?.keptCountsRead == 1)
    try indexes.tune(byCountry, covering: false)
    try indexes.dropCounts(of: kept.fields, in: "cities")
    #expect(try indexes.keptCounts().isEmpty)
    #expect(try indexes.list().map(\.isCovering) == [false])
  }

  @Test func tellsWhyNot() throws {
    try createIndexes(of: cities.database.indexes)
    let reasons = try whyNot(cities.collection.order(by: "population"))
    #expect(
      reasons.contains {
        $0.hasPrefix("(country ASC, population DESC, __name__ DESC) ") && $0.contains("country")
      }, "\(reasons)")
  }

  @Test func arrangesFields() throws {
    try cities.database.document("blogs/a/posts/b").setData(["author": "ada", "text": "…"])
    try arrangeFields(of: cities.database.indexes)
    let posts = try cities.database.collectionGroup("posts")
    #expect(try posts.whereField("author", isEqualTo: "ada").ids() == ["b"])
    let text = try cities.database.collection("blogs/a/posts").whereField("text", isEqualTo: "…")
    #expect(failure { _ = try text.ids() }?.missingIndex != nil)
  }

  @Test func createsTheIndex() throws {
    try createIndexes(of: cities.database.indexes)
    #expect(try cities.largestOfJapan().ids() == ["tokyo", "osaka", "kyoto"])
  }

  @Test func createsSeveral() throws {
    let fields = try ["country", "population", "name"].map { try FieldPath($0) }
    let definitions = fields.dropFirst().map { field in
      IndexDefinition(
        "cities", [IndexColumn(fields[0], .ascending), IndexColumn(field, .ascending)])
    }
    let indexes = cities.database.indexes
    try createTogether(definitions, of: indexes)
    #expect(try indexes.list().map(\.definition) == definitions)
    #expect(try indexes.list().map(\.state) == [.ready, .ready])
  }

  /// The page's statements about merges, limits and directions are true.
  @Test func servesAndRefusesAsThePageSays() throws {
    let indexes = cities.database.indexes
    try createIndexes(of: indexes)
    try indexes.create(
      IndexDefinition(
        "cities",
        [
          IndexColumn(try FieldPath("tags"), .contains),
          IndexColumn(try FieldPath("population"), .descending),
        ]))
    let japan = try cities.collection.whereField("country", isEqualTo: "JP")
    let ports = try japan.whereField("tags", arrayContains: "port")
    #expect(try ports.ids() == ["osaka", "tokyo"])
    #expect(try ports.order(by: "population", descending: true).ids() == ["tokyo", "osaka"])
    #expect(failure { _ = try ports.order(by: "population").ids() }?.missingIndex != nil)
    let last = try japan.order(by: "population", descending: true).limit(toLast: 1)
    #expect(failure { _ = try last.ids() }?.missingIndex != nil)
  }
}
