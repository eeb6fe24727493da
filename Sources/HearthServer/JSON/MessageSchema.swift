import FoundationEssentials
import HearthProtocols
import SwiftProtobuf

/// The definitions of all messages, by which JSON is read and written.
package struct MessageSchema: Sendable {
  struct Field: Sendable {
    enum Kind: Sendable {
      case double, float, int32, int64, uint32, uint64, bool, string, bytes
      case enumeration(String)
      case message(String)
    }

    let name: String
    let jsonName: String
    let number: Int
    let kind: Kind
    let isRepeated: Bool
    /// The oneof that the field belongs to; `nil` for none.
    let oneof: String?
  }

  struct MessageType: Sendable {
    let name: String
    let fields: [Field]
    /// Whether it is an entry of a map.
    let isEntry: Bool

    func field(_ name: String) -> Field? {
      fields.first { $0.jsonName == name || $0.name == name }
    }
  }

  private var messages: [String: MessageType] = [:]
  private var enumerations: [String: [(name: String, number: Int)]] = [:]

  /// The definitions that the server was built with.
  package static let shared = MessageSchema()

  /// The files of these definitions.
  static var definitions: Google_Protobuf_FileDescriptorSet {
    guard let bytes = Data(base64Encoded: encodedFileDescriptors),
      let set = try? Google_Protobuf_FileDescriptorSet(serializedBytes: bytes)
    else { preconditionFailure("The embedded definitions are damaged.") }
    return set
  }

  private init() {
    for file in MessageSchema.definitions.file {
      for message in file.messageType { add(message, below: file.package) }
      for type in file.enumType { add(type, below: file.package) }
    }
    enumerations["google.protobuf.NullValue"] = [("NULL_VALUE", 0)]
  }

  func message(_ name: String) -> MessageType? { messages[name] }

  func values(ofEnumeration name: String) -> [(name: String, number: Int)] {
    enumerations[name] ?? []
  }

  private mutating func add(_ message: Google_Protobuf_DescriptorProto, below scope: String) {
    let name = "\(scope).\(message.name)"
    messages[name] = MessageType(
      name: name, fields: message.field.map { Field($0, in: message) },
      isEntry: message.options.mapEntry)
    for nested in message.nestedType { add(nested, below: name) }
    for type in message.enumType { add(type, below: name) }
  }

  private mutating func add(_ type: Google_Protobuf_EnumDescriptorProto, below scope: String) {
    enumerations["\(scope).\(type.name)"] = type.value.map { ($0.name, Int($0.number)) }
  }
}

extension MessageSchema.Field {
  fileprivate init(
    _ field: Google_Protobuf_FieldDescriptorProto, in message: Google_Protobuf_DescriptorProto
  ) {
    name = field.name
    jsonName = field.jsonName
    number = Int(field.number)
    isRepeated = field.label == .repeated
    oneof =
      field.hasOneofIndex && !field.proto3Optional
      ? message.oneofDecl[Int(field.oneofIndex)].name : nil
    let type = String(field.typeName.dropFirst())
    kind =
      switch field.type {
      case .double: .double
      case .float: .float
      case .int32: .int32
      case .int64: .int64
      case .uint32: .uint32
      case .uint64: .uint64
      case .bool: .bool
      case .string: .string
      case .bytes: .bytes
      case .enum: .enumeration(type)
      default: .message(type)
      }
  }
}
