/// A member of a type, or a function or variable of a file, as it stands in the source.
struct Declaration: Sendable {
  enum Kind {
    case function, initializer, subscripting, variable, enumCase
  }

  var kind: Kind
  var name: String
  /// The type that it is a member of, without the types around it; `nil` at the top of a file.
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
