import Foundation
import Hearth
import TestSupport

/// A type with every kind of value that a document can hold, nested in all ways.
struct Zoo: Codable, Equatable {
  enum Mood: String, Codable, CaseIterable { case calm, wild, furious }
  enum Level: Int, Codable, CaseIterable { case low = -1, high = 7 }
  enum Shape: Codable, Equatable {
    case point
    case circle(radius: Double)
    case text(String, size: Int)
  }
  struct Cage: Codable, Equatable {
    var name: String
    var animals: [String]
    var keepers: [String: Int]?
  }
  indirect enum Tree: Codable, Equatable {
    case leaf(Int)
    case branch([Tree?])
  }
  struct Empty: Codable, Equatable {}

  var text: String
  var maybeText: String?
  var flag: Bool
  var maybeFlag: Bool?
  var numbers: Numbers
  var date: Date
  var maybeDate: Date?
  var data: Data
  var bytes: [UInt8]
  var url: URL
  var uuid: UUID
  var timestamp: Timestamp
  var point: GeoPoint
  var name: DocumentName
  var reference: DocumentReference
  var vector: VectorValue
  var mood: Mood
  var level: Level
  var shape: Shape
  var shapes: [Shape]
  var cage: Cage
  var maybeCage: Cage?
  var cages: [String: Cage]
  var holes: [Int?]
  var set: Set<Int>
  var doubles: [Double]
  var tree: Tree
  var empty: Empty
  var value: Value
  var map: MapValue
  @ExplicitNull var explicit: String?

  struct Numbers: Codable, Equatable {
    var int: Int
    var int8: Int8
    var int16: Int16
    var int32: Int32
    var int64: Int64
    var uint: UInt
    var uint8: UInt8
    var uint16: UInt16
    var uint32: UInt32
    var uint64: UInt64
    var wide: Int128
    var double: Double
    var float: Float
    var decimal: Decimal
    var maybeInt: Int?
    var maybeUInt8: UInt8?
    var maybeDouble: Double?
    var maybeFloat: Float?
  }
}

/// A generator of random animals.
struct ZooGenerator {
  let database: Database
  let values = ValueGenerator(makesLongValues: false)

  func zoo(using random: inout some RandomNumberGenerator) throws -> Zoo {
    func maybe<T>(_ value: T) -> T? { random.oneIn(3) ? nil : value }
    func text() -> String {
      random.pick(["", "plain", "\u{E9}", "e\u{301}", "a long text of many bytes"])
    }
    func shape() -> Zoo.Shape {
      random.pick([.point, .circle(radius: .random(in: -1...1)), .text(text(), size: 3)])
    }
    func cage() -> Zoo.Cage {
      Zoo.Cage(name: text(), animals: [text(), text()], keepers: maybe(["a": 1, "\u{E9}": -1]))
    }
    func bytes() -> [UInt8] {
      (0..<Int.random(in: 0..<40, using: &random)).map { _ in .random(in: 0...255, using: &random) }
    }
    let time = try Timestamp(
      microseconds: .random(in: -7_000_000_000_000_000...9_000_000_000_000_000))
    let path = try ResourcePath("animals/\(Int.random(in: 0..<9))")
    return Zoo(
      text: text(), maybeText: maybe(text()), flag: .random(), maybeFlag: maybe(.random()),
      numbers: numbers(using: &random), date: Date(time), maybeDate: maybe(Date(time)),
      data: Data(bytes()), bytes: bytes(), url: URL(fileURLWithPath: "/var-lib/a b"), uuid: UUID(),
      timestamp: time, point: try GeoPoint(latitude: .random(in: -90...90), longitude: -0.0),
      name: try DocumentName(path, in: DatabaseID(project: "other")),
      reference: try database.document(path.description),
      vector: VectorValue([.random(in: 0...1), -0.0, .infinity]),
      mood: random.pick(Zoo.Mood.allCases), level: random.pick(Zoo.Level.allCases),
      shape: shape(), shapes: [shape(), shape()], cage: cage(), maybeCage: maybe(cage()),
      cages: ["k" + text(): cage(), "b": cage()], holes: [1, nil, 3],
      set: [1, 2, .random(in: 3...9)],
      doubles: [.random(in: 0...1), 3, -0.0], tree: .branch([.leaf(1), nil, .branch([.leaf(2)])]),
      empty: Zoo.Empty(), value: values.value(using: &random).storable,
      map: values.fields(using: &random).storable,
      explicit: maybe(text()))
  }

  private func numbers(using random: inout some RandomNumberGenerator) -> Zoo.Numbers {
    func edge<T: FixedWidthInteger>(_ type: T.Type) -> T {
      random.pick([T.min, T.max, 0, 1, .random(in: .min ... .max)])
    }
    return Zoo.Numbers(
      int: edge(Int.self), int8: edge(Int8.self), int16: edge(Int16.self),
      int32: edge(Int32.self), int64: edge(Int64.self), uint: UInt(edge(UInt32.self)),
      uint8: edge(UInt8.self), uint16: edge(UInt16.self), uint32: edge(UInt32.self),
      uint64: random.pick([0, UInt64(Int64.max)]), wide: Int128(edge(Int64.self)),
      double: random.pick([0, -0.0, .pi, .infinity, 1e300, .leastNonzeroMagnitude]),
      float: random.pick([0, .pi, -.infinity, .leastNonzeroMagnitude]),
      decimal: random.pick([0, Decimal(string: "12.5") ?? 1, Decimal(string: "0.1") ?? 2, -7]),
      maybeInt: random.oneIn(2) ? nil : edge(Int.self),
      maybeUInt8: random.oneIn(2) ? nil : edge(UInt8.self),
      maybeDouble: random.oneIn(2) ? nil : .random(in: 0...1),
      maybeFloat: random.oneIn(2) ? nil : .random(in: 0...1))
  }
}
