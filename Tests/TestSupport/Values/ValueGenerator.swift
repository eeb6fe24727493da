package import HearthDocumentModel

/// A generator of values that are likely to find a mistake: edges of every type, and values that
/// nearly agree.
package struct ValueGenerator: Sendable {
  /// The database of most references.
  package var own: DatabaseID
  /// Greatest depth of arrays and maps inside each other.
  package var depthLimit: Int
  /// Whether the generator makes values that an index cuts (§3.6).
  package var makesLongValues: Bool

  package init(own: DatabaseID = .default, depthLimit: Int = 3, makesLongValues: Bool = true) {
    self.own = own
    self.depthLimit = depthLimit
    self.makesLongValues = makesLongValues
  }

  /// Returns a value of any type.
  package func value(using random: inout some RandomNumberGenerator) -> Value {
    value(depth: 0, inArray: false, using: &random)
  }

  func value(
    depth: Int, inArray: Bool, using random: inout some RandomNumberGenerator
  ) -> Value {
    let isDeep = depth >= depthLimit
    switch Int.random(in: 0..<(isDeep ? 10 : 13), using: &random) {
    case 0: return .null
    case 1: return .boolean(.random(using: &random))
    case 2, 3: return .integer(integer(using: &random))
    case 4: return .double(double(using: &random))
    case 5: return .timestamp(timestamp(using: &random))
    case 6: return .string(string(using: &random))
    case 7: return .bytes(bytes(using: &random))
    case 8: return .reference(reference(using: &random))
    case 9:
      return random.oneIn(2)
        ? .geoPoint(geoPoint(using: &random)) : .vector(vector(using: &random))
    case 10 where !inArray: return .array(array(depth: depth, using: &random))
    default: return .map(map(depth: depth, using: &random))
    }
  }

  /// Returns fields of a document, named so that field paths from ``names`` often meet one.
  package func fields(using random: inout some RandomNumberGenerator) -> MapValue {
    map(depth: 0, using: &random)
  }

  /// Names of fields in maps; some are equal to Swift but not to Firestore.
  package static let names = [
    "a", "b", "ab", "a.b", "c", "\u{E9}", "e\u{301}", "nul\u{0}", "\u{1}", "x y", "\u{1F600}",
  ]

  // MARK: Arrays, maps and vectors

  private func array(
    depth: Int, using random: inout some RandomNumberGenerator
  ) -> [Value] {
    if makesLongValues, random.oneIn(6) { return longArray(depth: depth, using: &random) }
    return (0..<Int.random(in: 0...3, using: &random)).map { _ in
      value(depth: depth + 1, inArray: true, using: &random)
    }
  }

  /// Returns an array whose first elements nearly fill the part that an index sees.
  private func longArray(
    depth: Int, using random: inout some RandomNumberGenerator
  ) -> [Value] {
    var elements: [Value] =
      random.oneIn(3)
      ? (0..<Int.random(in: 184...188, using: &random)).map { .integer(Int64($0)) }
      : [.string(padding(using: &random))]
    for _ in 0..<Int.random(in: 0...4, using: &random) {
      elements.append(value(depth: depth + 1, inArray: true, using: &random))
    }
    return elements
  }

  private func map(
    depth: Int, using random: inout some RandomNumberGenerator
  ) -> MapValue {
    var fields: [(String, Value)] = []
    if makesLongValues, random.oneIn(6) { fields.append(("", .string(padding(using: &random)))) }
    for _ in 0..<Int.random(in: 0...4, using: &random) {
      let isLong = makesLongValues && random.oneIn(20)
      let name = isLong ? padding(using: &random) : random.pick(ValueGenerator.names)
      fields.append((name, value(depth: depth + 1, inArray: false, using: &random)))
    }
    return MapValue(fields)
  }

  private func vector(using random: inout some RandomNumberGenerator) -> [Double] {
    let isLong = makesLongValues && random.oneIn(4)
    return (0..<Int.random(in: isLong ? 186...190 : 1...4, using: &random)).map { index in
      isLong && index < 186 ? 0.5 : double(using: &random)
    }
  }
}

extension ValueGenerator {
  // MARK: Scalars

  func integer(using random: inout some RandomNumberGenerator) -> Int64 {
    switch Int.random(in: 0..<6, using: &random) {
    case 0: return .random(in: .min ... .max, using: &random)
    case 1: return random.pick([.min, .max, .min + 1, .max - 1, 0])
    case 2, 3: return .random(in: -3...130, using: &random)
    default:
      let power = Int64(1) &<< Int64.random(in: 0...63, using: &random)
      let sum = power &+ Int64.random(in: -2...2, using: &random)
      return random.oneIn(2) ? sum : 0 &- sum
    }
  }

  func double(using random: inout some RandomNumberGenerator) -> Double {
    switch Int.random(in: 0..<6, using: &random) {
    case 0: return Double(bitPattern: random.next())
    case 1:
      return random.pick([
        .nan, -.nan, .infinity, -.infinity, 0.0, -0.0, .leastNonzeroMagnitude,
        -.leastNonzeroMagnitude, .leastNormalMagnitude, .greatestFiniteMagnitude, 0x1p53, 0x1p63,
        -0x1p63, 0x1p64,
      ])
    case 2: return Double(Int64.random(in: -3...130, using: &random)) / 4
    case 3: return Double(integer(using: &random)).nextUp
    default: return Double(integer(using: &random))
    }
  }

  func timestamp(using random: inout some RandomNumberGenerator) -> Timestamp {
    let (low, high) = (Timestamp.minimum.microseconds, Timestamp.maximum.microseconds)
    let microseconds =
      switch Int.random(in: 0..<4, using: &random) {
      case 0: random.pick([low, high, low + 1, high - 1, -1, 0, 1])
      case 1: Int64.random(in: low...high, using: &random)
      default: Int64.random(in: -300...300, using: &random)
      }
    return (try? Timestamp(microseconds: microseconds)) ?? .minimum
  }

  func geoPoint(using random: inout some RandomNumberGenerator) -> GeoPoint {
    let degrees: [Double] = [-90, -0.0, 0.0, 0.5, 1, .leastNonzeroMagnitude, 90]
    let latitude = random.pick(degrees)
    let longitude = random.oneIn(2) ? random.pick(degrees) : random.pick([-180, 180, 12.25])
    guard let point = try? GeoPoint(latitude: latitude, longitude: longitude) else {
      preconditionFailure("\(latitude), \(longitude) lies outside of the ranges")
    }
    return point
  }

  func string(using random: inout some RandomNumberGenerator) -> String {
    if makesLongValues, random.oneIn(6) { return padding(using: &random) }
    return characters(Int.random(in: 0...4, using: &random), using: &random)
  }

  func characters(
    _ count: Int, using random: inout some RandomNumberGenerator
  ) -> String {
    let scalars: [Unicode.Scalar] = [
      "a", "a", "b", "z", "\u{0}", "\u{1}", "\u{2}", "\u{7F}", "\u{E9}", "\u{301}", "\u{FFFD}",
      "\u{10000}", "\u{1F600}",
    ]
    var string = String.UnicodeScalarView()
    for _ in 0..<count { string.append(random.pick(scalars)) }
    return String(string)
  }

  /// Returns a string about as long as the part that an index sees, with characters at the edge
  /// that it may split.
  func padding(using random: inout some RandomNumberGenerator) -> String {
    let edge = Limits.indexedValueByteCount
    let byteCount = edge - Int.random(in: 0...(random.oneIn(2) ? 4 : 24), using: &random)
    return String(repeating: "x", count: byteCount)
      + characters(Int.random(in: 0...3, using: &random), using: &random)
  }

  func bytes(using random: inout some RandomNumberGenerator) -> [UInt8] {
    let isLong = makesLongValues && random.oneIn(6)
    let padding = isLong ? Limits.indexedValueByteCount - Int.random(in: 0...3, using: &random) : 0
    let tail = (0..<Int.random(in: 0...4, using: &random)).map { _ in
      random.pick([0, 1, 2, 0x41, 0xFE, 0xFF] as [UInt8])
    }
    return [UInt8](repeating: 0xFF, count: padding) + tail
  }

  /// Returns a document's name, sometimes of a database below or above the own one.
  func reference(using random: inout some RandomNumberGenerator) -> DocumentName {
    let databases: [DatabaseID?] = [
      own, own, own, try? DatabaseID(project: "a"), try? DatabaseID(project: "a\u{1}b"),
      try? DatabaseID(project: "zz"), try? DatabaseID(project: own.project, database: "other"),
    ]
    let database = random.pick(databases) ?? own
    return DocumentName(unchecked: documentPath(using: &random), in: database)
  }

  /// Returns the path of a document in one of a few collections.
  package func documentPath(using random: inout some RandomNumberGenerator) -> ResourcePath {
    var segments: [String] = []
    for _ in 0..<(random.oneIn(3) ? 2 : 1) {
      segments.append(random.pick(["c", "d", "c!", "\u{1}"]))
      let isLong = makesLongValues && random.oneIn(8)
      segments.append(
        isLong
          ? String(repeating: "y", count: Int.random(in: 1_490...1_500, using: &random))
          : random.pick(["a", "b", "a!", "a\u{0}", "\u{E9}", "e\u{301}", "\u{1F600}"]))
    }
    return ResourcePath(unchecked: segments)
  }
}
