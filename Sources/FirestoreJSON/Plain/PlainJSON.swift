public import HearthDocumentModel

/// Documents as everyday JSON, for import, export and reading by people.
///
/// Reading gives nulls, booleans, numbers, strings, arrays and maps. A number is an integer if it
/// is written without fraction and exponent and 64 bits hold it, and a double otherwise: `1` and
/// `1.0` differ. The other types have no JSON of their own. See
/// ``append(_:to:relativeTo:)-(Value,_,_)`` for the form in which they are written; ``TypedJSON``
/// preserves them.
public enum PlainJSON {
  /// Reads one JSON object as the fields of a document.
  ///
  /// Names are compared by their bytes; the last of several equal ones wins. Values that documents
  /// may not contain, such as an array in an array, are refused only by a write.
  ///
  /// - Throws: an error if the bytes are no JSON object.
  public static func fields(from bytes: Span<UInt8>) throws(JSONError) -> MapValue {
    guard case .map(let fields) = try value(from: bytes) else {
      throw JSONError("expected an object", at: 0, in: bytes)
    }
    return fields
  }

  /// Reads one JSON object as the fields of a document.
  ///
  /// - Throws: an error if the bytes are no JSON object.
  public static func fields(from bytes: [UInt8]) throws(JSONError) -> MapValue {
    try fields(from: bytes.span)
  }

  /// Reads one JSON value.
  ///
  /// - Throws: an error if the bytes are no JSON.
  public static func value(from bytes: Span<UInt8>) throws(JSONError) -> Value {
    var reader = JSONReader(bytes)
    return try reader.readWhole(as: Value.self)
  }

  /// Reads one JSON value.
  ///
  /// - Throws: an error if the bytes are no JSON.
  public static func value(from bytes: [UInt8]) throws(JSONError) -> Value {
    try value(from: bytes.span)
  }

  /// Appends fields as one JSON object on one line, sorted by name.
  ///
  /// - Parameter database: the database whose references are written as paths without the database.
  public static func append(
    _ fields: MapValue, to bytes: inout [UInt8], relativeTo database: DatabaseID = .default
  ) {
    bytes.append(UInt8(ascii: "{"))
    bytes.appendList(fields) { bytes, field in
      bytes.appendJSON(field.name)
      bytes.append(UInt8(ascii: ":"))
      append(field.value, to: &bytes, relativeTo: database)
    }
    bytes.append(UInt8(ascii: "}"))
  }

  /// Appends a value as JSON on one line.
  ///
  /// A timestamp becomes an RFC 3339 string, bytes base64, a reference its path, a geopoint an
  /// object of `latitude` and `longitude`, a vector an array; NaN and the infinities become the
  /// strings `NaN`, `Infinity` and `-Infinity`.
  ///
  /// - Parameter database: the database whose references are written as paths without the database.
  public static func append(
    _ value: Value, to bytes: inout [UInt8], relativeTo database: DatabaseID = .default
  ) {
    switch value {
    case .null: bytes.append("null")
    case .boolean(let value): bytes.append(value ? "true" : "false")
    case .integer(let value): bytes.append(value.description)
    case .double(let value): append(value, to: &bytes)
    case .string(let value): bytes.appendJSON(value)
    case .timestamp(let value): bytes.appendJSON(value.rfc3339)
    case .bytes(let value): bytes.appendJSON(Base64.text(of: value, .standard))
    case .reference(let name):
      bytes.appendJSON(name.database == database ? name.path.description : name.description)
    case .geoPoint(let point):
      bytes.append("{\"latitude\":")
      bytes.appendJSON(point.latitude)
      bytes.append(",\"longitude\":")
      bytes.appendJSON(point.longitude)
      bytes.append("}")
    case .array(let elements):
      bytes.append(UInt8(ascii: "["))
      bytes.appendList(elements) { append($1, to: &$0, relativeTo: database) }
      bytes.append(UInt8(ascii: "]"))
    case .vector(let elements):
      bytes.append(UInt8(ascii: "["))
      bytes.appendList(elements) { append($1, to: &$0) }
      bytes.append(UInt8(ascii: "]"))
    case .map(let fields): append(fields, to: &bytes, relativeTo: database)
    }
  }

  private static func append(_ value: Double, to bytes: inout [UInt8]) {
    if let name = value.nonFiniteName {
      bytes.appendJSON(name)
    } else {
      bytes.appendJSON(value)
    }
  }
}
