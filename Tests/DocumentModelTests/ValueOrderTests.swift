import HearthDocumentModel
import TestSupport
import Testing

/// The order of all values (§2.2, §2.3).
@Suite struct ValueOrderTests {
  /// Values in ascending order; values in one row are equal.
  static let matrix: [[Value]] = [
    [.null],
    [false],
    [true],
    [.double(.nan), .double(-.nan), .double(Double(nan: 7, signaling: false))],
    [.double(-.infinity)],
    [.double(-.greatestFiniteMagnitude)],
    [.double((-0x1p63).nextDown)],
    [.integer(.min), .double(-0x1p63)],
    [.integer(.min + 1)],
    [.integer(-(1 << 53) - 1)],
    [.integer(-(1 << 53)), .double(-0x1p53)],
    [-1, .double(-1)],
    [-0.5],
    [.double(-.leastNonzeroMagnitude)],
    [0, .double(0), .double(-0.0)],
    [.double(.leastNonzeroMagnitude)],
    [.double(.leastNormalMagnitude)],
    [1, .double(1)],
    [1.5],
    [42, .double(42)],
    [.integer(1 << 53), .double(0x1p53)],
    [.integer(1 << 53 + 1)],
    [.integer(.max - 1)],
    [.integer(.max)],
    [.double(0x1p63)],
    [.double(.infinity)],
    [.timestamp(.minimum)],
    [time(-1)],
    [time(0)],
    [time(1)],
    [.timestamp(.maximum)],
    [""],
    ["\u{0}"],
    ["B"],
    ["a"],
    ["a\u{0}"],
    ["aa"],
    ["b"],
    ["e\u{301}"],
    ["\u{E9}"],
    ["\u{FFFD}"],
    ["\u{1F600}"],
    [.bytes([])],
    [.bytes([1])],
    [.bytes([1, 2])],
    [.bytes([255])],
    [reference("z/z", project: "a")],
    [reference("c/a")],
    [reference("c/a/sub/x")],
    [reference("c/a!")],
    [reference("c/b")],
    [reference("c!/a")],
    [reference("a/a", project: "z")],
    [point(-1, 5)],
    [point(0, -1)],
    [point(0, 0), point(-0.0, 0)],
    [point(0, 1)],
    [point(1, 0)],
    [[]],
    [[.null]],
    [[.double(.nan)]],
    [[1], [.double(1)]],
    [[1, 2]],
    [[2]],
    [["a"]],
    [[[:]]],
    [.vector([5])],
    [.vector([1, 2])],
    [.vector([1, 3])],
    [.vector([0, 0, 0])],
    [[:]],
    [["a": 1], ["a": .double(1)]],
    [["a": 1, "b": 2]],
    [["a": 2]],
    [["b": 0]],
  ]

  private static func time(_ microseconds: Int64) -> Value {
    .timestamp((try? Timestamp(microseconds: microseconds)) ?? .maximum)
  }

  private static func reference(_ path: String, project: String = "demo-project") -> Value {
    let segments = path.split(separator: "/").map(String.init)
    let database = (try? DatabaseID(project: project)) ?? .default
    return .reference(
      DocumentName(unchecked: ResourcePath(unchecked: segments), in: database))
  }

  private static func point(_ latitude: Double, _ longitude: Double) -> Value {
    (try? GeoPoint(latitude: latitude, longitude: longitude)).map(Value.geoPoint) ?? .null
  }

  @Test func everyPairOfTheMatrix() {
    for (i, row) in Self.matrix.enumerated() {
      for (j, other) in Self.matrix.enumerated() {
        for left in row {
          for right in other {
            #expect(left.compare(right) == Ordering(i, j), "\(left), \(right)")
            #expect(left.compareAsIndexed(right) == Ordering(i, j), "\(left), \(right)")
          }
        }
      }
    }
  }

  @Test func theOrderIsTotal() {
    var random = SplitMix64(seed: GeneratedCases.seed())
    let generator = ValueGenerator()
    for _ in 0..<GeneratedCases.count {
      let (a, b) = generator.pair(using: &random)
      let c = generator.neighbour(of: random.oneIn(2) ? a : b, using: &random)
      #expect(a.compare(b) == b.compare(a).reversed)
      #expect(a.compareAsIndexed(b) == b.compareAsIndexed(a).reversed)
      for order in [{ $0.compare($1) }, { $0.compareAsIndexed($1) }] as [(Value, Value) -> Ordering]
      {
        let (ab, bc, ac) = (order(a, b), order(b, c), order(a, c))
        if ab == bc || bc == .equal { #expect(ac == ab, "\(a)\n\(b)\n\(c)") }
        if ab == .equal { #expect(ac == bc, "\(a)\n\(b)\n\(c)") }
      }
      if a == b { #expect(a.compare(b) == .equal) }
      if a.compare(b) == .equal { #expect(a.compareAsIndexed(b) == .equal) }
    }
  }

  /// Only the first 1,500 bytes count, in walk order through arrays, maps and references (§3.6).
  @Test func anIndexSeesTheFirst1500Bytes() throws {
    let full = String(repeating: "x", count: 1_500)
    let almost = String(repeating: "x", count: 1_499)
    func order(_ left: Value, _ right: Value) -> Ordering { left.compareAsIndexed(right) }
    #expect(order(.string(full + "a"), .string(full + "b")) == .equal)
    #expect(order(.string(full), .string(full + "b")) == .less)
    #expect(order(.string(almost + "a"), .string(almost + "b")) == .less)
    #expect(order(.string(almost + "\u{E9}"), .string(almost + "\u{EA}")) == .equal)
    #expect(order([.string(full), 1], [.string(full), 2]) == .equal)
    #expect(order([.string(full)], [.string(full), 2]) == .less)
    #expect(order([.string(full + "a")], [.string(full + "b"), 2]) == .equal)
    #expect(order([.string(almost), 1], [.string(almost), 2]) == .less)
    #expect(order([.string(almost), 1, 1], [.string(almost), 1, 2]) == .equal)
    #expect(order(["a": .string(almost), "b": 1], ["a": .string(almost), "b": 2]) == .equal)
    #expect(order(["a": .string(almost), "b": 1], ["a": .string(almost), "c": 1]) == .equal)
    let (left, right) = ([Double](repeating: 0, count: 187), [Double](repeating: 0, count: 188))
    #expect(order(.vector(left + [0, 1]), .vector(left + [0, 2])) == .equal)
    #expect(order(.vector(left + [1]), .vector(left + [2])) == .less)
    #expect(order(.vector(right + [9]), .vector(right + [9, 9])) == .less)
  }
}

/// Equality by `==`: it requires the same data, which is finer than the order's equality.
@Suite struct ValueEqualityTests {
  @Test func formsOfOneNumberDiffer() {
    #expect(Value.integer(1) != .double(1))
    #expect(Value.double(0.0) != .double(-0.0))
    #expect(Value.double(.nan) == .double(-.nan))
    #expect(Value.array([1]) != .array([.double(1)]))
    #expect(Value.map(["a": 1]) != .map(["a": .double(1)]))
    #expect(Value.vector([.nan]) == .vector([-.nan]))
    #expect(Value.vector([0.0]) != .vector([-0.0]))
  }

  @Test func stringsAreEqualByTheirBytes() {
    #expect(Value.string("\u{E9}") != .string("e\u{301}"))
    #expect(Value.string("\u{E9}") == .string("\u{E9}"))
    let (composed, decomposed) = (UTF8Key("\u{E9}"), UTF8Key("e\u{301}"))
    #expect(Set([composed, decomposed, composed]).count == 2)
    #expect(decomposed < composed)
  }
}
