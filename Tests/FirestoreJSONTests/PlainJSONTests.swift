import HearthDocumentModel
import HearthFirestoreJSON
import Testing

@Suite struct PlainJSONTests {
  private func write(_ value: Value, relativeTo database: DatabaseID = .default) -> String {
    var bytes: [UInt8] = []
    PlainJSON.append(value, to: &bytes, relativeTo: database)
    return text(bytes)
  }

  @Test func everyTypeHasAReadableForm() throws {
    let time = try Timestamp(rfc3339: "2026-01-31T09:30:00.25Z")
    let alice = try DocumentName(try ResourcePath("users/alice"))
    let cases: [(Value, String)] = [
      (.null, "null"), (true, "true"), (.integer(.min), "-9223372036854775808"), (1.0, "1.0"),
      (.double(-0.0), "-0.0"), (1.5, "1.5"), (.double(.nan), "\"NaN\""),
      (.double(.infinity), "\"Infinity\""), (.double(-.infinity), "\"-Infinity\""),
      ("a\"\\\n\r\t\u{1}\u{1F}\u{7F}é/", #""a\"\\\n\r\t\u0001\u001f"# + "\u{7F}é/\""),
      (.timestamp(time), "\"2026-01-31T09:30:00.250Z\""), (.bytes([104, 105]), "\"aGk=\""),
      (.reference(alice), "\"users/alice\""),
      (
        .geoPoint(try GeoPoint(latitude: 35.5, longitude: -1)),
        #"{"latitude":35.5,"longitude":-1.0}"#
      ),
      (.vector([1, .nan]), "[1.0,\"NaN\"]"), ([1, "a", [:]], "[1,\"a\",{}]"),
      (["b": 1, "a": ["c": .null]], #"{"a":{"c":null},"b":1}"#),
    ]
    for (value, expected) in cases { #expect(write(value) == expected) }
    let other = try DatabaseID(project: "other")
    #expect(
      write(.reference(alice), relativeTo: other)
        == "\"projects/demo-project/databases/(default)/documents/users/alice\"")
  }

  @Test func valuesOfPlainJSONAreReadBack() throws {
    for seed in generatedSeeds() {
      var generator = SeededGenerator(seed: seed)
      let fields = try generator.map(isPlain: true)
      var bytes: [UInt8] = []
      PlainJSON.append(fields, to: &bytes)
      #expect(try PlainJSON.fields(from: bytes) == fields, "seed \(seed): \(text(bytes))")
      #expect(!bytes.contains(UInt8(ascii: "\n")), "seed \(seed)")
    }
  }
}
