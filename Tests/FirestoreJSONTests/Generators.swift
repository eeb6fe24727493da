import HearthDocumentModel
import FoundationEssentials
import HearthQueryPlanning
import TestSupport

/// A generator of repeatable random numbers: the same seed gives the same case.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

/// Returns the seeds of a generated test, one for each case, from ``GeneratedCases``.
func generatedSeeds(_ test: String = #function) -> [UInt64] {
  let first = GeneratedCases.seed(for: test)
  return (0..<GeneratedCases.count).map { first &+ UInt64($0) }
}

extension SeededGenerator {
  static let words = [
    "", "a", "b", "name", "and", "or", "null", "true", "__name", "array-contains", "é", "e\u{301}",
    "東京", "😀", "a.b", "`", "\\", "\"", "'", "x\ny", "\u{0}", "tab\t", "\u{7F}", "größe", "1a",
    "\u{212A}", "\u{FFFF}", "two words", "/",
  ]
  static let numbers: [Double] = [
    0, -0.0, 1, -1, 1.5, 0.1, 1e-7, 1e16, 1e21, .leastNonzeroMagnitude, .greatestFiniteMagnitude,
    -1e300,
    0x1p53, 0x1p63, -0x1p63, .nan, .infinity, -.infinity, 35.689_5,
  ]
  static let integers: [Int64] = [0, 1, -1, 42, .max, .min, .max - 1, 1 << 53, (1 << 53) + 1]

  mutating func pick<T>(_ choices: [T]) -> T {
    choices[Int.random(in: 0..<choices.count, using: &self)]
  }

  mutating func chance(_ numerator: Int, of denominator: Int) -> Bool {
    Int.random(in: 0..<denominator, using: &self) < numerator
  }

  mutating func list<T>(upTo count: Int, _ make: (inout SeededGenerator) -> T) -> [T] {
    (0..<Int.random(in: 0...count, using: &self)).map { _ in make(&self) }
  }

  mutating func string() -> String {
    list(upTo: 3) { $0.pick(SeededGenerator.words) }.joined()
  }

  mutating func double() -> Double {
    chance(1, of: 2)
      ? pick(SeededGenerator.numbers)
      : Double(bitPattern: UInt64.random(in: 0 ... .max, using: &self))
  }

  mutating func integer() -> Int64 {
    chance(1, of: 2)
      ? pick(SeededGenerator.integers) : Int64.random(in: .min ... .max, using: &self)
  }

  mutating func timestamp() throws -> Timestamp {
    let bounds = Timestamp.minimum.microseconds...Timestamp.maximum.microseconds
    let microseconds =
      chance(1, of: 4)
      ? pick([bounds.lowerBound, bounds.upperBound, 0, -1, 1, 1_000, -1_000_000])
      : Int64.random(in: bounds, using: &self)
    return try Timestamp(microseconds: microseconds)
  }

  mutating func documentName() throws -> DocumentName {
    let database = pick([
      .default, try DatabaseID(project: "other"), try DatabaseID(project: "é", database: "東"),
    ])
    let path = pick([
      ["c", "x"], ["c", "x", "s", "y"], ["d", "1"], ["projects", "p", "databases", "d"],
      ["projects", "p", "databases", "d", "documents", "x"], ["c", "a\"b"], ["c", "é"],
      ["c", "e\u{301}"],
    ])
    return try DocumentName(try ResourcePath(segments: path), in: database)
  }

  /// - Parameter isPlain: whether the value has only the types of plain JSON.
  mutating func value(depth: Int = 3, isPlain: Bool = false) throws -> Value {
    let (plainKinds, containerKinds, kinds) = (4, 2, 5)
    let count = plainKinds + (depth > 0 ? containerKinds : 0) + (isPlain ? 0 : kinds)
    var kind = Int.random(in: 0..<count, using: &self)
    if depth == 0, kind >= plainKinds { kind += containerKinds }
    switch kind {
    case 0: return pick([.null, true, false])
    case 1: return .integer(integer())
    case 2:
      let number = double()
      return .double(isPlain && !number.isFinite ? 0.5 : number)
    case 3: return .string(string())
    case 4:
      var elements: [Value] = []
      for _ in 0..<Int.random(in: 0...3, using: &self) {
        elements.append(try value(depth: depth - 1, isPlain: isPlain))
      }
      return .array(elements)
    case 5: return .map(try map(depth: depth - 1, isPlain: isPlain))
    case 6: return .timestamp(try timestamp())
    case 7: return .bytes(list(upTo: 5) { UInt8.random(in: 0...255, using: &$0) })
    case 8: return .reference(try documentName())
    case 9:
      return .geoPoint(
        try GeoPoint(
          latitude: Double.random(in: -90...90, using: &self), longitude: pick([-180, -0.0, 180])))
    default: return .vector(list(upTo: 3) { $0.double() })
    }
  }

  mutating func map(depth: Int = 3, isPlain: Bool = false) throws -> MapValue {
    var fields: [(String, Value)] = []
    for _ in 0..<Int.random(in: 0...3, using: &self) {
      fields.append((string(), try value(depth: depth, isPlain: isPlain)))
    }
    return MapValue(fields)
  }

  mutating func fieldPath() throws -> FieldPath {
    if chance(1, of: 6) { return .documentID }
    let names = list(upTo: 2) { $0.pick(SeededGenerator.words) } + [pick(["a", "x.y", "and", "é"])]
    return try FieldPath(names: names.map { $0.isEmpty ? "f" : $0 })
  }

  /// Returns a filter that a person can type.
  mutating func filter(depth: Int = 2) throws -> Filter {
    if depth > 0, chance(1, of: 3) {
      var parts: [Filter] = []
      for _ in 0..<Int.random(in: 2...3, using: &self) {
        parts.append(try filter(depth: depth - 1))
      }
      return chance(1, of: 2) ? .and(parts) : .or(parts)
    }
    let path = try fieldPath()
    if !path.isDocumentID, chance(1, of: 5) { return .unary(path, pick(Filter.UnaryTest.allCases)) }
    let comparison = pick(Filter.Comparison.allCases)
    let operand: Value
    if comparison.takesList {
      var values: [Value] = []
      for _ in 0..<Int.random(in: 0...3, using: &self) { values.append(try self.operand(of: path)) }
      operand = .array(values)
    } else {
      operand = try self.operand(of: path)
    }
    switch (comparison, operand) {
    case (.equal, .null): return .unary(path, .isNull)
    case (.notEqual, .null): return .unary(path, .isNotNull)
    case (.equal, _) where operand.isNaN: return .unary(path, .isNaN)
    case (.notEqual, _) where operand.isNaN: return .unary(path, .isNotNaN)
    default: return .field(path, comparison, operand)
    }
  }

  private mutating func operand(of path: FieldPath) throws -> Value {
    path.isDocumentID ? .reference(try documentName()) : try value()
  }

  /// Returns a filter that a program may send, including comparisons with null and NaN, and
  /// composites of one filter or none.
  private mutating func wireFilter(depth: Int = 2) throws -> Filter {
    if depth > 0, chance(1, of: 3) {
      var parts: [Filter] = []
      for _ in 0..<Int.random(in: 0...3, using: &self) {
        parts.append(try wireFilter(depth: depth - 1))
      }
      return chance(1, of: 2) ? .and(parts) : .or(parts)
    }
    if chance(1, of: 5) { return .unary(try fieldPath(), pick(Filter.UnaryTest.allCases)) }
    return .field(try fieldPath(), pick(Filter.Comparison.allCases), try value())
  }

  /// Returns a query of any shape, including those that are refused later.
  mutating func query() throws -> StructuredQuery {
    var query = StructuredQuery(collectionID: pick(["", "c", "東", "a.b"]))
    query.allDescendants = chance(1, of: 3)
    if chance(1, of: 2) { query.filter = try wireFilter() }
    if chance(1, of: 3) { query.projection = try paths() }
    query.orders = try paths().map { Order($0, pick([.ascending, .descending])) }
    if chance(1, of: 3) { query.start = try cursor() }
    if chance(1, of: 3) { query.end = try cursor() }
    if chance(1, of: 3) { query.offset = Int(Int32.random(in: .min ... .max, using: &self)) }
    if chance(1, of: 3) { query.limit = pick([0, 1, -1, Int(Int32.max), Int(Int32.min)]) }
    if chance(1, of: 4) {
      query.nearest = NearestNeighbors(
        try fieldPath(), to: list(upTo: 3) { $0.comparableDouble() },
        by: pick(NearestNeighbors.Measure.allCases), limit: pick([0, 1, 1000]),
        distanceField: chance(1, of: 2) ? pick(["d", "a.b", "é"]) : nil,
        threshold: chance(1, of: 2) ? comparableDouble() : nil)
    }
    return query
  }

  private mutating func comparableDouble() -> Double {
    let number = double()
    return number.isNaN ? 0.5 : number
  }

  private mutating func paths() throws -> [FieldPath] {
    var paths: [FieldPath] = []
    for _ in 0..<Int.random(in: 0...3, using: &self) { paths.append(try fieldPath()) }
    return paths
  }

  private mutating func cursor() throws -> Cursor {
    var values: [Value] = []
    for _ in 0..<Int.random(in: 0...3, using: &self) { values.append(try value()) }
    return Cursor(values, isBefore: chance(1, of: 2))
  }
}

/// Returns the error that `body` throws.
func thrown<E: Error>(_ type: E.Type, _ body: () throws -> Void) -> E? {
  do {
    try body()
    return nil
  } catch {
    return error as? E
  }
}

func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
