import HearthDocumentModel
import HearthFirestoreJSON
import Testing

@Suite struct TypedJSONTests {
  private func read(_ json: String) throws -> Value { try TypedJSON.value(from: Array(json.utf8)) }

  @Test func everyKindIsRead() throws {
    let time = try Timestamp(seconds: 1, nanoseconds: 123_456_000)
    let name = try DocumentName(try ResourcePath("x/y"), in: try DatabaseID(project: "other"))
    let cases: [(String, Value)] = [
      (#"{"nullValue": null}"#, .null), (#"{"nullValue": "NULL_VALUE"}"#, .null),
      (#"{"booleanValue": true}"#, true), (#"{"integerValue": "5"}"#, 5),
      (#"{"integerValue": 5}"#, 5), (#"{"integerValue": 5.0}"#, 5),
      (#"{"booleanValue": "true"}"#, true), (#"{"booleanValue": "false"}"#, false),
      (#"{"integerValue": "1e3"}"#, 1000), (#"{"integerValue": 1e3}"#, 1000),
      (#"{"integerValue": "-1.50E+1"}"#, -15), (#"{"integerValue": "2500e-2"}"#, 25),
      (#"{"integerValue": "-0.0"}"#, 0), (#"{"integerValue": "0e99999999999999999999"}"#, 0),
      (#"{"integerValue": "9007199254740993.0"}"#, .integer(9_007_199_254_740_993)),
      (#"{"integerValue": "9223372036854775.807e3"}"#, .integer(.max)),
      (#"{"integerValue": "-92233720368547758080e-1"}"#, .integer(.min)),
      (#"{"integer_value": "-9223372036854775808"}"#, .integer(.min)),
      (#"{"doubleValue": 42}"#, 42.0), (#"{"doubleValue": "1.5"}"#, 1.5),
      (#"{"doubleValue": "-0"}"#, .double(-0.0)), (#"{"doubleValue": -0}"#, .double(-0.0)),
      (#"{"doubleValue": "NaN"}"#, .double(.nan)),
      (#"{"doubleValue": "Infinity"}"#, .double(.infinity)),
      (#"{"doubleValue": "-Infinity"}"#, .double(-.infinity)),
      (#"{"timestampValue": "1970-01-01T01:00:01.123456789+01:00"}"#, .timestamp(time)),
      (#"{"stringValue": "é", "integerValue": null}"#, "é"),
      (#"{"bytesValue": "+/8="}"#, .bytes([0xFB, 0xFF])),
      (#"{"bytesValue": "-_8"}"#, .bytes([0xFB, 0xFF])),
      (#"{"bytesValue": ""}"#, .bytes([])),
      (
        #"{"referenceValue": "projects/other/databases/(default)/documents/x/y"}"#, .reference(name)
      ),
      (
        #"{"geoPointValue": {"latitude": 35.5}}"#,
        .geoPoint(try GeoPoint(latitude: 35.5, longitude: 0))
      ),
      (#"{"arrayValue": {}}"#, []), (#"{"arrayValue": {"values": [{"integerValue": "1"}]}}"#, [1]),
      (#"{"mapValue": {}}"#, [:]),
      (#"{"map_value": {"fields": {"a": {"nullValue": null}}}}"#, ["a": .null]),
      (
        #"""
        {"mapValue": {"fields": {"__type__": {"stringValue": "__vector__"},
          "value": {"arrayValue": {"values": [{"doubleValue": 1}, {"doubleValue": "2"}]}}}}}
        """#, .vector([1, 2])
      ),
      (
        #"{"mapValue": {"fields": {"__type__": {"stringValue": "__vector__"}}}}"#,
        ["__type__": "__vector__"]
      ),
    ]
    for (json, expected) in cases { #expect(try read(json) == expected, "\(json)") }
  }

  @Test(arguments: [
    ("{}", "Cannot convert firestore.v1.Value with type unset."),
    (#"{"stringValue": null}"#, "Cannot convert firestore.v1.Value with type unset."),
    (
      #"{"fooValue": 1}"#,
      "Invalid JSON payload received. Unknown name \"fooValue\" at 'fields[0].value': "
        + "Cannot find field."
    ),
    (
      #"{"integerValue": "1", "stringValue": "a"}"#,
      "Invalid value at 'fields[0].value' (oneof), oneof field 'value_type' is already set. "
        + "Cannot set 'stringValue'"
    ),
    (
      #"{"integerValue": "99999999999999999999"}"#,
      "Invalid value at 'fields[0].value.integer_value' (TYPE_INT64), \"99999999999999999999\""
    ),
    (
      #"{"integerValue": 1.5}"#,
      "Invalid value at 'fields[0].value.integer_value' (TYPE_INT64), 1.5"
    ),
    (
      #"{"integerValue": "1.5"}"#,
      "Invalid value at 'fields[0].value.integer_value' (TYPE_INT64), \"1.5\""
    ),
    (
      #"{"integerValue": "9223372036854775808e0"}"#,
      "Invalid value at 'fields[0].value.integer_value' (TYPE_INT64), \"9223372036854775808e0\""
    ),
    (
      #"{"integerValue": "1e-9223372036854775808"}"#,
      "Invalid value at 'fields[0].value.integer_value' (TYPE_INT64), \"1e-9223372036854775808\""
    ),
    (
      #"""
      {"mapValue": {"fields": {"__type__": {"stringValue": "__vector__"},
        "value": {"arrayValue": {"values": [{"doubleValue": 1}, {"integerValue": "2"}]}}}}}
      """#, "Vector must only contain values of type 'double'"
    ),
    (
      #"{"integerValue": " 1"}"#,
      "Invalid value at 'fields[0].value.integer_value' (TYPE_INT64), \" 1\""
    ),
    (
      #"{"doubleValue": "1e999"}"#,
      "Invalid value at 'fields[0].value.double_value' (TYPE_DOUBLE), \"1e999\""
    ),
    (
      #"{"booleanValue": "True"}"#,
      "Invalid value at 'fields[0].value.boolean_value' (TYPE_BOOL), \"True\""
    ),
    (#"{"stringValue": 5}"#, "Invalid value at 'fields[0].value.string_value' (TYPE_STRING), 5"),
    (
      #"{"timestampValue": "not a time"}"#,
      "Invalid value at 'fields[0].value.timestamp_value' "
        + "(type.googleapis.com/google.protobuf.Timestamp), Field 'timestampValue', Illegal "
        + "timestamp format; timestamps must end with 'Z' or have a valid timezone offset."
    ),
    (
      #"{"timestampValue": "10000-01-01T00:00:00Z"}"#,
      "Invalid value at 'fields[0].value.timestamp_value' "
        + "(type.googleapis.com/google.protobuf.Timestamp), Field 'timestampValue', "
        + "Timestamp value exceeds limits"
    ),
    (
      #"{"bytesValue": "!!!"}"#,
      "Invalid value at 'fields[0].value.bytes_value' (TYPE_BYTES), "
        + "Base64 decoding failed for \"!!!\""
    ),
    (
      #"{"bytesValue": "A"}"#,
      "Invalid value at 'fields[0].value.bytes_value' (TYPE_BYTES), "
        + "Base64 decoding failed for \"A\""
    ),
    (
      #"{"geoPointValue": {"latitude": 91, "longitude": 0}}"#,
      "Geo point latitude '91.0' outside permitted range -90.0 to 90.0."
    ),
    (
      #"{"geoPointValue": {"latitude": "x"}}"#,
      "Invalid value at 'fields[0].value.geo_point_value.latitude' (TYPE_DOUBLE), \"x\""
    ),
    (
      #"{"referenceValue": "projects/p/databases/(default)/documents/x"}"#,
      "Document parent name \"projects/p/databases/(default)/documents/x\" lacks \"/\" at index 42."
    ),
    (
      #"{"referenceValue": "not/a/valid/name/at/all/x"}"#,
      "Document name \"not/a/valid/name/at/all/x\" lacks \"projects\" at index 0."
    ),
    (
      #"{"referenceValue": "projects/p/databases/d"}"#,
      "Document name \"projects/p/databases/d\" lacks \"documents\" at index 22."
    ),
    (
      #"{"referenceValue": "projects/p/databases/d/documents/err/.."}"#,
      "Document name \"projects/p/databases/d/documents/err/..\" contains a resource id \"..\" at "
        + "index 37."
    ),
    (
      #"{"arrayValue": {"values": [{"nullValue": 0}, {"mapValue": {"fields": "#
        + #"{"b": {"nullValue": 0}, "a": {"integerValue": "x"}}}}]}}"#,
      "Invalid value at 'fields[0].value.array_value.values[1].map_value.fields[1].value."
        + "integer_value' (TYPE_INT64), \"x\""
    ),
    (
      #"{"nullValue": 1}"#,
      "Invalid value at 'fields[0].value.null_value' "
        + "(type.googleapis.com/google.protobuf.NullValue), 1"
    ),
    (
      "5", "Invalid value at 'fields[0].value' (type.googleapis.com/google.firestore.v1.Value), 5"
    ),
  ])
  func refuses(_ value: String, _ message: String) {
    let error = thrown(DatabaseError.self) {
      _ = try TypedJSON.fields(from: Array("{\"a\": \(value)}".utf8))
    }
    #expect(error?.code == .invalidArgument)
    #expect(error?.message == message)
  }

  @Test func placesAreLeftOutAtTheRoot() {
    #expect(
      thrown(DatabaseError.self) { _ = try read(#"{"fooValue": 1}"#) }?.message
        == "Invalid JSON payload received. Unknown name \"fooValue\": Cannot find field.")
    let error = thrown(DatabaseError.self) { _ = try read("not json") }
    #expect(
      error?.message
        == "Invalid JSON payload received. line 1, column 1: expected a value, found \"n\"")
    #expect((error?.cause as? JSONError)?.offset == 0)
  }

  @Test func everyValueIsReadBack() throws {
    for seed in generatedSeeds() {
      var generator = SeededGenerator(seed: seed)
      let fields = try generator.map()
      var bytes: [UInt8] = []
      TypedJSON.append(fields, to: &bytes)
      #expect(try TypedJSON.fields(from: bytes) == fields, "seed \(seed): \(text(bytes))")
    }
  }

  @Test func documentsCarryNameAndTimes() throws {
    let document = Document(
      path: try ResourcePath("users/alice"), fields: ["n": 1],
      createTime: try Timestamp(rfc3339: "2026-01-01T00:00:00Z"),
      updateTime: try Timestamp(rfc3339: "2026-01-02T00:00:00.000001Z"))
    let message = try DocumentMessage(document, in: .default)
    var bytes: [UInt8] = []
    TypedJSON.append(message, to: &bytes)
    #expect(
      text(bytes) == #"{"name":"projects/demo-project/databases/(default)/documents/users/alice","#
        + #""fields":{"n":{"integerValue":"1"}},"createTime":"2026-01-01T00:00:00Z","#
        + #""updateTime":"2026-01-02T00:00:00.000001Z"}"#)
    #expect(try TypedJSON.document(from: bytes) == message)
    let bare = try TypedJSON.document(
      from: Array(#"{"name": "projects/p/databases/d/documents/c/x"}"#.utf8))
    #expect(bare.fields.isEmpty)
    #expect(bare.createTime == nil)
    #expect(
      thrown(DatabaseError.self) { _ = try TypedJSON.document(from: Array("[]".utf8)) }?.message
        == "Invalid JSON payload received. Unknown name \"\": Root element must be a message.")
    #expect(
      thrown(DatabaseError.self) {
        _ = try TypedJSON.document(from: Array(#"{"name": "x", "fields": {"a": {}}}"#.utf8))
      }?.message == "Cannot convert firestore.v1.Value with type unset.")
  }
}
