public import DocumentModel

// What a value holds, by the names of the wire: `nil` if it is of another type. The integer 42 is
// no double; who takes any number switches over the value.
extension Value {
  public var booleanValue: Bool? {
    if case .boolean(let value) = self { value } else { nil }
  }

  public var integerValue: Int64? {
    if case .integer(let value) = self { value } else { nil }
  }

  public var doubleValue: Double? {
    if case .double(let value) = self { value } else { nil }
  }

  public var timestampValue: Timestamp? {
    if case .timestamp(let value) = self { value } else { nil }
  }

  public var stringValue: String? {
    if case .string(let value) = self { value } else { nil }
  }

  public var bytesValue: [UInt8]? {
    if case .bytes(let value) = self { value } else { nil }
  }

  public var referenceValue: DocumentName? {
    if case .reference(let value) = self { value } else { nil }
  }

  public var geoPointValue: GeoPoint? {
    if case .geoPoint(let value) = self { value } else { nil }
  }

  public var arrayValue: [Value]? {
    if case .array(let value) = self { value } else { nil }
  }

  public var vectorValue: [Double]? {
    if case .vector(let value) = self { value } else { nil }
  }

  public var mapValue: MapValue? {
    if case .map(let value) = self { value } else { nil }
  }
}
