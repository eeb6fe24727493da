import Hearth
import Testing

@Suite struct IndexAdministrationTests {
  private let cities: Cities
  private let indexes: IndexAdministration

  init() throws {
    cities = try Cities()
    indexes = cities.database.indexes
  }

  private func single(_ field: String, _ mode: IndexMode = .ascending) throws -> IndexDefinition {
    IndexDefinition("cities", [IndexColumn(try FieldPath(field), mode)])
  }

  @Test func createsListsAndDrops() throws {
    let definition = try Cities.countryAndPopulation()
    #expect(try indexes.list().isEmpty)
    try indexes.create(definition)
    #expect(try indexes.list().map(\.definition) == [definition])
    #expect(try indexes.list().map(\.state) == [.ready])
    #expect(try cities.largestOfJapan().ids() == ["tokyo", "osaka", "kyoto"])
    #expect(code { try indexes.create(definition) } == .alreadyExists)
    try indexes.drop(definition)
    #expect(try indexes.list().isEmpty)
    #expect(failure { _ = try cities.largestOfJapan().ids() }?.missingIndex != nil)
    #expect(code { try indexes.drop(definition) } == .notFound)
  }

  @Test func refusesWhatIsNoCompositeIndex() throws {
    let country = IndexColumn(try FieldPath("country"), .ascending)
    let single = failure { try indexes.create(IndexDefinition("cities", [country])) }
    #expect(single?.code == .invalidArgument)
    #expect(single?.message.contains("single field index controls") == true)
    let twice = IndexDefinition("cities", [country, country])
    #expect(code { try indexes.create(twice) } == .invalidArgument)
    let nameless = IndexDefinition("", [country, IndexColumn(try FieldPath("a"), .ascending)])
    #expect(code { try indexes.create(nameless) } == .invalidArgument)
    #expect(try indexes.list().isEmpty)
  }

  @Test func anIndexIsMaintainedByLaterWrites() throws {
    try indexes.create(Cities.countryAndPopulation())
    let sapporo = try cities.collection.document("sapporo")
    try sapporo.setData(["country": "JP", "population": 1_960_000])
    try cities.collection.document("osaka").delete()
    try cities.collection.document("kyoto").updateData(["population": 40_000_000])
    #expect(try cities.largestOfJapan().ids() == ["kyoto", "tokyo", "sapporo"])
  }

  @Test func anOverrideExemptsAField() throws {
    let byTag = try cities.collection.whereField("tags", arrayContains: "old")
    let tags = try FieldPath("tags")
    var calls = 0
    try indexes.setOverride([], of: tags, in: "cities") { _ in calls += 1 }
    #expect(calls > 0)
    #expect(failure { _ = try byTag.ids() }?.missingIndex?.index.singleField != nil)
    let override = try #require(try indexes.overrides().first)
    #expect(override.collectionGroup == "cities")
    #expect(override.field == tags)
    #expect(override.indexes.isEmpty)
    try indexes.removeOverride(of: tags, in: "cities")
    #expect(try indexes.overrides().isEmpty)
    #expect(try byTag.ids() == ["atlantis", "kyoto", "lyon"])
    #expect(code { try indexes.removeOverride(of: tags, in: "cities") } == .notFound)
  }

  @Test func anOverrideOfAllFieldsLeavesThoseWithTheirOwn() throws {
    let country = try FieldPath("country")
    try indexes.setOverride([SingleFieldIndex(.ascending)], of: country, in: "cities")
    try indexes.setOverride([], of: nil, in: "cities")
    #expect(try cities.collection.whereField("country", isEqualTo: "FR").count() == 2)
    #expect(failure { _ = try cities.collection.order(by: "population").ids() } != nil)
    #expect(try indexes.overrides().count == 2)
  }

  @Test func aSingleFieldIndexIsAddedAndRemoved() throws {
    let country = try FieldPath("country")
    let definition = try single("country", .descending)
    #expect(code { try indexes.createOrAdd(definition) } == .alreadyExists)
    try indexes.dropOrRemove(definition)
    let query = try cities.collection.order(by: "country", descending: true)
    #expect(failure { _ = try query.ids() }?.missingIndex?.index == definition)
    let left = try indexes.singleFieldIndexes(of: country, in: "cities").map(\.index)
    #expect(left == [SingleFieldIndex(.ascending), SingleFieldIndex(.contains)])
    #expect(code { try indexes.dropOrRemove(definition) } == .notFound)
    try indexes.createOrAdd(definition)
    #expect(try query.limit(to: 1).ids() == ["tokyo"])
  }

  @Test func everyCallWorksAsynchronously() async throws {
    let definition = try Cities.countryAndPopulation()
    let tags = try FieldPath("tags")
    let counter = Counter()
    try await indexes.create(definition) { _ in counter.increment() }
    try await indexes.drop(definition)
    try await indexes.createOrAdd(definition) { _ in counter.increment() }
    try await indexes.setOverride([], of: tags, in: "cities") { _ in counter.increment() }
    let missing = MissingIndex(
      index: try single("tags", .contains), smaller: nil)
    try await indexes.create(missing) { _ in counter.increment() }
    #expect(counter.value >= 4)
    #expect(try await cities.collection.whereField("tags", arrayContains: "old").count() == 3)
    try await indexes.removeOverride(of: tags, in: "cities")
    #expect(try await indexes.overrides().isEmpty)
    #expect(try await indexes.list().count == 1)
  }
}

@Suite struct ExplainTests {
  private let cities: Cities

  init() throws {
    cities = try Cities()
    try cities.database.indexes.create(Cities.countryAndPopulation())
  }

  @Test func tellsPlanIndexesAndWork() throws {
    let explanation = try cities.largestOfJapan().limit(to: 2).explain()
    #expect(
      explanation.plan == """
        one index, ordered by population DESC, __name__ DESC
          composite (country ASC, population DESC, __name__ DESC)  country == "JP"  \
        [2 entries, 1 seek]
          limit     2
        """)
    #expect(
      explanation.indexesUsed.map(\.properties) == ["(country ASC, population DESC, __name__ DESC)"]
    )
    #expect(explanation.indexesUsed.map(\.queryScope) == ["Collection"])
    #expect(explanation.resultCount == 2)
    #expect(explanation.statistics?.entriesRead == 2)
    #expect(explanation.statistics?.documentsRead == 2)
  }

  @Test func runsNothingIfToldSo() throws {
    let explanation = try cities.collection.explain(running: false)
    #expect(explanation.statistics == nil)
    #expect(explanation.resultCount == nil)
    #expect(explanation.indexesUsed.map(\.properties) == ["(__name__ ASC)"])
  }

  @Test func tellsWhyOtherIndexesAreNotUsed() throws {
    let query = try cities.collection.whereField("country", isEqualTo: "JP")
    let unused = try query.explain().indexesNotUsed
    let composite = try #require(unused.first { !$0.isAutomatic })
    #expect(composite.index == (try Cities.countryAndPopulation()))
    #expect(composite.reason.contains("population"))
  }

  @Test func tellsWhyARefusedQueryHasNoIndex() throws {
    let query = try cities.collection.whereField("country", isEqualTo: "JP")
      .order(by: "population")
    #expect(failure { _ = try query.explain() }?.missingIndex != nil)
    let composite = try #require(try query.indexesNotUsed().first { !$0.isAutomatic })
    #expect(composite.reason.contains("population"))
  }
}
