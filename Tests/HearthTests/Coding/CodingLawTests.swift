import Foundation
import Hearth
import TestSupport
import Testing

/// A value that is encoded, written, read and decoded is equal to the original.
@Suite struct CodingLawTests {
  private let database: Database

  init() throws {
    database = try Database.inMemory()
  }

  @Test func zoosComeBack() throws {
    var random = SplitMix64(seed: GeneratedCases.seed())
    let generator = ZooGenerator(database: database)
    let document = try database.document("zoos/one")
    for _ in 0..<GeneratedCases.count(per: 50) {
      let zoo = try generator.zoo(using: &random)
      try document.setData(from: zoo)
      let back = try document.getDocument(as: Zoo.self)
      #expect(back == zoo, "\(differences(back, zoo))")
    }
  }

  /// Returns the properties in which two values differ, as texts.
  private func differences(_ left: Zoo, _ right: Zoo) -> [String] {
    zip(Mirror(reflecting: left).children, Mirror(reflecting: right).children)
      .filter { "\($0.value)" != "\($1.value)" }
      .map { "\($0.label ?? ""): \($0.value), \($1.value)" }
  }

  @Test(arguments: [true, false]) func zoosComeBackUnderStrategies(encodesNil: Bool) throws {
    var random = SplitMix64(seed: GeneratedCases.seed())
    let generator = ZooGenerator(database: database)
    let document = try database.document("zoos/one")
    var encoder = DocumentEncoder()
    encoder.keyEncodingStrategy = .convertToSnakeCase
    encoder.nilEncodingStrategy = encodesNil ? .null : .omit
    var decoder = DocumentDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    for _ in 0..<GeneratedCases.count(per: 200) {
      let zoo = try generator.zoo(using: &random)
      try document.setData(from: zoo, encoder: encoder)
      let snapshot = try document.getDocument()
      #expect(try snapshot.data(as: Zoo.self, decoder: decoder) == zoo)
      #expect(try snapshot.value("maybe_text") != nil || zoo.maybeText == nil && !encodesNil)
      #expect(try snapshot.value("explicit") != nil)
    }
  }

  /// Any document, through `Value` and `MapValue`, is written as it was read.
  @Test func anyDocumentComesBack() throws {
    var random = SplitMix64(seed: GeneratedCases.seed())
    let values = ValueGenerator(makesLongValues: false)
    let document = try database.document("any/one")
    for _ in 0..<GeneratedCases.count(per: 20) {
      let fields = values.fields(using: &random).storable
      try document.setData(from: fields)
      let snapshot = try document.getDocument()
      #expect(try snapshot.data() == fields)
      #expect(try snapshot.data(as: MapValue.self) == fields)
      #expect(try DocumentEncoder().encode(fields) == fields)
      for (name, value) in fields {
        #expect(try snapshot.value(FieldPath(names: [name]).description, as: Value.self) == value)
      }
    }
  }
}
