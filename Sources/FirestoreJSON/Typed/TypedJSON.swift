public import HearthDocumentModel
package import HearthQueryPlanning

/// Values and documents in the form of Firestore's REST interface, each value with its type:
/// `{"integerValue": "42"}` (§2.1). Nothing is lost in either direction.
///
/// Reading follows protocol buffers' JSON: numbers may be strings, names may be in snake case, and
/// a null member counts as absent. Both base64 alphabets are read. Timestamps may have any offset,
/// and digits below a microsecond are cut off.
public enum TypedJSON {
  /// Reads a value.
  ///
  /// - Throws: `invalidArgument`, in production's words if they are known (§6.1).
  public static func value(from bytes: [UInt8]) throws(DatabaseError) -> Value {
    try MessageReader.read(try json(bytes)) { reader, json throws(DatabaseError) in
      try reader.value(json)
    }
  }

  /// Reads an object of field names and values.
  ///
  /// - Throws: `invalidArgument`, in production's words if they are known (§6.1).
  public static func fields(from bytes: [UInt8]) throws(DatabaseError) -> MapValue {
    try MessageReader.read(try json(bytes), at: "fields") { reader, json throws(DatabaseError) in
      try reader.fields(json)
    }
  }

  /// Reads a document.
  ///
  /// - Throws: `invalidArgument`, in production's words if they are known (§6.1).
  public static func document(from bytes: [UInt8]) throws(DatabaseError) -> DocumentMessage {
    try MessageReader.read(try json(bytes)) { reader, json throws(DatabaseError) in
      try reader.document(json)
    }
  }

  /// Reads a value inside a larger text.
  ///
  /// - Throws: `invalidArgument`.
  package static func value(_ json: JSONValue) throws(DatabaseError) -> Value {
    try MessageReader.read(json) { reader, json throws(DatabaseError) in try reader.value(json) }
  }

  /// Reads a document inside a larger text.
  ///
  /// - Throws: `invalidArgument`.
  package static func document(_ json: JSONValue) throws(DatabaseError) -> DocumentMessage {
    try MessageReader.read(json) { reader, json throws(DatabaseError) in
      try reader.document(json)
    }
  }

  /// Reads a `StructuredQuery` inside a larger text.
  ///
  /// - Throws: `invalidArgument`.
  package static func query(
    _ json: JSONValue, below parent: ResourcePath
  ) throws(DatabaseError) -> StructuredQuery {
    try MessageReader.read(json) { reader, json throws(DatabaseError) in
      try reader.query(json, below: parent)
    }
  }

  /// Reads a `StructuredAggregationQuery` inside a larger text.
  ///
  /// - Throws: `invalidArgument`.
  package static func aggregationQuery(
    _ json: JSONValue, below parent: ResourcePath
  ) throws(DatabaseError) -> AggregationQuery {
    try MessageReader.read(json) { reader, json throws(DatabaseError) in
      try reader.aggregationQuery(json, below: parent)
    }
  }

  private static func json(_ bytes: [UInt8]) throws(DatabaseError) -> JSONValue {
    do {
      return try JSONValue(parsing: bytes)
    } catch {
      throw DatabaseError(
        .invalidArgument, "Invalid JSON payload received. \(error)", cause: error)
    }
  }

  /// Appends a value on one line.
  public static func append(_ value: Value, to bytes: inout [UInt8]) {
    switch value {
    case .null: bytes.append("{\"nullValue\":null}")
    case .boolean(let value): append("booleanValue", value.description, to: &bytes)
    case .integer(let value): append("integerValue", "\"\(value)\"", to: &bytes)
    case .double(let value): append("doubleValue", text(value), to: &bytes)
    case .timestamp(let value): append("timestampValue", "\"\(value.rfc3339)\"", to: &bytes)
    case .string(let value): append("stringValue", quoted: value, to: &bytes)
    case .bytes(let value):
      append("bytesValue", quoted: Base64.text(of: value, .standard), to: &bytes)
    case .reference(let name): append("referenceValue", quoted: name.description, to: &bytes)
    case .geoPoint(let point):
      append(
        "geoPointValue",
        "{\"latitude\":\(text(point.latitude)),\"longitude\":\(text(point.longitude))}",
        to: &bytes)
    case .array(let elements):
      bytes.append("{\"arrayValue\":{\"values\":[")
      bytes.appendList(elements) { append($1, to: &$0) }
      bytes.append("]}}")
    case .vector(let elements):
      let map: MapValue = [
        VectorMessage.typeField: .string(VectorMessage.typeName),
        VectorMessage.elementsField: .array(elements.map(Value.double)),
      ]
      append(.map(map), to: &bytes)
    case .map(let fields):
      bytes.append("{\"mapValue\":{\"fields\":")
      append(fields, to: &bytes)
      bytes.append("}}")
    }
  }

  /// Appends an object of field names and values on one line, sorted by name.
  public static func append(_ fields: MapValue, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "{"))
    bytes.appendList(fields) { bytes, field in
      bytes.appendJSON(field.name)
      bytes.append(UInt8(ascii: ":"))
      append(field.value, to: &bytes)
    }
    bytes.append(UInt8(ascii: "}"))
  }

  /// Appends a document on one line.
  public static func append(_ document: DocumentMessage, to bytes: inout [UInt8]) {
    bytes.append("{\"name\":")
    bytes.appendJSON(document.name.description)
    bytes.append(",\"fields\":")
    append(document.fields, to: &bytes)
    if let time = document.createTime { bytes.append(",\"createTime\":\"\(time.rfc3339)\"") }
    if let time = document.updateTime { bytes.append(",\"updateTime\":\"\(time.rfc3339)\"") }
    bytes.append(UInt8(ascii: "}"))
  }

  private static func append(_ kind: String, _ payload: String, to bytes: inout [UInt8]) {
    bytes.append("{\"\(kind)\":\(payload)}")
  }

  private static func append(_ kind: String, quoted payload: String, to bytes: inout [UInt8]) {
    bytes.append("{\"\(kind)\":")
    bytes.appendJSON(payload)
    bytes.append(UInt8(ascii: "}"))
  }

  static func text(_ value: Double) -> String {
    value.nonFiniteName.map { "\"\($0)\"" } ?? value.description
  }
}
