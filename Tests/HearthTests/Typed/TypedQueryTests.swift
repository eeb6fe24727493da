import FoundationEssentials
import Hearth
import Testing

/// Queries by key paths have the same results as the same queries by names.
@Suite struct TypedQueryTests {
  private let database: Database
  private let errands: TypedCollection<Errand>

  init() throws {
    database = try Database.inMemory()
    errands = try Errand.stored(in: database)
  }

  private func titles(_ query: some TypedQueryBuilding<Errand>) throws -> [String] {
    try query.getDocuments().map(\.title)
  }

  @Test func equalities() throws {
    let user = "ann"
    #expect(try titles(errands.where(\.userID == user)) == ["Bank", "Milk", "Post"])
    #expect(try titles(errands.where(\.userID != user)) == ["Cake", "Wash"])
    #expect(try titles(errands.where(\.status == .blocked)) == ["Post"])
    #expect(try titles(errands.where(\.status != .open)) == ["Post", "Bank"])
    #expect(try titles(errands.where(\.cost == 2)) == ["Milk"])
    #expect(
      try titles(errands.where(\.dueTime == Date(timeIntervalSince1970: 2_000))) == ["Post"])
    #expect(try titles(errands.where(\.place.city == "Osaka")) == ["Cake"])
    #expect(try titles(errands.where(\.place.floor == 2)) == ["Cake"])
    #expect(try titles(errands.where(\.detour?.city == "Kyoto")) == ["Milk"])
    let osaka = Errand.Place(city: "Osaka", floor: 2)
    #expect(try titles(errands.where(\.place == osaka)) == ["Cake"])
  }

  @Test func nilFindsANullOnly() throws {
    #expect(try titles(errands.where(\.watchers == nil)) == [])
    try errands.document("wash").updateData(["watchers": .null])
    #expect(try titles(errands.where(\.watchers == nil)) == ["Wash"])
    #expect(try titles(errands.where(\.watchers != nil)) == ["Cake", "Post"])
  }

  @Test func ranges() throws {
    #expect(try titles(errands.where(\.priority < 2)) == ["Bank", "Wash"])
    #expect(try titles(errands.where(\.priority <= 2)) == ["Bank", "Wash", "Milk"])
    #expect(try titles(errands.where(\.priority > 2)) == ["Cake", "Post"])
    #expect(try titles(errands.where(\.priority >= 2)) == ["Milk", "Cake", "Post"])
    #expect(try titles(errands.where(\.cost < 2.5)) == ["Bank", "Milk"])
    #expect(try titles(errands.where(\.cost <= 2)) == ["Bank", "Milk"])
    #expect(try titles(errands.where(\.cost > 2)) == ["Wash"])
    #expect(try titles(errands.where(\.cost >= 2)) == ["Milk", "Wash"])
    let time = Date(timeIntervalSince1970: 1_000)
    #expect(try titles(errands.where(\.dueTime > time)) == ["Post"])
    #expect(try titles(errands.where(\.dueTime >= time)) == ["Milk", "Post"])
    #expect(try titles(errands.where(\.place.floor > 1)) == ["Cake"])
  }

  @Test func lists() throws {
    #expect(try titles(errands.where(\.status, in: [.done, .blocked])) == ["Bank", "Post"])
    #expect(try titles(errands.where(\.priority, notIn: [1, 3])) == ["Milk"])
    #expect(try titles(errands.where(\.tags, arrayContains: "town")) == ["Bank", "Cake"])
    #expect(try titles(errands.where(\.watchers, arrayContains: "bob")) == ["Post"])
    #expect(
      try titles(errands.where(\.tags, arrayContainsAny: ["food", "none"])) == ["Cake", "Milk"])
    #expect(
      try titles(errands.where(\.watchers, arrayContainsAny: ["ann", "cid"])) == ["Cake", "Post"])
  }

  @Test func conditionsNest() throws {
    let user = "bob"
    let both = try errands.where(\.userID == user && .where(\.tags, arrayContains: "food"))
    #expect(try titles(both) == ["Cake"])
    let either = try errands.where(\.status == .done || \.priority == 2 || \.title == "Wash")
    #expect(try titles(either) == ["Bank", "Milk", "Wash"])
    let nested = try errands.where(
      \.userID == user && (\.title == "Wash" || \.title == "Cake") && \.priority == 1)
    #expect(try titles(nested) == ["Wash"])
    let lists = try errands.where(
      .where(\.status, in: [.open]) && .where(\.tags, arrayContainsAny: ["town"]))
    #expect(try titles(lists) == ["Cake"])
    #expect(
      try nested.query.structuredQuery.filter
        == .and([
          .whereField("uid", isEqualTo: "bob"),
          .or([.whereField("title", isEqualTo: "Wash"), .whereField("title", isEqualTo: "Cake")]),
          .whereField("priority", isEqualTo: 1),
        ]))
    let chained = try errands.where(\.userID == user).where(\.priority == 1)
    #expect(try titles(chained) == ["Wash"])
  }

  @Test func ordersCursorsAndLimits() throws {
    let query = try errands.order(by: \.priority)
    #expect(try titles(query) == ["Bank", "Wash", "Milk", "Cake", "Post"])
    let reverse = try errands.order(by: \.priority, descending: true)
    #expect(try titles(reverse) == ["Post", "Cake", "Milk", "Wash", "Bank"])
    #expect(try titles(query.start(at: 2)) == ["Milk", "Cake", "Post"])
    #expect(try titles(query.start(after: 2)) == ["Cake", "Post"])
    #expect(try titles(query.end(at: 2)) == ["Bank", "Wash", "Milk"])
    #expect(try titles(query.end(before: 2)) == ["Bank", "Wash"])
    #expect(try titles(query.limit(to: 2)) == ["Bank", "Wash"])
    #expect(try titles(query.limit(toLast: 2)) == ["Cake", "Post"])
    #expect(try titles(errands.order(by: \.place.city).limit(to: 1)) == ["Cake"])
    let bank = try #require(try query.query.getDocuments().documents.first)
    #expect(try titles(query.start(afterDocument: bank).limit(to: 1)) == ["Wash"])
    let late = try errands.order(by: \.dueTime).start(after: Date(timeIntervalSince1970: 1_000))
    #expect(try titles(late) == ["Post"])

    try database.indexes.create(
      IndexDefinition(
        "errands",
        [
          IndexColumn(FieldPath("uid"), .ascending), IndexColumn(FieldPath("priority"), .ascending),
        ]))
    let two = try errands.order(by: \.userID).order(by: \.priority).start(after: "ann", 2)
    #expect(try titles(two) == ["Post", "Wash", "Cake"])
  }

  @Test func figures() async throws {
    #expect(try figure { try errands.count() } == 5)
    #expect(try figure { try errands.sum(\.priority) } == 10)
    #expect(try figure { try errands.sum(\.cost) } == 6.5)
    #expect(try figure { try errands.average(\.priority) } == 2)
    #expect(try figure { try errands.where(\.cost > 100).average(\.cost) } == nil as Double?)
    #expect(try await errands.where(\.userID == "bob").count() == 2)
    #expect(try await errands.sum(\.priority) == 10)
    #expect(try await errands.sum(\.cost) == 6.5)
    #expect(try await errands.average(\.priority) == 2)
    #expect(try await errands.average(\.cost) == 6.5 / 3)
    #expect(try await errands.where(\.priority == 2).getDocuments().map(\.title) == ["Milk"])
  }

  private func figure<T>(_ body: () throws -> T) rethrows -> T { try body() }

  @Test func aSumThatDoesNotFitIsRefused() throws {
    try errands.document("bank").updateData(["priority": .integer(.max)])
    #expect(code { _ = try errands.sum(\.priority) } == .outOfRange)
  }

  @Test func aGroupAndACollectionBelowADocumentAreTyped() throws {
    let below = try database.document("teams/a").collection("errands", of: Errand.self)
    try below.set(Errand(title: "Move", userID: "cid"), id: "move")
    #expect(try titles(below) == ["Move"])
    let group = try database.collectionGroup("errands", of: Errand.self)
    #expect(try titles(group.limit(to: 9)).count == 6)
  }

  @Test func anUnlistedKeyPathAndAnUnservedQueryAreRefused() throws {
    let unlisted = failure { _ = try errands.where(\.note == "x") }
    #expect(unlisted?.code == .invalidArgument)
    #expect(
      unlisted?.message.hasPrefix("Errand.fieldKeys doesn't list \\Errand.note") == true)
    #expect(code { _ = try errands.order(by: \.detour?.floor) } == .invalidArgument)
    #expect(code { _ = try errands.order(by: \.title.count) } == .invalidArgument)
    let unserved = failure {
      _ = try errands.where(\.userID == "ann").order(by: \.priority).getDocuments()
    }
    #expect(unserved?.missingIndex != nil)
  }

  @Test func aDocumentThatDoesNotFitIsNamed() throws {
    try errands.document("odd").setData(["title": 1])
    let error = failure { _ = try errands.getDocuments() }
    #expect(error?.codingFailure?.document == "errands/odd")
  }
}
