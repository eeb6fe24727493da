import FoundationEssentials
import HearthDocumentModel
import HearthFirestoreJSON
import HearthProtocols
import SwiftProtobuf

// Values as messages (§2.1). A vector is a map of two fields:
//
//   field    | value
//   ---------+---------------------
//   __type__ | the text `__vector__`
//   value    | an array of doubles
private enum VectorMessage {
  static let typeField = "__type__"
  static let typeName = "__vector__"
  static let elementsField = "value"
}

extension Value {
  /// - Throws: `invalidArgument` in production's words for a value that can't be stored (§6.1).
  init(_ message: V1.Value) throws(DatabaseError) {
    switch message.valueType {
    case .nullValue: self = .null
    case .booleanValue(let value): self = .boolean(value)
    case .integerValue(let value): self = .integer(value)
    case .doubleValue(let value): self = .double(value)
    case .timestampValue(let value): self = .timestamp(try Timestamp(value))
    case .stringValue(let value): self = .string(value)
    case .bytesValue(let value): self = .bytes([UInt8](value))
    case .referenceValue(let name):
      self = .reference(try DocumentName(fullName: name))
    case .geoPointValue(let point):
      self = .geoPoint(try GeoPoint(latitude: point.latitude, longitude: point.longitude))
    case .arrayValue(let array): self = .array(try Value.list(array.values))
    case .mapValue(let map): self = try Value.mapOrVector(MapValue(map.fields))
    case .fieldReferenceValue, .variableReferenceValue, .functionValue, .pipelineValue, nil:
      throw DatabaseError.invalidArgument("Cannot convert firestore.v1.Value with type unset.")
    }
  }

  static func list(_ messages: [V1.Value]) throws(DatabaseError) -> [Value] {
    var values: [Value] = []
    values.reserveCapacity(messages.count)
    for message in messages { values.append(try Value(message)) }
    return values
  }

  private static func mapOrVector(_ fields: MapValue) throws(DatabaseError) -> Value {
    guard fields.count == 2,
      fields[VectorMessage.typeField] == .string(VectorMessage.typeName),
      case .array(let values)? = fields[VectorMessage.elementsField]
    else { return .map(fields) }
    var elements: [Double] = []
    for value in values {
      guard case .double(let element) = value else {
        throw DatabaseError.invalidArgument("Vector must only contain values of type 'double'")
      }
      elements.append(element)
    }
    return .vector(elements)
  }

  /// The value as it is sent.
  var message: V1.Value {
    var message = V1.Value()
    switch self {
    case .null: message.nullValue = .nullValue
    case .boolean(let value): message.booleanValue = value
    case .integer(let value): message.integerValue = value
    case .double(let value): message.doubleValue = value
    case .timestamp(let value): message.timestampValue = value.message
    case .string(let value): message.stringValue = value
    case .bytes(let value): message.bytesValue = Data(value)
    case .reference(let name): message.referenceValue = name.description
    case .geoPoint(let point):
      message.geoPointValue = .with { degrees in
        degrees.latitude = point.latitude
        degrees.longitude = point.longitude
      }
    case .array(let values): message.arrayValue = .with { $0.values = values.map(\.message) }
    case .vector(let elements): message.mapValue = Value.vectorMessage(elements)
    case .map(let fields): message.mapValue = .with { $0.fields = fields.messages }
    }
    return message
  }

  private static func vectorMessage(_ elements: [Double]) -> V1.MapValue {
    let values = Value.array(elements.map { .double($0) })
    return .with { map in
      map.fields = [
        .init(VectorMessage.typeField, .string(VectorMessage.typeName)),
        .init(VectorMessage.elementsField, values),
      ]
    }
  }
}

extension MapValue {
  init(_ entries: [V1.FieldEntry]) throws(DatabaseError) {
    var fields: [(String, Value)] = []
    fields.reserveCapacity(entries.count)
    for entry in entries { fields.append((entry.key, try Value(entry.value))) }
    self.init(fields)
  }

  var messages: [V1.FieldEntry] { map { V1.FieldEntry($0.name, $0.value) } }
}

extension V1.FieldEntry {
  init(_ name: String, _ value: Value) {
    self.init()
    key = name
    self.value = value.message
  }
}
