import Hearth
import Testing

@Suite struct QueryTests {
  private let cities: CollectionReference

  init() throws { cities = try Cities().collection }

  @Test func aCollectionIsTheQueryForAllItsDocuments() throws {
    #expect(try cities.ids() == ["atlantis", "kyoto", "lyon", "osaka", "paris", "tokyo"])
    #expect(try cities.query.ids().count == 6)
    #expect(try cities.count() == 6)
  }

  @Test func filters() throws {
    #expect(
      try cities.whereField("country", isEqualTo: "JP").ids() == ["kyoto", "osaka", "tokyo"])
    #expect(try cities.whereField("country", isEqualTo: .null).ids() == ["atlantis"])
    #expect(try cities.whereField("area.km2", isEqualTo: 2194.5).ids() == ["tokyo"])
    #expect(try cities.whereField("population", isLessThan: 1_720_000).ids() == ["kyoto"])
    #expect(
      try cities.whereField("population", isLessThanOrEqualTo: 1_720_000).ids()
        == ["kyoto", "lyon"])
    #expect(try cities.whereField("population", isGreaterThan: 19_100_000).ids() == ["tokyo"])
    #expect(
      try cities.whereField("population", isGreaterThanOrEqualTo: 19_100_000).ids()
        == ["osaka", "tokyo"])
    #expect(try cities.whereField("tags", arrayContains: "river").ids() == ["lyon", "paris"])
    let path = try FieldPath("country")
    #expect(try cities.whereFilter(.unary(path, .isNull)).ids() == ["atlantis"])
  }

  @Test func notANumberFindsItself() throws {
    try cities.document("limbo").setData(["population": .double(.nan)])
    #expect(try cities.whereField("population", isEqualTo: .double(.nan)).ids() == ["limbo"])
  }

  @Test func filtersAddUp() throws {
    let query =
      try cities
      .whereField("population", isGreaterThan: 1_460_000)
      .whereField("population", isLessThan: 19_100_000)
    #expect(try query.ids() == ["lyon", "paris"])
    let either = try cities.whereField("country", isEqualTo: "FR")
    #expect(
      try either.whereField("tags", arrayContains: "old").whereFilter(
        .field(FieldPath("country"), .equal, "FR")
      ).ids() == ["lyon"])
    #expect(try either.ids() == ["lyon", "paris"], "a refined query stays as it is")
  }

  @Test func filtersByReference() throws {
    let osaka = try cities.document("osaka").name()
    let query = try cities.whereField("__name__", isGreaterThan: .reference(osaka))
    #expect(try query.ids() == ["paris", "tokyo"])
  }

  @Test func orders() throws {
    #expect(
      try cities.order(by: "population").ids() == ["kyoto", "lyon", "paris", "osaka", "tokyo"])
    #expect(
      try cities.order(by: "population", descending: true).ids()
        == ["tokyo", "osaka", "paris", "lyon", "kyoto"])
  }

  @Test func cursors() throws {
    let query = try cities.order(by: "population")
    #expect(try query.start(at: [11_000_000]).ids() == ["paris", "osaka", "tokyo"])
    #expect(try query.start(after: [11_000_000]).ids() == ["osaka", "tokyo"])
    #expect(try query.end(at: [11_000_000]).ids() == ["kyoto", "lyon", "paris"])
    #expect(try query.end(before: [11_000_000]).ids() == ["kyoto", "lyon"])
    #expect(try query.start(at: [1_500_000]).end(before: [19_100_000]).ids() == ["lyon", "paris"])
    #expect(code { _ = try query.start(at: [1, 2]).ids() } == .invalidArgument)
  }

  @Test func cursorsAtDocuments() throws {
    let query = try cities.order(by: "population")
    let paris = try cities.document("paris").getDocument()
    #expect(try query.start(atDocument: paris).ids() == ["paris", "osaka", "tokyo"])
    #expect(try query.start(afterDocument: paris).ids() == ["osaka", "tokyo"])
    #expect(try query.end(atDocument: paris).ids() == ["kyoto", "lyon", "paris"])
    #expect(try query.end(beforeDocument: paris).ids() == ["kyoto", "lyon"])
    #expect(try cities.start(afterDocument: paris).ids() == ["tokyo"])
    let large = try cities.whereField("population", isGreaterThan: 2_000_000)
    #expect(try large.start(afterDocument: paris).ids() == ["osaka", "tokyo"])

    let atlantis = try cities.document("atlantis").getDocument()
    let missing = try cities.document("el-dorado").getDocument()
    #expect(code { _ = try query.start(atDocument: atlantis) } == .invalidArgument)
    #expect(code { _ = try query.start(atDocument: missing) } == .invalidArgument)
  }

  @Test func pagesPassThroughEqualsOnce() throws {
    let query = try cities.order(by: "country", descending: true).limit(to: 2)
    var pages = [try query.getDocuments().documents]
    while let last = pages.last?.last, pages.count < 10 {
      pages.append(try query.start(afterDocument: last).getDocuments().documents)
    }
    #expect(
      pages.map { $0.map(\.id) }
        == [["tokyo", "osaka"], ["kyoto", "paris"], ["lyon", "atlantis"], []])
  }

  @Test func limits() throws {
    let query = try cities.order(by: "population")
    #expect(try query.limit(to: 2).ids() == ["kyoto", "lyon"])
    #expect(try query.limit(to: 0).ids() == [])
    #expect(try query.limit(toLast: 2).ids() == ["osaka", "tokyo"])
    #expect(try query.limit(toLast: 2).limit(to: 1).ids() == ["kyoto"])
    #expect(try query.limit(to: 1).limit(toLast: 1).ids() == ["tokyo"])
    #expect(try query.limit(toLast: 2).start(at: [30_000_000]).ids() == ["tokyo"])
    #expect(try query.limit(toLast: 2).end(before: [19_100_000]).ids() == ["lyon", "paris"])
    #expect(try query.offset(3).ids() == ["osaka", "tokyo"])
    #expect(try query.offset(1).limit(to: 2).ids() == ["lyon", "paris"])
    #expect(code { _ = try query.limit(to: -1).ids() } == .invalidArgument)
    #expect(code { _ = try query.offset(-1).ids() } == .invalidArgument)
    #expect(code { _ = try cities.limit(toLast: 1).ids() } == .unimplemented)
  }

  @Test(arguments: ["", "a..b", "a[0]", "1a"]) func refusesMalformedPaths(field: String) {
    #expect(code { _ = try cities.whereField(field, isEqualTo: 1) } == .invalidArgument)
    #expect(code { _ = try cities.whereField(field, arrayContains: 1) } == .invalidArgument)
    #expect(code { _ = try cities.order(by: field) } == .invalidArgument)
  }

  @Test func namesInBackticksAreTakenAsTheyAre() throws {
    try cities.document("kyoto").updateData(["`old name`.`a.b`": "Heian-kyo"])
    let query = try cities.whereField("`old name`.`a.b`", isEqualTo: "Heian-kyo")
    #expect(try query.ids() == ["kyoto"])
  }
}
