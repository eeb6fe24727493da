import HearthDocumentModel

extension MessageReader {
  private static let valueType = "type.googleapis.com/google.firestore.v1.Value"
  /// The fields of a value, the most frequent first.
  private static let valueKinds =
    [
      "stringValue", "integerValue", "doubleValue", "booleanValue", "timestampValue", "mapValue",
      "arrayValue", "referenceValue", "geoPointValue", "bytesValue",
    ].map { MessageField($0) } + [MessageField("nullValue", canBeNull: true)]
  private static let degrees = [MessageField("latitude"), MessageField("longitude")]
  private static let arrayFields = [MessageField("values")]
  private static let mapFields = [MessageField("fields")]
  private static let fieldValue = MessageField("value")

  /// Reads a `Value` (§2.1).
  mutating func value(_ json: JSONValue) throws(DatabaseError) -> Value {
    let members = try members(json, of: Self.valueType, Self.valueKinds)
    guard let (kind, payload) = members.first else {
      refuse("Cannot convert firestore.v1.Value with type unset.")
      return .null
    }
    guard members.count == 1 else {
      throw invalid(oneof: "value_type", second: members[1].field.name)
    }
    return try reading(kind) { reader throws(DatabaseError) in
      try reader.value(ofKind: kind.name, payload)
    }
  }

  private mutating func value(
    ofKind kind: String, _ json: JSONValue
  ) throws(DatabaseError) -> Value {
    switch kind {
    case "stringValue": return .string(try string(json))
    case "integerValue": return .integer(try integer(json))
    case "doubleValue": return .double(try double(json))
    case "booleanValue": return .boolean(try boolean(json))
    case "timestampValue": return .timestamp(try timestamp(json, field: kind))
    case "mapValue": return try map(json)
    case "arrayValue": return .array(try array(json))
    case "referenceValue":
      let name = try string(json)
      return meaning(or: .null) { () throws(DatabaseError) in
        .reference(try DocumentName(fullName: name))
      }
    case "geoPointValue": return try geoPoint(json)
    case "bytesValue": return .bytes(try bytes(json))
    default: return try null(json)
    }
  }

  private func null(_ json: JSONValue) throws(DatabaseError) -> Value {
    switch json {
    case .null, .integer(0): return .null
    case .string(let name) where name.utf8Equal("NULL_VALUE"): return .null
    default: throw invalid("type.googleapis.com/google.protobuf.NullValue", json)
    }
  }

  private mutating func geoPoint(_ json: JSONValue) throws(DatabaseError) -> Value {
    let type = "type.googleapis.com/google.type.LatLng"
    var (latitude, longitude) = (0.0, 0.0)
    for (field, value) in try members(json, of: type, Self.degrees) {
      let degrees = try reading(field) { reader throws(DatabaseError) in
        try reader.double(value)
      }
      if field.name == "latitude" { latitude = degrees } else { longitude = degrees }
    }
    return meaning(or: .null) { () throws(DatabaseError) in
      .geoPoint(try GeoPoint(latitude: latitude, longitude: longitude))
    }
  }

  /// Reads a list of values.
  mutating func values(_ json: JSONValue) throws(DatabaseError) -> [Value] {
    try list(json, of: Self.valueType) { reader, json throws(DatabaseError) in
      try reader.value(json)
    }
  }

  mutating func array(_ json: JSONValue) throws(DatabaseError) -> [Value] {
    let type = "type.googleapis.com/google.firestore.v1.ArrayValue"
    var values: [Value] = []
    for (field, list) in try members(json, of: type, Self.arrayFields) {
      values = try reading(field) { reader throws(DatabaseError) in try reader.values(list) }
    }
    return values
  }

  private mutating func map(_ json: JSONValue) throws(DatabaseError) -> Value {
    let type = "type.googleapis.com/google.firestore.v1.MapValue"
    var fields = MapValue()
    for (field, object) in try members(json, of: type, Self.mapFields) {
      fields = try reading(field) { reader throws(DatabaseError) in
        try reader.fields(object)
      }
    }
    guard let values = VectorMessage.values(in: fields) else { return .map(fields) }
    return vector(of: values)
  }

  private mutating func vector(of values: [Value]) -> Value {
    var elements: [Double] = []
    for value in values {
      guard case .double(let element) = value else {
        refuse("Vector must only contain values of type 'double'")
        return .null
      }
      elements.append(element)
    }
    return .vector(elements)
  }

  /// Reads the fields of a document or a map.
  mutating func fields(_ json: JSONValue) throws(DatabaseError) -> MapValue {
    guard case .object(let members) = json else { throw invalid(Self.valueType, json) }
    var fields: [(String, Value)] = []
    for (index, (name, value)) in members.enumerated() {
      fields.append(
        (
          name,
          try reading(item: index) { reader throws(DatabaseError) in
            try reader.reading(Self.fieldValue) { reader throws(DatabaseError) in
              try reader.value(value)
            }
          }
        ))
    }
    return MapValue(fields)
  }
}

/// The form of a vector in messages: a map of two fields (§2.1).
enum VectorMessage {
  static let typeField = "__type__"
  static let typeName = "__vector__"
  static let elementsField = "value"

  /// Returns the elements as values; `nil` if the map is no vector or has other fields.
  static func values(in fields: MapValue) -> [Value]? {
    guard
      fields.count == 2, fields[typeField] == .string(typeName),
      case .array(let values)? = fields[elementsField]
    else { return nil }
    return values
  }
}
