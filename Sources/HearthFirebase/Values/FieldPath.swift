import Hearth

/// The path to a field through maps, name by name. In a text that stands for a path, dots separate
/// the names; here a name may contain dots.
public struct FieldPath: Sendable, Hashable {
  private let names: [UTF8Key]

  /// Creates a path from names. The first call that uses the path refuses one that breaks the rules
  /// of §1.1.
  public init(_ fieldNames: [String]) {
    names = fieldNames.map { UTF8Key($0) }
  }

  /// Returns the path of the document's own id, for filters and sorting.
  public static func documentID() -> FieldPath { FieldPath(["__name__"]) }

  /// Returns Hearth's field path.
  ///
  /// - Throws: `invalidArgument` if the path breaks the rules of §1.1.
  func storedPath() throws(DatabaseError) -> Hearth.FieldPath {
    try Hearth.FieldPath(names: names.map(\.string))
  }
}

/// A type that calls take as the name of a field: a text with dots or a ``FieldPath``.
protocol FieldNaming: Sendable {
  /// Returns Hearth's field path.
  ///
  /// - Throws: `invalidArgument` if it breaks the rules of §1.1.
  func storedPath() throws(DatabaseError) -> Hearth.FieldPath
}

extension FieldPath: FieldNaming {}

extension String: FieldNaming {
  func storedPath() throws(DatabaseError) -> Hearth.FieldPath {
    try Hearth.FieldPath(dotted: self)
  }
}

extension Hearth.FieldPath {
  /// Reads names separated by dots, as Firebase's SDKs do: without backticks, and with more
  /// characters in a name than the wire's syntax has.
  ///
  /// - Throws: `invalidArgument` with the SDKs' texts.
  init(dotted text: String) throws(DatabaseError) {
    guard !text.utf8.contains(where: { "~*/[]".utf8.contains($0) }) else {
      throw .invalidArgument(
        "Invalid field path (\(text)). Paths must not contain '~', '*', '/', '[', or ']'")
    }
    let names = text.split(separator: ".", omittingEmptySubsequences: false).map { String($0) }
    guard !names.contains(where: \.isEmpty) else {
      throw .invalidArgument(
        "Invalid field path (\(text)). Paths must not be empty, begin with '.', end with '.', or "
          + "contain '..'")
    }
    try self.init(names: names)
  }

  /// Reads a field as Firebase's calls take it: a text with dots or a ``FieldPath``.
  ///
  /// - Throws: `invalidArgument`, with the message `refusal` for other types.
  init(any field: Any, refusal: String) throws(DatabaseError) {
    switch field {
    case let text as String: try self.init(dotted: text)
    case let path as FieldPath: self = try path.storedPath()
    default: throw .invalidArgument(refusal)
    }
  }
}
