import HearthDocumentModel
import Testing

/// The descriptions of values and timestamps, for people.
struct ValueDescriptionTests {
  @Test(arguments: [
    (Value.null, "null"), (true, "true"), (-7, "-7"), (.double(1), "1.0"), (.double(-0.0), "-0.0"),
    (.double(.nan), "NaN"), (.double(-.infinity), "-Infinity"), ("", "\"\""),
    ("a\"\\\n\u{1}\u{E9}", "\"a\\\"\\\\\\n\\u0001\u{E9}\""), (.bytes([]), "bytes(\"\")"),
    (.bytes([0xFB, 0xFF]), "bytes(\"+/8=\")"), (.bytes([1]), "bytes(\"AQ==\")"),
    (.bytes([1, 2, 3]), "bytes(\"AQID\")"), (.array([1, .map(["a": "x"])]), "[1, {\"a\": \"x\"}]"),
    (.vector([1, 2.5]), "vector(1.0, 2.5)"), (.array([]), "[]"),
  ])
  func value(_ value: Value, _ expected: String) {
    #expect(value.description == expected)
  }

  @Test func referencesOfTheDefaultDatabaseAreShort() throws {
    let path = try ResourcePath("users/alice")
    #expect(try Value.reference(DocumentName(path)).description == "reference(\"users/alice\")")
    let other = try DatabaseID(project: "p", database: "d")
    #expect(
      try Value.reference(DocumentName(path, in: other)).description
        == "reference(\"projects/p/databases/d/documents/users/alice\")")
    let point = try GeoPoint(latitude: 35.5, longitude: -139)
    #expect(Value.geoPoint(point).description == "geopoint(35.5, -139.0)")
  }

  @Test(arguments: [
    (0, "1970-01-01T00:00:00Z"), (-1, "1969-12-31T23:59:59.999999Z"),
    (951_827_696_789_000, "2000-02-29T12:34:56.789Z"),
    (1_709_251_199_000_001, "2024-02-29T23:59:59.000001Z"),
    (-62_135_596_800_000_000, "0001-01-01T00:00:00Z"),
    (253_402_300_799_999_999, "9999-12-31T23:59:59.999999Z"),
    (-2_203_891_200_000_000, "1900-03-01T00:00:00Z"),
  ])
  func timestamp(_ microseconds: Int64, _ expected: String) throws {
    #expect(try Timestamp(microseconds: microseconds).description == expected)
  }
}
