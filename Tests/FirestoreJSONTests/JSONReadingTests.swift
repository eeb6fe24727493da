import HearthDocumentModel
import HearthFirestoreJSON
import TestSupport
import Testing

/// RFC 8259, read strictly, through plain JSON.
@Suite struct JSONReadingTests {
  private func read(_ json: String) throws -> Value { try PlainJSON.value(from: Array(json.utf8)) }

  @Test(
    arguments: [
      ("null", .null), (" true\n", true), ("false", false), ("0", 0), ("42", 42),
      ("-9223372036854775808", .integer(.min)), ("9223372036854775807", .integer(.max)),
      ("9223372036854775808", .double(0x1p63)), ("-9223372036854775809", .double(-0x1p63)),
      ("-0", .double(-0.0)), ("1.0", 1.0), ("1e2", 100.0), ("1.5E-3", 0.0015), ("0.1", 0.1),
      ("12345678901234567890123", .double(12_345_678_901_234_567_741_440)), ("1e-400", 0.0),
      ("2.2250738585072011e-308", .double(.leastNormalMagnitude.nextDown)),
      (#""""#, ""), (#""a\"\\\/\b\f\n\r\tz""#, "a\"\\/\u{8}\u{C}\n\r\tz"),
      (#""\u00e9\u0000\uD83D\ude00""#, "é\u{0}😀"), (#""東京😀""#, "東京😀"), (#""'""#, "'"),
      ("[]", []), ("[1, [2], {}]", [1, [2], [:]]), ("{ \"a\" : { } }", ["a": [:]]),
      (#"{"a": 1, "b": 2, "a": 3}"#, ["a": 3, "b": 2]),
    ] as [(String, Value)])
  func reads(_ json: String, _ expected: Value) throws {
    #expect(try read(json) == expected)
  }

  @Test func namesAreToldApartByTheirBytes() throws {
    let fields = try PlainJSON.fields(from: Array("{\"\u{E9}\":1,\"e\u{301}\":2}".utf8))
    #expect(fields.count == 2)
    #expect(fields["\u{E9}"] == 1)
    #expect(fields["e\u{301}"] == 2)
  }

  @Test(arguments: [
    ("", "line 1, column 1: expected a value, found the end"),
    ("  ", "line 1, column 3: expected a value, found the end"),
    ("not json", "line 1, column 1: expected a value, found \"n\""),
    ("{\n  \"a\": tru }", "line 2, column 8: expected a value, found \"t\""),
    ("[1,]", "line 1, column 4: expected a value, found \"]\""),
    ("[1 2]", "line 1, column 4: expected \",\" or \"]\", found \"2\""),
    ("{\"a\" 1}", "line 1, column 6: expected \":\", found \"1\""),
    ("{\"a\":1,}", "line 1, column 8: expected a name in double quotes, found \"}\""),
    ("{a:1}", "line 1, column 2: expected a name in double quotes, found \"a\""),
    ("{\"a\":1", "line 1, column 7: expected \",\" or \"}\", found the end"),
    ("{} x", "line 1, column 4: expected the end after the value, found \"x\""),
    ("\"東京\" 東", "line 1, column 6: expected the end after the value, found \"東\""),
    ("01", "line 1, column 1: a number has no leading zeros"),
    ("-", "line 1, column 2: a digit is missing from this number"),
    ("1.", "line 1, column 3: a digit is missing from this number"),
    ("1e+", "line 1, column 4: a digit is missing from this number"),
    ("[1e999]", "line 1, column 2: this number is too large for a double"),
    ("+1", "line 1, column 1: expected a value, found \"+\""),
    ("NaN", "line 1, column 1: expected a value, found \"N\""),
    ("'a'", "line 1, column 1: expected a value, found \"'\""),
    ("[\"abc", "line 1, column 2: this string has no end"),
    ("[\"abc\\n", "line 1, column 2: this string has no end"),
    (
      "\"a\nb\"",
      "line 1, column 3: a control character in a string is written as an escape, such as \\n"
    ),
    (
      #""a\x""#, "line 1, column 3: an unknown escape: \\ goes before one of \" \\ / b f n r t u"
    ),
    (#""\u12g4""#, "line 1, column 2: \\u is followed by four hexadecimal digits"),
    (#""\ud800""#, "line 1, column 2: half of a surrogate pair is no character"),
    (#""\ud800\u0041""#, "line 1, column 2: half of a surrogate pair is no character"),
    (#""\udc00\ud800""#, "line 1, column 2: half of a surrogate pair is no character"),
    ("\u{FEFF}1", "line 1, column 1: expected a value, found \"\u{FEFF}\""),
    ("[\u{1}]", "line 1, column 2: expected a value, found a control character"),
  ])
  func refuses(_ json: String, _ expected: String) {
    let error = thrown(JSONError.self) { _ = try read(json) }
    #expect(error?.description == expected)
  }

  @Test func refusesInvalidUTF8WhereItStands() {
    for bad: [UInt8] in [
      [0xFF], [0xC3], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF5, 0x80, 0x80, 0x80],
    ] {
      let bytes = Array("[\"aé".utf8) + bad + Array("\"]".utf8)
      let error = thrown(JSONError.self) { _ = try PlainJSON.value(from: bytes) }
      #expect(error?.description == "line 1, column 5: invalid UTF-8")
      #expect(error?.offset == 5)
    }
  }

  @Test func depthIsLimited() throws {
    let nested = { (depth: Int) in
      String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }
    _ = try read(nested(100))
    #expect(
      thrown(JSONError.self) { _ = try read(nested(101)) }?.message
        == "nested deeper than 100 levels")
    #expect(
      thrown(JSONError.self) { _ = try read(String(repeating: "[", count: 1_000_000)) } != nil)
    #expect(
      thrown(JSONError.self) { _ = try read(String(repeating: "{\"a\":", count: 1_000_000)) } != nil
    )
  }

  @Test func fieldsNeedAnObject() {
    let error = thrown(JSONError.self) { _ = try PlainJSON.fields(from: Array("[1]".utf8)) }
    #expect(error?.description == "line 1, column 1: expected an object")
  }

  /// For any bytes, reading ends with a value or an error.
  @Test func anyBytesAreReadOrRefused() {
    var accepted = 0
    let alphabet = Array("{}[]\":,\\u0019dD8aefE+-.tn \n'\u{E9}".utf8) + [0xFF, 0xC3, 0x00]
    let seeds = generatedSeeds()
    for seed in seeds {
      var generator = SeededGenerator(seed: seed)
      let bytes = generator.list(upTo: 12) { $0.pick(alphabet) }
      if (try? PlainJSON.value(from: bytes)) != nil { accepted += 1 }
      _ = try? TypedJSON.value(from: bytes)
    }
    if GeneratedCases.areMany() { #expect(accepted > seeds.count / 200) }
  }

  /// Texts that are nearly right reach further into the reader than random ones.
  @Test func damagedTextsAreReadOrRefused() throws {
    var refused = 0
    let seeds = generatedSeeds()
    for seed in seeds {
      var generator = SeededGenerator(seed: seed)
      var bytes: [UInt8] = []
      let fields = try generator.map()
      if generator.chance(1, of: 2) {
        TypedJSON.append(fields, to: &bytes)
      } else {
        PlainJSON.append(fields, to: &bytes)
      }
      let index = Int.random(in: 0..<bytes.count, using: &generator)
      if generator.chance(1, of: 2) {
        bytes[index] = UInt8.random(in: 0...255, using: &generator)
      } else {
        bytes.removeSubrange(index...)
      }
      if (try? PlainJSON.fields(from: bytes)) == nil { refused += 1 }
      _ = try? TypedJSON.fields(from: bytes)
    }
    if GeneratedCases.areMany() { #expect(refused > seeds.count / 3) }
  }
}
