/// What a message may hold, as far as its shape goes (§6.1).
struct MessageType: Sendable {
  /// Fields of which a message has one at most.
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
  /// A message of one number, which stands for it where it may be absent.
  ///
  /// - Parameter name: such as `Int32Value`.
  static func wrapper(_ name: String) -> MessageType {
    MessageType(fullName: "type.googleapis.com/google.protobuf." + name, ["value"])
  }
}

/// The values of an enum by their numbers.
struct EnumType: Sendable {
  static let prefix = "type.googleapis.com/google.firestore.v1."

  let name: String
  /// A value's number is its index here.
  let values: [String]

  init(_ name: String, _ values: [String]) {
    self.name = EnumType.prefix + name
    self.values = values
  }
}
