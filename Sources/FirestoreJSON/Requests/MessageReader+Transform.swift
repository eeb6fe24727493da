import HearthDocumentModel

extension MessageType {
  private static let kinds = [
    "setToServerValue", "increment", "maximum", "minimum", "appendMissingElements",
    "removeAllFromArray",
  ]

  static let documentTransform = MessageType("DocumentTransform", ["document", "fieldTransforms"])
  fileprivate static let fieldTransform = MessageType(
    "DocumentTransform.FieldTransform", ["fieldPath"] + kinds,
    oneofs: [Oneof(name: "transform_type", members: kinds)])
}

extension EnumType {
  fileprivate static let serverValue = EnumType(
    "DocumentTransform.FieldTransform.ServerValue", ["SERVER_VALUE_UNSPECIFIED", "REQUEST_TIME"])
}

extension MessageReader {
  mutating func transforms(_ json: JSONValue) throws(DatabaseError) -> [FieldTransform] {
    try list(json, of: MessageType.fieldTransform.name) { reader, json throws(DatabaseError) in
      try reader.transform(json)
    }
  }

  /// Reads a `FieldTransform` (§7.3).
  private mutating func transform(_ json: JSONValue) throws(DatabaseError) -> FieldTransform {
    var path = ""
    var operation: FieldTransform.Operation?
    try message(json, .fieldTransform) { reader, field, value throws(DatabaseError) in
      switch field {
      case "fieldPath": path = try reader.string(value)
      case "setToServerValue":
        operation = .serverTimestamp
        if try reader.enumeration(value, .serverValue) != 1 {
          reader.refuse("Unknown server value.")
        }
      case "increment": operation = .increment(try reader.number(value))
      case "maximum": operation = .maximum(try reader.number(value))
      case "minimum": operation = .minimum(try reader.number(value))
      case "appendMissingElements": operation = .arrayUnion(try reader.array(value))
      default: operation = .arrayRemove(try reader.array(value))
      }
    }
    if operation == nil { refuse("Unknown field transform type.") }
    return FieldTransform(fieldPath(path), operation ?? .serverTimestamp)
  }

  private mutating func number(_ json: JSONValue) throws(DatabaseError) -> Value {
    let value = try value(json)
    if value.typeClass != .number { refuse("Input must be a number.") }
    return value
  }
}
