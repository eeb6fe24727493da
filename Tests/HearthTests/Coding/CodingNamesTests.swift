import Foundation
import Hearth
import Testing

/// The names of fields and the properties that they match.
@Suite struct CodingNamesTests {
  private let document: DocumentReference

  init() throws {
    document = try Database.inMemory().document("names/one")
  }

  @Test func unknownFieldsArePassedOver() throws {
    struct Few: Codable, Equatable { var b: Int }
    try document.setData(["a": [["x": 1]], "b": 2, "c": .vector([1]), "d": .bytes([1])])
    #expect(try document.getDocument(as: Few.self) == Few(b: 2))
  }

  /// Swift's strings are equal, Firestore's names are not.
  @Test func namesAreTheirBytes() throws {
    struct Composed: Codable {
      var value: Int?
      enum CodingKeys: String, CodingKey { case value = "\u{E9}" }
    }
    struct Decomposed: Codable {
      var value: Int?
      enum CodingKeys: String, CodingKey { case value = "e\u{301}" }
    }
    try document.setData(["\u{E9}": 1])
    #expect(try document.getDocument(as: Composed.self).value == 1)
    #expect(try document.getDocument(as: Decomposed.self).value == nil)
    try document.setData(["\u{E9}": 1, "e\u{301}": 2])
    #expect(try document.getDocument(as: Composed.self).value == 1)
    #expect(try document.getDocument(as: Decomposed.self).value == 2)
    #expect(try DocumentEncoder().encode(Decomposed(value: 3)) == ["e\u{301}": 3])
  }

  @Test func aDictionaryThatWouldLoseAFieldIsRefused() throws {
    try document.setData(["m": ["\u{E9}": 1, "e\u{301}": 2]])
    let error = failure { _ = try document.getDocument(as: [String: [String: Int]].self) }
    #expect(
      error?.message == "Document \"names/one\" doesn't decode as "
        + "Dictionary<String, Dictionary<String, Int>>. Field \"m\": Found two names that Swift "
        + "takes for one, \"\u{E9}\"; MapValue can hold them.")
    #expect(try document.getDocument(as: [String: MapValue].self)["m"]?.count == 2)
    try document.setData(["m": ["\u{E9}": 1, "e": 2]])
    #expect(
      try document.getDocument(as: [String: [String: Int]].self)["m"] == ["\u{E9}": 1, "e": 2])
  }

  /// An enum's case matches only a name of the same bytes, though Swift's strings are equal.
  @Test func aCaseIsItsBytes() throws {
    enum Drink: Codable, Equatable {
      case café(Int)
    }
    try document.setData(["d": ["caf\u{E9}": ["_0": 1]]])
    #expect(try document.getDocument(as: [String: Drink].self) == ["d": .café(1)])
    try document.setData(["d": ["cafe\u{301}": ["_0": 1]]])
    #expect(code { _ = try document.getDocument(as: [String: Drink].self) } == .invalidArgument)
  }

  @Test func allKeysAreTheirBytes() throws {
    struct Known: Decodable {
      var keys: [String]
      enum CodingKeys: String, CodingKey { case accented = "\u{E9}", plain }
      init(from decoder: any Decoder) throws {
        keys = try decoder.container(keyedBy: CodingKeys.self).allKeys.map(\.stringValue)
      }
    }
    try document.setData(["\u{E9}": 1, "plain": 1, "unknown": 1])
    #expect(try document.getDocument(as: Known.self).keys == ["plain", "\u{E9}"])
    try document.setData(["e\u{301}": 1, "plain": 1])
    #expect(try document.getDocument(as: Known.self).keys == ["plain"])
  }

  @Test func manyFields() throws {
    let numbers = Dictionary(uniqueKeysWithValues: (0..<500).map { ("field-\($0)", $0) })
    try document.setData(from: ["numbers": numbers])
    #expect(try document.getDocument(as: [String: [String: Int]].self)["numbers"] == numbers)
  }

  // MARK: Strategies

  private struct Snake: Codable, Equatable {
    struct Inner: Codable, Equatable { var streetName: String }
    var createdTime: Int
    var homeAddress: Inner
    var byUserName: [String: Int]
  }

  @Test func snakeCase() throws {
    var encoder = DocumentEncoder()
    encoder.keyEncodingStrategy = .convertToSnakeCase
    var decoder = DocumentDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    let snake = Snake(
      createdTime: 1, homeAddress: .init(streetName: "A"), byUserName: ["bigBob": 1, "sue_lou": 2])
    try document.setData(from: snake, encoder: encoder)
    #expect(
      try document.getDocument().data() == [
        "created_time": 1, "home_address": ["street_name": "A"],
        // The names of a dictionary are data.
        "by_user_name": ["bigBob": 1, "sue_lou": 2],
      ])
    #expect(try document.getDocument(as: Snake.self, decoder: decoder) == snake)
    try document.updateData(["home_address.street_name": 1])
    let error = failure { _ = try document.getDocument(as: Snake.self, decoder: decoder) }
    #expect(error?.codingFailure?.field == "home_address.street_name", "as it is stored")
  }

  @Test(arguments: [
    "a", "simple", "createdTime", "myURLText", "URLText", "URL", "userID", "line2Text",
    "HTTP2Server",
    "_private", "trailing_", "already_snake", "aB", "aBC", "x1Y2", "", "_", "myProperty_",
    "ÄpfelÖl",
  ])
  func namesAreConvertedAsFoundationDoes(name: String) throws {
    let foundationEncoder = JSONEncoder()
    foundationEncoder.keyEncodingStrategy = .convertToSnakeCase
    let foundationDecoder = JSONDecoder()
    foundationDecoder.keyDecodingStrategy = .convertFromSnakeCase
    let text = try foundationEncoder.encode(Named(name: name))
    var encoder = DocumentEncoder()
    encoder.keyEncodingStrategy = .convertToSnakeCase
    let fields = try encoder.encode(Named(name: name))
    let snake = try #require(fields.first?.name)
    #expect(text == Data("{\"\(snake)\":1}".utf8))

    var decoder = DocumentDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    guard !name.isEmpty else { return }
    for stored in [snake, name] {
      try document.setData([stored: 1])
      let ours = try document.getDocument(as: Named.self, decoder: decoder)
      let theirs = try foundationDecoder.decode(
        Named.self, from: Data("{\"\(stored)\":1}".utf8))
      #expect(ours.name == theirs.name)
    }
  }

  /// One field with a name of the test's choice.
  private struct Named: Codable {
    struct Key: CodingKey {
      var stringValue: String
      var intValue: Int? { nil }
      init(stringValue: String) { self.stringValue = stringValue }
      init?(intValue: Int) { nil }
    }

    var name: String

    init(name: String) { self.name = name }

    init(from decoder: any Decoder) throws {
      name = try decoder.container(keyedBy: Key.self).allKeys[0].stringValue
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Key.self)
      try container.encode(1, forKey: Key(stringValue: name))
    }
  }

  @Test func customNames() throws {
    var encoder = DocumentEncoder()
    encoder.keyEncodingStrategy = .custom { path in
      Named.Key(stringValue: path.map(\.stringValue).joined(separator: "/").uppercased())
    }
    var decoder = DocumentDecoder()
    decoder.keyDecodingStrategy = .custom { path in
      let last = path[path.count - 1].stringValue.split(separator: "/").last.map(String.init) ?? ""
      return Named.Key(stringValue: last == "A" ? "a" : "b")
    }
    struct Two: Codable, Equatable {
      struct One: Codable, Equatable { var a: Int }
      var b: One
    }
    try document.setData(from: Two(b: .init(a: 1)), encoder: encoder)
    #expect(try document.getDocument().data() == ["B": ["B/A": 1]])
    #expect(try document.getDocument(as: Two.self, decoder: decoder) == Two(b: .init(a: 1)))
  }

  /// If two fields get one name, the first in the order of bytes counts.
  @Test func namesThatMeet() throws {
    var decoder = DocumentDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    try document.setData(["user_name": 1, "userName": 2])
    #expect(
      try document.getDocument(as: [String: Int].self, decoder: decoder)
        == ["user_name": 1, "userName": 2])
    struct User: Decodable { var userName: Int }
    #expect(try document.getDocument(as: User.self, decoder: decoder).userName == 2)
  }
}
