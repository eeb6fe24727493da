public import DocumentModel

// What a value holds, by the names of the wire: `nil` if it is of another type. The integer 42 is
// no double; who takes any number switches over the value.
extension Value {
  /// The boolean, if it is one.
  public var booleanValue: Bool? {
    if case .boolean(let value) = self { value } else { nil }
  }

  /// The integer, if it is one; a double is none.
  public var integerValue: Int64? {
    if case .integer(let value) = self { value } else { nil }
  }

  /// The double, if it is one; an integer is none.
  public var doubleValue: Double? {
    if case .double(let value) = self { value } else { nil }
  }

  /// The timestamp, if it is one.
  public var timestampValue: Timestamp? {
    if case .timestamp(let value) = self { value } else { nil }
  }

  /// The string, if it is one.
  public var stringValue: String? {
    if case .string(let value) = self { value } else { nil }
  }

  /// The bytes, if it is such.
  public var bytesValue: [UInt8]? {
    if case .bytes(let value) = self { value } else { nil }
  }

  /// The name of a document, if it is one.
  public var referenceValue: DocumentName? {
    if case .reference(let value) = self { value } else { nil }
  }

  /// The geo point, if it is one.
  public var geoPointValue: GeoPoint? {
    if case .geoPoint(let value) = self { value } else { nil }
  }

  /// The elements, if it is an array.
  public var arrayValue: [Value]? {
    if case .array(let value) = self { value } else { nil }
  }

  /// The elements, if it is a vector.
  public var vectorValue: [Double]? {
    if case .vector(let value) = self { value } else { nil }
  }

  /// The fields, if it is a map.
  public var mapValue: MapValue? {
    if case .map(let value) = self { value } else { nil }
  }
}
