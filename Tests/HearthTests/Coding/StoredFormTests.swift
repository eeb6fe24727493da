import Foundation
import Hearth
import TestSupport
import Testing

/// The stored form of each type, and the forms that it decodes from.
@Suite struct StoredFormTests {
  private let database: Database
  private let document: DocumentReference

  init() throws {
    database = try Database.inMemory()
    document = try database.document("things/one")
  }

  private struct Box<T: Codable>: Codable { var v: T }
  private struct MaybeBox<T: Codable>: Codable { var v: T? }

  private func stored<T: Codable>(_ value: T) throws -> Value? {
    try DocumentEncoder().encode(Box(v: value))["v"]
  }

  private func decoded<T: Codable>(_ type: T.Type, from value: Value) throws -> T {
    try document.setData(["v": value])
    return try document.getDocument(as: Box<T>.self).v
  }

  @Test func typesAreStoredAsFirestoresOwn() throws {
    let time = try Timestamp(microseconds: 1_700_000_000_123_456)
    #expect(try stored(Date(time)) == .timestamp(time))
    #expect(try stored(time) == .timestamp(time))
    #expect(try stored(Data([1, 2])) == .bytes([1, 2]))
    #expect(try stored([1, 2] as [UInt8]) == .bytes([1, 2]))
    #expect(try stored(URL(string: "https://example.com/a")) == "https://example.com/a")
    let uuid = UUID()
    #expect(try stored(uuid) == .string(uuid.uuidString))
    #expect(try stored(Decimal(3)) == 3)
    #expect(try stored(Decimal(string: "0.1")) == 0.1)
    let point = try GeoPoint(latitude: 1, longitude: 2)
    #expect(try stored(point) == .geoPoint(point))
    #expect(try stored(document) == .reference(document.name()))
    #expect(try stored(document.name()) == .reference(document.name()))
    #expect(try stored([1.5, 2]) == [1.5, 2.0])
    #expect(try stored(VectorValue([1.5, 2])) == .vector([1.5, 2]))
    #expect(try stored(Zoo.Mood.wild) == "wild")
    #expect(try stored(Zoo.Level.high) == 7)
    #expect(try stored(Zoo.Shape.text("a", size: 2)) == ["text": ["_0": "a", "size": 2]])
    #expect(try stored(["a": 1]) == ["a": 1])
    #expect(try stored([Int?.none, 1]) == [.null, 1])
    #expect(try stored(Zoo.Empty()) == [:])
    #expect(try stored(Float(0.1)) == .double(Double(Float(0.1))))
  }

  @Test func nilIsLeftOutOrStoredAsNull() throws {
    struct Maybe: Codable {
      var a: Int?
      @ExplicitNull var b: Int?
      var c: Zoo.Mood?
    }
    let nothing = Maybe(a: nil, b: nil, c: nil)
    #expect(try DocumentEncoder().encode(nothing) == ["b": .null])
    var encoder = DocumentEncoder()
    encoder.nilEncodingStrategy = .null
    #expect(try encoder.encode(nothing) == ["a": .null, "b": .null, "c": .null])
    for fields in [["a": .null, "b": .null, "c": .null], [:], ["b": .null]] as [MapValue] {
      try document.setData(fields)
      let maybe = try document.getDocument(as: Maybe.self)
      #expect(maybe.a == nil && maybe.b == nil && maybe.c == nil)
    }
    try document.setData(["a": 1, "b": 2, "c": "wild"])
    let some = try document.getDocument(as: Maybe.self)
    #expect(some.a == 1 && some.b == 2 && some.c == .wild)
  }

  @Test func numbersAreConvertedWhereNothingIsLost() throws {
    #expect(try decoded(Int.self, from: 3.0) == 3)
    #expect(try decoded(Double.self, from: 3) == 3)
    #expect(try decoded(Double.self, from: .integer(1 << 53)) == 0x1p53)
    #expect(code { _ = try decoded(Double.self, from: .integer(1 << 53 + 1)) } == .invalidArgument)
    #expect(code { _ = try decoded(Float.self, from: .integer(1 << 24 + 1)) } == .invalidArgument)
    #expect(code { _ = try decoded(Int.self, from: 3.5) } == .invalidArgument)
    #expect(code { _ = try decoded(Int.self, from: .double(.nan)) } == .invalidArgument)
    #expect(code { _ = try decoded(Int.self, from: .double(0x1p63)) } == .invalidArgument)
    #expect(try decoded(Int.self, from: .double(-0x1p63)) == .min)
    #expect(code { _ = try decoded(UInt.self, from: -1) } == .invalidArgument)
    #expect(code { _ = try decoded(Int8.self, from: 128) } == .invalidArgument)
    #expect(try decoded(Float.self, from: 0.1) == 0.1)
    #expect(code { _ = try decoded(Float.self, from: 1e300) } == .invalidArgument)
    #expect(try decoded(Float.self, from: .double(.infinity)) == .infinity)
    #expect(try decoded(Double.self, from: .double(.nan)).isNaN)
    #expect(try decoded(Decimal.self, from: 0.1) == Decimal(string: "0.1"))
    #expect(code { _ = try decoded(Bool.self, from: 1) } == .invalidArgument)
    #expect(code { _ = try decoded(Int.self, from: true) } == .invalidArgument)
  }

  @Test func someTypesDecodeFromTwo() throws {
    #expect(try decoded([UInt8].self, from: [1, 2]) == [1, 2])
    #expect(try decoded([Double].self, from: .vector([1, 0.5])) == [1, 0.5])
    #expect(try decoded([Float].self, from: .vector([1, 0.5])) == [1, 0.5])
    #expect(try decoded(Set<Int>.self, from: .vector([1, 2])) == [1, 2])
    let uuid = UUID()
    #expect(try decoded(UUID.self, from: .string(uuid.uuidString.lowercased())) == uuid)
  }

  /// A date's steps are coarser than those of a timestamp only far from now.
  @Test(arguments: [0, 1, -1, 1_800_000_000_000_001, -7_600_000_000_000_003, 9_500_000_000_000_007])
  func timestampsSurviveBeingDates(microseconds: Int64) throws {
    let time = try Timestamp(microseconds: microseconds)
    let back = try Timestamp(Date(time))
    #expect(back == time)
  }

  @Test func randomTimestampsSurviveBeingDates() throws {
    var random = SplitMix64(seed: GeneratedCases.seed())
    for _ in 0..<GeneratedCases.count {
      // From 1729 to 2273.
      let time = try Timestamp(
        microseconds: .random(in: -7_600_000_000_000_000...9_560_000_000_000_000, using: &random))
      #expect(try Timestamp(Date(time)) == time)
    }
  }

  @Test func datesOutsideOfTimestampsAreRefused() throws {
    for date in [Date.distantFuture + 1e12, Date(timeIntervalSince1970: .nan), -Date.infinity] {
      #expect(code { _ = try Timestamp(date) } == .invalidArgument)
      #expect(code { _ = try stored(date) } == .invalidArgument)
    }
    #expect(Date(Timestamp.minimum) < Date(Timestamp.maximum))
  }

  @Test func typesOfADocumentOnlyAreRefusedElsewhere() throws {
    #expect(throws: EncodingError.self) { try JSONEncoder().encode(Value.integer(1)) }
    #expect(throws: EncodingError.self) { try JSONEncoder().encode(MapValue()) }
    #expect(throws: EncodingError.self) { try JSONEncoder().encode(document) }
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode([Value].self, from: Data("[1]".utf8))
    }
    let point = try GeoPoint(latitude: 1, longitude: -2)
    let time = try Timestamp(microseconds: -1)
    func overJSON<T: Codable>(_ value: T) throws -> T {
      try JSONDecoder().decode(T.self, from: JSONEncoder().encode(value))
    }
    #expect(try overJSON(point) == point)
    #expect(try overJSON(time) == time)
    #expect(try overJSON(VectorValue([1, 2])) == VectorValue([1, 2]))
    #expect(try overJSON(Box(v: ExplicitNull(wrappedValue: 1))).v.wrappedValue == 1)
  }
}

extension Date {
  fileprivate static var infinity: Date { Date(timeIntervalSinceReferenceDate: .infinity) }
  fileprivate static prefix func - (date: Date) -> Date {
    Date(timeIntervalSinceReferenceDate: -date.timeIntervalSinceReferenceDate)
  }
}
