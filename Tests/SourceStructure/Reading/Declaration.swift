/// A member of a type, or a function or variable of a file, as the source declares it.
struct Declaration: Sendable {
  enum Kind {
    case function, initializer, subscripting, variable, enumCase
  }

  var kind: Kind
  var name: String
  /// Type of which it is a member, without the types around it; `nil` at the top of a file.
  var owner: String?
  /// Whether no other file can name it.
  var isPrivate: Bool
  /// The words after its keyword, body included.
  var words: [String]
}

/// A type's declaration, or an extension of one.
struct TypeDeclaration: Sendable {
  enum Kind {
    case type, protocolType, alias, extensionOfType
  }

  var kind: Kind
  var name: String
  var isPrivate: Bool
  /// The names after the colon of its header.
  var parents: [String]
}
