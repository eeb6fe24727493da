import HearthDocumentModel
import HearthFirestoreJSON
import HearthServer
import Testing

/// Messages as JSON, by their definitions.
@Suite struct JSONMessageTests {
  private static let package = "google.firestore.v1"

  /// Returns the JSON that a message has after it was read from `json`.
  private static func again(_ json: String, _ type: String) throws -> String {
    var reader = JSONMessageReader()
    let bytes = try reader.bytes(of: JSONValue(parsing: Array(json.utf8)), as: type)
    return JSONMessageWriter().json(of: bytes, as: type).line
  }

  private static func fault(_ json: String, _ type: String = "CommitRequest") -> String? {
    do {
      _ = try again(json, "\(package).\(type)")
      return nil
    } catch {
      return (error as? DatabaseError)?.message
    }
  }

  @Test(arguments: [
    (#"{"limit": 5}"#, #"{"limit":5}"#),
    (#"{"limit": {"value": 9}}"#, #"{"limit":9}"#),
    (#"{"limit": "7", "offset": 1e1}"#, #"{"offset":10,"limit":7}"#),
    (#"{"order_by": [{"direction": "descending"}]}"#, #"{"orderBy":[{"direction":"DESCENDING"}]}"#),
    (#"{"orderBy": [{"direction": 2}]}"#, #"{"orderBy":[{"direction":"DESCENDING"}]}"#),
    (#"{"select": null, "from": []}"#, "{}"),
    (#"{"from": [{"allDescendants": true}]}"#, #"{"from":[{"allDescendants":true}]}"#),
  ])
  func queriesMayBeWrittenInOtherForms(json: String, written: String) throws {
    #expect(try Self.again(json, "\(Self.package).StructuredQuery") == written)
  }

  @Test(arguments: [
    (#"{"integerValue": 7}"#, #"{"integerValue":"7"}"#),
    (#"{"doubleValue": "1.5"}"#, #"{"doubleValue":1.5}"#),
    (#"{"doubleValue": 3}"#, #"{"doubleValue":3.0}"#),
    (#"{"bytesValue": "-_8"}"#, #"{"bytesValue":"+/8="}"#),
    (#"{"nullValue": "NULL_VALUE"}"#, #"{"nullValue":null}"#),
    (
      #"{"timestampValue": "2026-01-02T04:04:05.5+01:00"}"#,
      #"{"timestampValue":"2026-01-02T03:04:05.500Z"}"#
    ),
    (
      #"{"mapValue": {"fields": {"b": {"nullValue": null}, "a": {"integerValue": 1}}}}"#,
      #"{"mapValue":{"fields":{"b":{"nullValue":null},"a":{"integerValue":"1"}}}}"#
    ),
  ])
  func valuesMayBeWrittenInOtherForms(json: String, written: String) throws {
    #expect(try Self.again(json, "\(Self.package).Value") == written)
  }

  @Test func administrationHasFormsOfItsOwn() throws {
    let update = #"{"updateMask": "indexConfig,ttlConfig.state"}"#
    var reader = JSONMessageReader()
    let bytes = try reader.bytes(
      of: JSONValue(parsing: Array(update.utf8)),
      as: "google.firestore.admin.v1.UpdateFieldRequest")
    #expect(
      bytes == [0x12, 0x20, 0x0A, 0x0C] + Array("index_config".utf8)
        + [0x0A, 0x10] + Array("ttl_config.state".utf8))
  }

  @Test func faultsAreToldWithTheirPlace() {
    let value = { (json: String) in
      #"{"writes": [{"update": {"fields": {"a": \#(json)}}}]}"#
    }
    let place = "writes[0].update.fields[0].value"
    let faults = [
      (
        #"{"writez": []}"#,
        #"Invalid JSON payload received. Unknown name "writez": Cannot find field."#
      ),
      (
        value(#"{"fooValue": 1}"#),
        "Invalid JSON payload received. Unknown name \"fooValue\" at '\(place)': "
          + "Cannot find field."
      ),
      (
        value(#"{"integerValue": "x"}"#),
        "Invalid value at '\(place).integer_value' (TYPE_INT64), \"x\""
      ),
      (
        value(#"{"timestampValue": "now"}"#),
        "Invalid value at '\(place).timestamp_value' "
          + "(type.googleapis.com/google.protobuf.Timestamp), Field 'timestampValue', Illegal "
          + "timestamp format; timestamps must end with 'Z' or have a valid timezone offset."
      ),
      (
        value(#"{"bytesValue": "!!!"}"#),
        "Invalid value at '\(place).bytes_value' (TYPE_BYTES), Base64 decoding failed for \"!!!\""
      ),
      (
        #"{"writes": [{"update": {}, "delete": "x"}]}"#,
        "Invalid value at 'writes[0]' (oneof), oneof field 'operation' is already set. Cannot set "
          + "'delete'"
      ),
      (
        "[]",
        "Invalid JSON payload received. Unknown name \"\": Root element must be a message."
      ),
    ]
    for (json, message) in faults { #expect(Self.fault(json) == message) }
  }

  @Test func allFaultsAreToldALineEach() {
    let json = #"""
      {"writez": [], "writes": [{"updat": {}}, {"update": {"fields": {
        "a": {"integerValue": "x"}, "b": {"arrayValue": {"values": [{"foo": 1}, 7]}},
        "c": {"integerValue": "1"}}}}]}
      """#
    let fields = "writes[1].update.fields"
    #expect(
      Self.fault(json) == """
        Invalid JSON payload received. Unknown name "writez": Cannot find field.
        Invalid JSON payload received. Unknown name "updat" at 'writes[0]': Cannot find field.
        Invalid value at '\(fields)[0].value.integer_value' (TYPE_INT64), "x"
        Invalid JSON payload received. Unknown name "foo" at \
        '\(fields)[1].value.array_value.values[0]': Cannot find field.
        Invalid value at '\(fields)[1].value.array_value.values[1]' \
        (type.googleapis.com/google.firestore.v1.Value), 7
        """)
  }

  @Test func aThousandFaultsAreNotAllTold() {
    let names = (0..<1_000).map { "\"x\($0)\": 1" }.joined(separator: ",")
    #expect(Self.fault("{\(names)}")?.split(separator: "\n").count == 100)
  }
}
