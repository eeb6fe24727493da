/// The form of a message: its fields and oneofs (§6.1).
struct MessageType: Sendable {
  /// A group of fields of which a message has at most one.
  struct Oneof: Sendable {
    let name: String
    let members: [String]
  }

  let name: String
  let fields: [MessageField]
  let oneofs: [Oneof]

  /// - Parameter name: the name within Firestore's protocol, such as `StructuredQuery.Filter`.
  init(_ name: String, _ fields: [String], oneofs: [Oneof] = []) {
    self.init(fullName: EnumType.prefix + name, fields, oneofs: oneofs)
  }

  init(fullName: String, _ fields: [String], oneofs: [Oneof] = []) {
    name = fullName
    self.fields = fields.map { MessageField($0) }
    self.oneofs = oneofs
  }
}

extension MessageType {
  /// Returns the type of a message that holds one number, so that the number can be absent.
  ///
  /// - Parameter name: the name of the message, such as `Int32Value`.
  static func wrapper(_ name: String) -> MessageType {
    MessageType(fullName: "type.googleapis.com/google.protobuf." + name, ["value"])
  }
}

/// The values of an enum with their numbers.
struct EnumType: Sendable {
  static let prefix = "type.googleapis.com/google.firestore.v1."

  let name: String
  /// The names of the values. A value's number is its index.
  let values: [String]

  init(_ name: String, _ values: [String]) {
    self.name = EnumType.prefix + name
    self.values = values
  }
}
