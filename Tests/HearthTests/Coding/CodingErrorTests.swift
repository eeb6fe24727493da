import Foundation
import Hearth
import Testing

/// The texts of all errors, which name the document, the field, the stored value and the wanted
/// type.
@Suite struct CodingErrorTests {
  private let database: Database
  private let document: DocumentReference

  init() throws {
    database = try Database.inMemory()
    document = try database.document("tasks/one")
  }

  struct Task: Codable {
    struct Owner: Codable { var age: UInt8 }
    var title: String
    var owner: Owner?
    var tags: [String]?
    var link: URL?
    var id: UUID?
    var price: Decimal?
    var time: Date?
    var parent: DocumentReference?
    var data: Data?
    var spot: GeoPoint?
    var vector: VectorValue?
  }

  private func expect<T: Decodable>(
    _ fields: MapValue, as type: T.Type = Task.self, _ message: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try document.setData(fields)
    let error = failure { _ = try document.getDocument(as: type) }
    #expect(error?.code == .invalidArgument, sourceLocation: sourceLocation)
    #expect(
      error?.message == "Document \"tasks/one\" doesn't decode as \(T.self). \(message)",
      sourceLocation: sourceLocation)
    #expect(error?.codingFailure?.document == "tasks/one", sourceLocation: sourceLocation)
    #expect(error?.cause != nil, sourceLocation: sourceLocation)
  }

  @Test func fieldsThatDoNotFit() throws {
    try expect(["title": 1], #"Field "title": Found an integer, wanted String."#)
    try expect([:], #"Field "title": Found no such field, wanted String."#)
    try expect(["title": .null], #"Field "title": Found null, wanted String."#)
    try expect(
      ["title": "", "owner": ["age": 300]],
      #"Field "owner.age": Found the integer 300, which UInt8 can't hold."#)
    try expect(
      ["title": "", "owner": ["age": 1.5]],
      #"Field "owner.age": Found the double 1.5, which UInt8 can't hold."#)
    try expect(
      ["title": "", "owner": [:]], #"Field "owner.age": Found no such field, wanted UInt8."#)
    try expect(
      ["title": "", "owner": "x"],
      #"Field "owner": Found a string, wanted Dictionary<String, Any>."#)
    try expect(
      ["title": "", "tags": ["a", "b", true]],
      #"Field "tags[2]": Found a boolean, wanted String."#)
    try expect(
      ["title": "", "tags": ["a": 1]], #"Field "tags": Found a map, wanted Array<Any>."#)
    try expect(
      ["title": "", "tags": .vector([1])], #"Field "tags[0]": Found a double, wanted String."#)
    try expect(["title": "", "link": ""], #"Field "link": Found a string that is no URL."#)
    try expect(["title": "", "id": "x"], #"Field "id": Found a string that is no UUID."#)
    try expect(
      ["title": "", "price": .double(.infinity)],
      #"Field "price": Found the double inf, which Decimal can't hold."#)
    try expect(["title": "", "time": 1], #"Field "time": Found an integer, wanted Date."#)
    try expect(["title": "", "data": []], #"Field "data": Found an array, wanted Data."#)
    try expect(
      ["title": "", "spot": .bytes([])], #"Field "spot": Found bytes, wanted GeoPoint."#)
    try expect(
      ["title": "", "vector": .timestamp(.minimum)],
      #"Field "vector": Found a timestamp, wanted VectorValue."#)
    try expect(
      ["title": .reference(document.name())],
      #"Field "title": Found a reference, wanted String."#)
    try expect(
      ["title": .geoPoint(GeoPoint(latitude: 0, longitude: 0))],
      #"Field "title": Found a geo point, wanted String."#)
    let foreign = try DocumentName(document.path, in: DatabaseID(project: "p"))
    try expect(
      ["title": "", "parent": .reference(foreign)],
      #"Field "parent": Found a reference into projects/p/databases/(default), "#
        + "which is another database; DocumentName can hold it.")
    try expect([:], as: [Int].self, "Found a map, wanted Array<Any>.")
    try expect([:], as: Int.self, "Found a map, wanted Int.")
    try expect(
      ["x y": ["\u{E9}": 1]], as: [String: [String: Bool]].self,
      "Field \"`x y`.`\u{E9}`\": Found an integer, wanted Bool.")
  }

  @Test func keysWithNumbersAreNames() throws {
    struct Numbered: Codable {
      var name: String
      enum CodingKeys: Int, CodingKey { case name = 3 }
    }
    try expect([:], as: Numbered.self, #"Field "name": Found no such field, wanted String."#)
    try document.setData(from: [7: "seven"])
    #expect(try document.getDocument().data() == ["7": "seven"])
    #expect(try document.getDocument(as: [Int: String].self) == [7: "seven"])
  }

  @Test func theDetailsAreData() throws {
    try document.setData(["title": "", "tags": [1]])
    let error = failure { _ = try document.getDocument(as: Task.self) }
    let details = try #require(error?.codingFailure)
    #expect(details.field == "tags[0]")
    #expect(details.found == "an integer")
    #expect(details.wanted == "String")
    #expect(error?.cause is DecodingError)
  }

  @Test func oneFieldThatDoesNotFit() throws {
    try document.setData(["a": ["b": 1]])
    let snapshot = try document.getDocument()
    #expect(try snapshot.value("a.b", as: Int.self) == 1)
    #expect(try snapshot.value("a.c", as: Int.self) == nil)
    #expect(
      failure { _ = try snapshot.value("a", as: [String: String].self) }?.message
        == "Document \"tasks/one\" doesn't decode as Dictionary<String, String>. "
        + "Field \"a.b\": Found an integer, wanted String.")
    #expect(code { _ = try snapshot.value("a..b", as: Int.self) } == .invalidArgument)
  }

  @Test func noDocument() throws {
    let error = failure { _ = try document.getDocument(as: Task.self) }
    #expect(error?.code == .notFound)
    #expect(error?.message == "No document to decode as Task: \"tasks/one\".")
    #expect(try document.getDocument(as: Task?.self) == nil)
    #expect(try document.getDocument().value("title", as: String.self) == nil)
  }

  @Test func errorsOfTheTypesOwn() throws {
    struct Odd: Error, CustomStringConvertible { var description: String { "It is odd." } }
    struct Strict: Decodable {
      init(from decoder: any Decoder) throws { throw Odd() }
    }
    struct Picky: Decodable {
      init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        throw DecodingError.dataCorruptedError(in: container, debugDescription: "Not today.")
      }
    }
    try expect(["a": 1], as: Strict.self, "It is odd.")
    try expect(["a": 1], as: [String: Picky].self, "Field \"a\": Not today.")
    #expect(failure { _ = try document.getDocument(as: Strict.self) }?.cause is Odd)
  }

  /// A type may try one form after the other.
  @Test func errorsCanBeCaught() throws {
    enum Either: Decodable, Equatable {
      case number(Int)
      case text(String)
      init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        do {
          self = .number(try container.decode(Int.self))
        } catch DecodingError.typeMismatch {
          self = .text(try container.decode(String.self))
        }
      }
    }
    try document.setData(["a": ["x", 1]])
    #expect(try document.getDocument(as: [String: [Either]].self)["a"] == [.text("x"), .number(1)])
  }

  // MARK: Encoding

  private func expectRefusal<T: Encodable>(
    of value: T, _ message: String, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let error = failure { try document.setData(from: value) }
    #expect(error?.code == .invalidArgument, sourceLocation: sourceLocation)
    #expect(
      error?.message == "\(T.self) doesn't encode for \"tasks/one\". \(message)",
      sourceLocation: sourceLocation)
    #expect(error?.codingFailure?.document == "tasks/one", sourceLocation: sourceLocation)
  }

  @Test func valuesThatNoDocumentCanHold() throws {
    expectRefusal(of: [1], "A document holds fields, and a Array<Int> has none.")
    expectRefusal(of: 1, "A document holds fields, and a Int has none.")
    expectRefusal(
      of: ["a": ["b": UInt64.max]],
      #"Field "a.b": 18446744073709551615 is beyond an integer's 64 bits."#)
    expectRefusal(
      of: ["a": [UInt64.max]],
      #"Field "a[0]": 18446744073709551615 is beyond an integer's 64 bits."#)
    expectRefusal(
      of: ["a": Date.distantFuture.addingTimeInterval(1e15)],
      #"Field "a": A Date outside of the years 1 to 9999 is no timestamp."#)
    expectRefusal(
      of: ["a": Decimal(string: "0.12345678901234567890123")],
      #"Field "a": The Decimal 0.12345678901234567890123 has more digits than a double keeps."#)
    expectRefusal(of: ["a": [[1], [2]]], #"Field "a[0]": Nested arrays are not allowed"#)
    #expect(
      failure { _ = try DocumentEncoder().encode([1]) }?.message
        == "Array<Int> doesn't encode. A document holds fields, and a Array<Int> has none.")
  }

  final class Chain: Codable {
    var next: Chain?
    init(_ next: Chain?) { self.next = next }
    static func of(_ length: Int) -> Chain {
      (1..<length).reduce(Chain(nil)) { chain, _ in Chain(chain) }
    }
    var length: Int { 1 + (next?.length ?? 0) }
  }

  @Test func nestingIsBounded() throws {
    // The first link is the document itself.
    try document.setData(from: Chain.of(21))
    #expect(try document.getDocument(as: Chain.self).length == 21)
    let path = Array(repeating: "next", count: 21).joined(separator: ".")
    expectRefusal(
      of: Chain.of(22),
      "Field \"\(path)\": Arrays and maps lie more than 20 deep inside each other.")
    expectRefusal(
      of: Chain.of(5_000),
      "Field \"\(path)\": Arrays and maps lie more than 20 deep inside each other.")
  }

  @Test func typesWithoutEndAreRefused() throws {
    struct Endless: Codable {
      init() {}
      init(from decoder: any Decoder) throws {
        self = try decoder.singleValueContainer().decode(Endless.self)
      }
      func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(self)
      }
    }
    expectRefusal(of: Endless(), "Endless encodes itself without end.")
    try expect([:], as: Endless.self, "Endless decodes itself without end.")
  }

  @Test func severalValuesInOnePlaceAreRefused() throws {
    struct Twice: Encodable {
      func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(1)
        try container.encode(2)
      }
    }
    struct Mixed: Encodable {
      func encode(to encoder: any Encoder) throws {
        _ = encoder.unkeyedContainer()
        _ = encoder.container(keyedBy: Key.self)
      }
      enum Key: CodingKey { case a }
    }
    expectRefusal(of: ["a": Twice()], #"Field "a": More than one value is encoded."#)
    expectRefusal(of: ["a": Mixed()], #"Field "a": More than one value is encoded."#)
  }
}
