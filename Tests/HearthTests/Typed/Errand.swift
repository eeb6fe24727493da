import FoundationEssentials
import Hearth

/// A type with a property of every kind that typed queries and updates treat differently.
struct Errand: FieldKeyed, Equatable {
  enum Status: String, Codable { case open, blocked, done }

  struct Place: FieldKeyed, Equatable {
    var city: String
    var floor: Int?

    static let fieldKeys = FieldKeys<Place>(CodingKeys.self, [\.city: .city, \.floor: .floor])
  }

  var title: String
  var userID: String
  var status = Status.open
  var priority = 0
  var cost: Double?
  var dueTime: Date?
  var editedTime: Timestamp?
  var tags: [String] = []
  var watchers: [String]?
  var place = Place(city: "Tokyo")
  var detour: Place?
  var note: String?

  private enum CodingKeys: String, CodingKey {
    case title, status, priority, cost, dueTime, editedTime, tags, watchers, place, detour, note
    case userID = "uid"
  }

  static let fieldKeys = FieldKeys<Errand>(
    CodingKeys.self,
    [
      \.title: .title, \.userID: .userID, \.status: .status, \.priority: .priority, \.cost: .cost,
      \.dueTime: .dueTime, \.editedTime: .editedTime, \.tags: .tags, \.watchers: .watchers,
      \.place: .place, \.detour: .detour,
    ]
  )
  .adding(\.detour?.city, at: "detour.city")
}

extension Errand {
  /// Five errands of two users, by id.
  static let examples: [(id: String, errand: Errand)] = [
    (
      "bank",
      Errand(title: "Bank", userID: "ann", status: .done, priority: 1, cost: 0.5, tags: ["town"])
    ),
    (
      "cake",
      Errand(
        title: "Cake", userID: "bob", priority: 3, tags: ["town", "food"], watchers: ["ann"],
        place: Place(city: "Osaka", floor: 2))
    ),
    (
      "milk",
      Errand(
        title: "Milk", userID: "ann", priority: 2, cost: 2,
        dueTime: Date(timeIntervalSince1970: 1_000), tags: ["food"],
        detour: Place(city: "Kyoto"))
    ),
    (
      "post",
      Errand(
        title: "Post", userID: "ann", status: .blocked, priority: 3,
        dueTime: Date(timeIntervalSince1970: 2_000), watchers: ["bob", "cid"])
    ),
    ("wash", Errand(title: "Wash", userID: "bob", priority: 1, cost: 4)),
  ]

  static func stored(in database: Database) throws -> TypedCollection<Errand> {
    let errands = try database.collection("errands", of: Errand.self)
    for (id, errand) in examples { try errands.set(errand, id: id) }
    return errands
  }
}

/// A type that has its document's id, and is stored under other names.
struct Member: FieldKeyed, Equatable {
  struct Home: FieldKeyed, Equatable {
    var postCode: String

    static let fieldKeys = FieldKeys<Home>(CodingKeys.self, [\.postCode: .postCode])
  }

  @DocumentID var id: String?
  var firstName: String
  var home: Home

  static let fieldKeys = FieldKeys<Member>(
    CodingKeys.self, id: \.id, [\.firstName: .firstName, \.home: .home])

  static var documentEncoder: DocumentEncoder {
    var encoder = DocumentEncoder()
    encoder.keyEncodingStrategy = .convertToSnakeCase
    encoder.nilEncodingStrategy = .null
    return encoder
  }

  static var documentDecoder: DocumentDecoder {
    var decoder = DocumentDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    return decoder
  }
}
