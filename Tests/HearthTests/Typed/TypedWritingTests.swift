import FoundationEssentials
import Hearth
import Testing

/// Writes of whole values, and of single fields by key paths.
@Suite struct TypedWritingTests {
  private let database: Database
  private let errands: TypedCollection<Errand>

  init() throws {
    database = try Database.inMemory()
    errands = try database.collection("errands", of: Errand.self)
  }

  private func data(_ id: String) throws -> MapValue? {
    try errands.document(id).getDocument().data()
  }

  private func milk() throws -> MapValue? { try data("milk") }

  @Test func wholeValues() throws {
    let milk = Errand(title: "Milk", userID: "ann", cost: 2)
    let added = try errands.add(milk)
    #expect(try errands.getDocument(added.id) == milk)
    try errands.create(milk, id: "milk")
    #expect(code { try errands.create(milk, id: "milk") } == .alreadyExists)
    try errands.set(Errand(title: "Soy milk", userID: "ann"), id: "milk", merge: true)
    #expect(try errands.getDocument("milk")?.cost == 2)
    try errands.set(Errand(title: "Soy milk", userID: "ann"), id: "milk")
    #expect(try errands.getDocument("milk") == Errand(title: "Soy milk", userID: "ann"))
    try errands.delete("milk")
    #expect(try errands.getDocument("milk") == nil)
    #expect(code { _ = try errands.getDocument("a/b") } == .invalidArgument)
  }

  @Test func theSameWithoutBlocking() async throws {
    let milk = Errand(title: "Milk", userID: "ann", cost: 2)
    let added = try await errands.add(milk)
    #expect(try await errands.getDocument(added.id) == milk)
    try await errands.create(milk, id: "milk")
    try await errands.set(Errand(title: "Soy", userID: "ann"), id: "milk", merge: true)
    let time = try await errands.update("milk", .increment(\.priority, by: 2)).updateTime
    #expect(try await errands.getDocument("milk")?.priority == 2)
    try await errands.delete("milk", if: .updateTime(time))
    #expect(try await errands.getDocument("milk") == nil)
    #expect(await code { try await errands.update("milk") } == .notFound)
  }

  @Test func fieldsAreSetRemovedAndTransformed() throws {
    try errands.document("milk").setData(["kept": true, "note": "x", "watchers": ["ann"]])
    let due = Date(timeIntervalSince1970: 1_000)
    try errands.update(
      "milk", .set(\.title, to: "Milk"), .set(\.userID, to: "ann"), .set(\.status, to: .done),
      .set(\.dueTime, to: due), .set(\.place.city, to: "Kobe"), .delete(\.watchers),
      .increment(\.priority, by: 3), .increment(\.cost, by: 0.5), .arrayUnion(\.tags, ["a", "b"]),
      .serverTimestamp(\.editedTime))
    let edited = try #require(try milk()?["editedTime"])
    #expect(edited.timestampValue != nil)
    #expect(
      try milk() == [
        "kept": true, "note": "x", "title": "Milk", "uid": "ann", "status": "done",
        "dueTime": .timestamp(Timestamp(due)), "place": ["city": "Kobe"], "priority": 3,
        "cost": 0.5, "tags": ["a", "b"], "editedTime": edited,
      ])
    try errands.update(
      "milk", .maximum(\.priority, 9), .minimum(\.cost, 0.25), .arrayRemove(\.tags, ["a"]),
      .arrayUnion(\.watchers, ["bob"]), .serverTimestamp(\.dueTime))
    let stored = try #require(try errands.getDocument("milk"))
    #expect(stored.priority == 9 && stored.cost == 0.25)
    #expect(stored.tags == ["b"] && stored.watchers == ["bob"])
    #expect(try #require(stored.dueTime) > due)
    try errands.update(
      "milk", .minimum(\.priority, 1), .maximum(\.cost, 8), .arrayRemove(\.watchers, ["bob"]))
    #expect(try milk()?["priority"] == 1)
    #expect(try milk()?["cost"] == 8.0)
    #expect(try milk()?["watchers"] == [])
  }

  @Test func nilIsStoredAsTheTypesEncoderStoresIt() throws {
    try errands.set(Errand(title: "Milk", userID: "ann", cost: 2), id: "milk")
    try errands.update("milk", .set(\.cost, to: nil))
    let removed = try #require(try milk())
    #expect(removed["cost"] == nil)
    #expect(removed["title"] == "Milk")
  }

  private struct Misnamed: FieldKeyed {
    var home: Errand.Place?
    static let fieldKeys = FieldKeys<Misnamed>(CodingKeys.self, [:]).adding(\.home?.city, at: "")
  }

  @Test func anEmptyPathIsRefused() throws {
    let all = try database.collection("misnamed", of: Misnamed.self)
    #expect(code { _ = try all.where(\.home?.city == "A").getDocuments() } == .invalidArgument)
  }

  /// A type whose field names show how the strategy was given.
  private struct Traced: FieldKeyed {
    var place: Errand.Place

    static let fieldKeys = FieldKeys<Traced>(CodingKeys.self, [\.place: .place])

    struct Key: CodingKey {
      let stringValue: String
      var intValue: Int? { nil }
      init(stringValue: String) { self.stringValue = stringValue }
      init?(intValue: Int) { nil }
    }

    static var documentEncoder: DocumentEncoder {
      var encoder = DocumentEncoder()
      encoder.keyEncodingStrategy = .custom { way in
        Key(stringValue: "x_" + way.map(\.stringValue).joined(separator: "_"))
      }
      return encoder
    }
  }

  @Test func aCustomStrategyNamesTheFieldsThatAreWritten() throws {
    let traced = try database.collection("traced", of: Traced.self)
    try traced.set(Traced(place: Errand.Place(city: "Tokyo")), id: "a")
    try traced.update("a", .set(\.place.city, to: "Osaka"))
    let stored = try database.document("traced/a").getDocument()
    #expect(try stored.data() == ["x_place": ["x_x_place_city": "Osaka"]])
  }

  @Test func preconditionsAndMistakes() throws {
    let time = try errands.set(Errand(title: "Milk", userID: "ann"), id: "milk").updateTime
    try errands.update("milk", .set(\.title, to: "Soy"), if: .updateTime(time))
    #expect(
      code { try errands.update("milk", .set(\.title, to: "A"), if: .updateTime(time)) }
        == .failedPrecondition)
    #expect(code { try errands.delete("milk", if: .updateTime(time)) } == .failedPrecondition)
    #expect(code { try errands.update("none", .set(\.title, to: "A")) } == .notFound)
    #expect(code { try errands.update("milk", .set(\.note, to: "A")) } == .invalidArgument)
    #expect(
      code { try errands.update("milk", .set(\.priority, to: 1), .increment(\.priority, by: 1)) }
        == .invalidArgument)
    #expect(code { try errands.set(Errand(title: "A", userID: "b")) } == .invalidArgument)
  }

  @Test func batchesTakeTypedDocuments() throws {
    let milk = Errand(title: "Milk", userID: "ann", cost: 1)
    var batch = database.batch()
    try batch.create(milk, id: "milk", in: errands)
    try batch.set(Errand(title: "Soy", userID: "ann"), id: "milk", in: errands, merge: true)
    try batch.update("milk", in: errands, .increment(\.priority, by: 1), .set(\.cost, to: 3))
    try batch.set(milk, id: "other", in: errands)
    try batch.commit()
    #expect(
      try errands.getDocument("milk") == Errand(title: "Soy", userID: "ann", priority: 1, cost: 3))
    #expect(try errands.getDocument("other") == milk)
    #expect(code { try batch.create(milk, id: "a/b", in: errands) } == .invalidArgument)
  }

  @Test func transactionsTakeTypedDocuments() async throws {
    for (id, errand) in Errand.examples { try await errands.set(errand, id: id) }
    try await database.runTransaction { transaction in
      let milk = try await transaction.getDocument("milk", in: errands)
      let others = try await transaction.getDocuments(errands.where(\.priority == 3))
      #expect(others.map(\.title) == ["Cake", "Post"])
      try transaction.update("milk", in: errands, .set(\.priority, to: others.count))
      try transaction.set(
        Errand(title: milk?.title ?? "", userID: "dan"), id: "copy", in: errands, merge: true)
      try transaction.create(Errand(title: "New", userID: "dan"), id: "new", in: errands)
    }
    #expect(
      try await errands.where(\.userID == "dan").getDocuments().map(\.title) == ["Milk", "New"])
    #expect(try await errands.getDocument("milk")?.priority == 2)
  }
}

/// A type with its own id and strategies.
@Suite struct TypedIDTests {
  private let members: TypedCollection<Member>

  init() throws {
    members = try Database.inMemory().collection("members", of: Member.self)
    for (id, name, code) in [("a", "Ann", "1"), ("b", "Bob", "2"), ("c", "Cid", "1")] {
      try members.set(Member(id: id, firstName: name, home: Member.Home(postCode: code)))
    }
  }

  private func names(_ query: some TypedQueryBuilding<Member>) throws -> [String] {
    try query.getDocuments().map(\.firstName)
  }

  @Test func namesAreConverted() throws {
    let fields = try members.document("a").getDocument().data()
    #expect(fields == ["first_name": "Ann", "home": ["post_code": "1"]])
    #expect(try names(members.where(\.home.postCode == "1")) == ["Ann", "Cid"])
    #expect(try names(members.order(by: \.firstName, descending: true)) == ["Cid", "Bob", "Ann"])
    try members.update("a", .set(\.home.postCode, to: "3"))
    #expect(try members.getDocument("a")?.home.postCode == "3")
  }

  @Test func theIDIsTheDocumentsName() throws {
    #expect(try names(members.where(\.id == "b")) == ["Bob"])
    #expect(try names(members.where(\.id > "a")) == ["Bob", "Cid"])
    #expect(try names(members.where(\.id, in: ["a", "c"])) == ["Ann", "Cid"])
    #expect(try names(members.order(by: \.id).start(after: "a")) == ["Bob", "Cid"])
    #expect(code { try members.update("a", .set(\.id, to: "b")) } == .invalidArgument)
  }

  @Test func aValueWithoutIDIsNotStoredUnderOne() throws {
    let member = Member(firstName: "Dan", home: Member.Home(postCode: "1"))
    #expect(code { try members.set(member) } == .invalidArgument)
    try members.add(member)
    #expect(try members.count() == 4)
  }
}
