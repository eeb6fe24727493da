public import HearthDocumentModel

// The contents of a value, under the names of the wire; `nil` if the value is of another type. The
// integer 42 is not a double: code that takes any number switches over the value.
extension Value {
  /// The boolean; `nil` for a value of another type.
  public var booleanValue: Bool? {
    if case .boolean(let value) = self { value } else { nil }
  }

  /// The integer; `nil` for a value of another type, such as a double.
  public var integerValue: Int64? {
    if case .integer(let value) = self { value } else { nil }
  }

  /// The double; `nil` for a value of another type, such as an integer.
  public var doubleValue: Double? {
    if case .double(let value) = self { value } else { nil }
  }

  /// The timestamp; `nil` for a value of another type.
  public var timestampValue: Timestamp? {
    if case .timestamp(let value) = self { value } else { nil }
  }

  /// The string; `nil` for a value of another type.
  public var stringValue: String? {
    if case .string(let value) = self { value } else { nil }
  }

  /// The bytes; `nil` for a value of another type.
  public var bytesValue: [UInt8]? {
    if case .bytes(let value) = self { value } else { nil }
  }

  /// The name of a document; `nil` for a value of another type.
  public var referenceValue: DocumentName? {
    if case .reference(let value) = self { value } else { nil }
  }

  /// The geo point; `nil` for a value of another type.
  public var geoPointValue: GeoPoint? {
    if case .geoPoint(let value) = self { value } else { nil }
  }

  /// The elements of an array; `nil` for a value of another type.
  public var arrayValue: [Value]? {
    if case .array(let value) = self { value } else { nil }
  }

  /// The elements of a vector; `nil` for a value of another type.
  public var vectorValue: [Double]? {
    if case .vector(let value) = self { value } else { nil }
  }

  /// The fields of a map; `nil` for a value of another type.
  public var mapValue: MapValue? {
    if case .map(let value) = self { value } else { nil }
  }
}
