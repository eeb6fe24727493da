import Hearth
import Testing
import hearth

@Suite struct ValueConverterTests {
  @Test(
    arguments: [
      (.string, 7, "7"), (.string, 1.5, "1.5"), (.string, true, "true"), (.string, "x", "x"),
      (.integer, "42", 42), (.integer, 42, 42), (.integer, .double(42), 42),
      (.integer, "-9223372036854775808", .integer(.min)),
      (.double, 42, .double(42)), (.double, "0.5", 0.5), (.double, "NaN", .double(.nan)),
      (.double, "-Infinity", .double(-.infinity)),
      (.boolean, "TRUE", true), (.boolean, "0", false), (.boolean, false, false),
      (.bytes, "AP8=", .bytes([0, 255])), (.bytes, "", .bytes([])),
      (.vector, [1, 2.5], .vector([1, 2.5])), (.vector, "[1, 2.5]", .vector([1, 2.5])),
      (.vector, "1,2", .vector([1, 2])),
      (.timestamp, .null, .null), (.integer, ["1", .null, 2], [1, .null, 2]),
    ] as [(FieldType, Value, Value)])
  func converts(type: FieldType, value: Value, expected: Value) throws {
    #expect(try converter.value(of: value, as: type) == expected)
  }

  @Test func readsPointsInThreeForms() throws {
    let point = Value.geoPoint(try GeoPoint(latitude: 35.6, longitude: 139.7))
    let forms: [Value] = [
      "35.6,139.7", "[35.6, 139.7]", [35.6, 139.7], ["latitude": 35.6, "longitude": 139.7],
    ]
    for form in forms { #expect(try converter.value(of: form, as: .geopoint) == point) }
    #expect(
      try converter.value(of: .array(forms), as: .geopoint)
        == .array([point, point, point, point]))
  }

  @Test func readsReferences() throws {
    let own = Value.reference(try DocumentName(ResourcePath("users/alice")))
    #expect(try converter.value(of: "users/alice", as: .reference) == own)
    let name = "projects/p/databases/d/documents/users/alice"
    let database = try DatabaseID(project: "p", database: "d")
    let foreign = Value.reference(try DocumentName(ResourcePath("users/alice"), in: database))
    #expect(try converter.value(of: .string(name), as: .reference) == foreign)
  }

  @Test func readsDatesAsMidnight() throws {
    let midnight = Value.timestamp(try Timestamp(microseconds: 0))
    #expect(try converter.value(of: "1970-01-01", as: .timestamp) == midnight)
    #expect(try converter.value(of: "1970-01-01T00:00:00Z", as: .timestamp) == midnight)
  }

  @Test(
    arguments: [
      (.integer, "1.0", "\"1.0\" is not an integer"),
      (.integer, 1.5, "1.5 is not an integer"),
      (.integer, .double(1e300), "1e+300 is not an integer"),
      (.integer, .double(.nan), "nan is not an integer"),
      (.integer, "9223372036854775808", "\"9223372036854775808\" is not an integer"),
      (.double, "1e999", "\"1e999\" is not a double"),
      (.boolean, "yes", "\"yes\" is not a boolean"),
      (.boolean, 1, "a number is not a boolean"),
      (.timestamp, 7, "a number is not a timestamp"),
      (.timestamp, "now", "\"now\" is not a timestamp"),
      (.bytes, "A", "\"A\" is not a bytes"),
      (.reference, "users", "\"users\" is not a reference"),
      (.reference, "users//x", "\"users//x\" is not a reference"),
      (
        .reference, "projects/p/databases//documents/a/b",
        "\"projects/p/databases//documents/a/b\" is not a reference"
      ),
      (.geopoint, "91,0", "91.0,0.0 is not a geopoint"),
      (.geopoint, "1", "\"1\" is not a geopoint"),
      (.geopoint, ["latitude": 1], "the map is not a geopoint"),
      (.geopoint, ["latitude": 1, "longitude": "x"], "the list or map is not a geopoint"),
      (.vector, [1, "x"], "the list or map is not a vector"),
      (.vector, "1;2", "\"1;2\" is not a vector"),
      (.string, [:], "a map is not a string"),
      (.integer, [1, ["x"]], "\"x\" is not an integer"),
    ] as [(FieldType, Value, String)])
  func refuses(type: FieldType, value: Value, problem: String) throws {
    let failure = #expect(throws: ConversionFailure.self) {
      _ = try converter.value(of: value, as: type)
    }
    #expect(failure?.problem == problem)
  }

  @Test func readsFieldsAndTypes() throws {
    let typed = try TypedField("address.`a:b`:geopoint")
    #expect(typed.path.names == ["address", "a:b"])
    #expect(typed.type == .geopoint)
    #expect(message { _ = try TypedField("size") } == "\"size\" lacks a type: write FIELD:TYPE.")
    #expect(
      message { _ = try TypedField("size:int") }
        == "\"int\" is no type; the types are string, integer, double, boolean, timestamp, bytes, "
        + "reference, geopoint, vector.")
    #expect(message { _ = try TypedField("a b:string") }.hasSuffix("in backticks."))
  }

  @Test func convertsNestedFields() throws {
    let types = [try TypedField("a.b:integer")]
    let typed = ValueConverter(types: types, database: .default)
    let lines = NDJSONReader(
      try input("{\"a\":{\"b\":\"1\"}}\n{\"a\":2}\n{\"a\":{\"b\":[]}}\n{\"a\":{\"b\":\"x\"}}"))
    var reader = TypedReader(lines, converter: typed, source: "in.ndjson")
    #expect(try reader.next()?.fields == ["a": ["b": 1]])
    #expect(try reader.next()?.fields == ["a": 2])
    #expect(try reader.next()?.fields == ["a": ["b": []]])
    #expect(
      message { _ = try reader.next() }.hasPrefix(
        "in.ndjson, line 4, field \"a.b\": \"x\" is not an integer. "))
  }
}

@Suite struct RecordIDTests {
  @Test func takesStringsAndIntegers() throws {
    let path = try FieldPath("key.id")
    for (value, id) in [("x y", "x y"), (-7, "-7")] as [(Value, String)] {
      let record = InputRecord(line: 1, fields: ["key": ["id": value]])
      #expect(try record.documentID(in: path, source: "in") == id)
    }
  }

  @Test(
    arguments: [
      (["id": 1.5], "a number can't be a document id"),
      (["id": []], "an array can't be a document id"),
      (["other": 1], "the record has no such field to take its id from"),
    ] as [(MapValue, String)])
  func refusesWhatIsNoID(fields: MapValue, problem: String) {
    let record = InputRecord(line: 9, fields: fields)
    #expect(
      message { _ = try record.documentID(in: try FieldPath("id"), source: "in.csv") }
        == "in.csv, line 9, field \"id\": \(problem). "
        + "The id field must hold a string or an integer; --type id:string makes one.")
  }
}

extension RecordIDTests {
  @Test(
    arguments: [
      (
        "",
        "Resource id is the empty string. "
          + "Take another field, or leave --id-field out for random ids."
      ),
      (
        "a/b",
        "Resource id \"a/b\" is invalid because it contains \"/\". "
          + "An id is one segment of a path: replace the / in the file, or take another field."
      ),
    ])
  func advisesOnInvalidIDs(id: String, problem: String) {
    let record = InputRecord(line: 9, fields: ["id": .string(id)])
    #expect(
      message { _ = try record.documentID(in: try FieldPath("id"), source: "in.csv") }
        == "in.csv, line 9, field \"id\": \(problem)")
  }
}

@Suite struct InputFormatTests {
  @Test(
    arguments: [
      ("a.ndjson", "[", .ndjson), ("a.JSONL.gz", "x", .ndjson), ("a.csv", "{", .csv),
      ("a.csv.gz", "", .csv), ("a.TSV", "{", .tsv), ("a.tab.gz", "", .tsv),
      ("a.json", "\n [{}]", .json), ("a.json.gz", "{}", .ndjson),
      ("standard input", " {", .ndjson), ("-", "\u{FEFF}[", .json), ("-", "id,name\n", .csv),
      ("-", "", .ndjson),
    ] as [(String, String, InputFormat)])
  func isDetected(name: String, text: String, format: InputFormat) throws {
    var bytes = try input(text, name: name)
    #expect(try InputFormat(of: &bytes) == format)
  }

  @Test(arguments: [("a.json", "a,b"), ("-", "text\na,b")])
  func isAskedForOtherwise(name: String, text: String) throws {
    var bytes = try input(text, name: name)
    #expect(
      message { _ = try InputFormat(of: &bytes) }
        == "\(name), line 1: the format can't be told. "
        + "Say --format ndjson, --format json or --format csv.")
  }

  @Test func keepsWhatDetectionLookedAt() throws {
    var bytes = try input("\n\n[{\"a\":1}]")
    let format = try InputFormat(of: &bytes)
    let reader = try format.reader(of: bytes, converter: converter)
    #expect(try records(reader).map(\.line) == [3])
  }
}
