import Foundation
import Hearth
import Testing

/// Types that write their own `init(from:)` and `encode(to:)`.
@Suite struct CodingContainerTests {
  private let document: DocumentReference

  init() throws {
    document = try Database.inMemory().document("own/one")
  }

  private class Animal: Codable {
    var name: String
    init(name: String) { self.name = name }
  }

  private final class Dog: Animal {
    var tricks: [String]
    enum Key: String, CodingKey { case tricks, nested, list }

    init(name: String, tricks: [String]) {
      self.tricks = tricks
      super.init(name: name)
    }

    required init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Key.self)
      tricks = try container.decode([String].self, forKey: .tricks)
      let nested = try container.nestedContainer(keyedBy: Key.self, forKey: .nested)
      #expect(try nested.decodeNil(forKey: .tricks))
      #expect(nested.contains(.tricks) && !nested.contains(.list))
      #expect(nested.codingPath.map(\.stringValue) == ["nested"])
      var list = try container.nestedUnkeyedContainer(forKey: .list)
      #expect(list.count == 3)
      let inner = try list.nestedContainer(keyedBy: Key.self)
      #expect(try inner.decode(Int.self, forKey: .list) == 7)
      #expect(inner.codingPath.map(\.stringValue) == ["list", "0"])
      #expect(try list.decodeNil())
      #expect(try !list.decodeNil())
      #expect(list.currentIndex == 2)
      #expect(try list.decode(String.self) == "end")
      #expect(list.isAtEnd)
      #expect(throws: DecodingError.self) { try list.decode(String.self) }
      #expect(throws: DecodingError.self) { try list.decodeNil() }
      try super.init(from: container.superDecoder())
    }

    override func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Key.self)
      try super.encode(to: container.superEncoder())
      var nested = container.nestedContainer(keyedBy: Key.self, forKey: .nested)
      var list = container.nestedUnkeyedContainer(forKey: .list)
      try container.encode(tricks, forKey: .tricks)
      // A container that was begun earlier is completed later.
      var inner = list.nestedContainer(keyedBy: Key.self)
      try list.encodeNil()
      try nested.encodeNil(forKey: .tricks)
      try inner.encode(7, forKey: .list)
      #expect(list.count == 2)
      try list.encode("end")
      #expect(inner.codingPath.map(\.stringValue) == ["list", "0"])
    }
  }

  @Test func containersInsideOfContainers() throws {
    try document.setData(from: Dog(name: "Rex", tricks: ["sit"]))
    #expect(
      try document.getDocument().data() == [
        "tricks": ["sit"], "nested": ["tricks": .null], "list": [["list": 7], .null, "end"],
        "super": ["name": "Rex"],
      ])
    let dog = try document.getDocument(as: Dog.self)
    #expect(dog.name == "Rex")
    #expect(dog.tricks == ["sit"])
  }

  /// A class may write its fields into the same map as its parent, and overwrite the parent's.
  @Test func oneMapOfTwoContainers() throws {
    struct Both: Encodable {
      enum First: CodingKey { case a, b }
      enum Second: CodingKey { case b, c }
      func encode(to encoder: any Encoder) throws {
        var first = encoder.container(keyedBy: First.self)
        try first.encode(1, forKey: .b)
        try first.encode(1, forKey: .a)
        var second = encoder.container(keyedBy: Second.self)
        try second.encode(2, forKey: .b)
        try second.encode(2, forKey: .c)
      }
    }
    #expect(try DocumentEncoder().encode(Both()) == ["a": 1, "b": 2, "c": 2])
  }

  @Test func userInfoArrives() throws {
    let key = try #require(CodingUserInfoKey(rawValue: "factor"))
    struct Scaled: Codable, Equatable {
      var number: Int
      init(number: Int) { self.number = number }
      private static func factor(_ info: [CodingUserInfoKey: Any]) -> Int {
        CodingUserInfoKey(rawValue: "factor").flatMap { info[$0] as? Int } ?? 1
      }
      init(from decoder: any Decoder) throws {
        let stored = try decoder.singleValueContainer().decode(Int.self)
        number = stored * Scaled.factor(decoder.userInfo)
      }
      func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(number / Scaled.factor(encoder.userInfo))
      }
    }
    var encoder = DocumentEncoder()
    encoder.userInfo[key] = 10
    var decoder = DocumentDecoder()
    decoder.userInfo[key] = 10
    #expect(try encoder.encode(["n": Scaled(number: 50)]) == ["n": 5])
    try document.setData(["n": 5])
    #expect(
      try document.getDocument(as: [String: Scaled].self, decoder: decoder)
        == ["n": Scaled(number: 50)])
  }

  /// A decoder that is kept after its call still reads the same data.
  @Test func aDecoderMayBeKept() throws {
    struct Lazy: Decodable {
      let decoder: any Decoder
      init(from decoder: any Decoder) throws { self.decoder = decoder }
    }
    try document.setData(["a": 1])
    let lazy = try document.getDocument(as: Lazy.self)
    try document.setData(["a": 2, "b": 3])
    #expect(try [String: Int](from: lazy.decoder) == ["a": 1])
  }
}
