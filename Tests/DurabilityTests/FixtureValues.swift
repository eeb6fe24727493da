import HearthDocumentModel

/// Values of every type, including those at the edges. Values may be added only together with a new
/// fixture: the existing fixtures hold exactly these.
enum FixtureValues {
  static func byKind() throws -> [(kind: String, values: [Value])] {
    let foreign = try DatabaseID(project: "other", database: "db")
    let long = String(repeating: "x", count: 1600)
    return [
      ("null", [.null]),
      ("boolean", [false, true]),
      ("integer", [.integer(.min), -1, 0, 1, 42, .integer(1 << 53), .integer(.max)]),
      (
        "double",
        [
          .double(.nan), .double(-.infinity), -1.5, .double(-0.0), 0.0,
          .double(.leastNonzeroMagnitude), 42.0, .double(0x1p53), .double(0x1p63),
          .double(.infinity),
        ]
      ),
      (
        "timestamp",
        [
          .timestamp(.minimum), .timestamp(try Timestamp(microseconds: -1)),
          .timestamp(try Timestamp(microseconds: 1_700_000_000_123_456)), .timestamp(.maximum),
        ]
      ),
      (
        "string",
        [
          "", "a", "a\u{0}b", "\u{E9}", "e\u{301}", "\u{FFFD}", "\u{1F600}", .string(long),
          .string(long + "y"), .string(String(repeating: "\u{1F600}", count: 400)),
        ]
      ),
      (
        "bytes", [.bytes([]), .bytes([0, 1, 0xFF]), .bytes([UInt8](repeating: 0xFF, count: 1600))]
      ),
      (
        "reference",
        [
          .reference(try DocumentName(ResourcePath("samples/map-0"))),
          .reference(try DocumentName(ResourcePath("samples/map-0/parts/1"))),
          .reference(try DocumentName(ResourcePath("c/d"), in: foreign)),
        ]
      ),
      (
        "geopoint",
        [
          .geoPoint(try GeoPoint(latitude: -90, longitude: 180)),
          .geoPoint(try GeoPoint(latitude: 0.5, longitude: -0.0)),
        ]
      ),
      (
        "array",
        [
          [], [1, "two", .null], [["inner": [3.5]]],
          .array((0..<300).map { .integer(Int64($0)) }), [.string(long), 1],
        ]
      ),
      (
        "vector",
        [.vector([0.25]), .vector([1, -1, 0.5]), .vector(.init(repeating: 1, count: 300))]
      ),
      (
        "map",
        [
          [:], ["a": 1, "b": ["c": ["d": .null]]], ["\u{E9}": 1, "e\u{301}": 2, "x y": 3],
          ["long": .string(long), "short": 1],
        ]
      ),
    ]
  }
}
