import Hearth

/// The way to a field through maps, name by name. Where a text stands for a path, dots part the
/// names; here a name may have dots of its own.
public struct FieldPath: Sendable, Hashable {
  private let names: [UTF8Key]

  /// Paths that break the rules of §1.1 are refused by the first call that uses them.
  public init(_ fieldNames: [String]) {
    names = fieldNames.map { UTF8Key($0) }
  }

  /// The document's own id, to filter and sort by.
  public static func documentID() -> FieldPath { FieldPath(["__name__"]) }

  /// - Throws: `invalidArgument` if it breaks the rules of §1.1.
  func stored() throws(DatabaseError) -> Hearth.FieldPath {
    try Hearth.FieldPath(names: names.map(\.string))
  }
}

extension Hearth.FieldPath {
  /// Reads names that are parted by dots, as Firebase's SDKs do: without backticks, and with more
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

  /// Reads what Firebase's calls take for a field: a text with dots or a ``FieldPath``.
  ///
  /// - Throws: `invalidArgument`, with `refusal` for anything else.
  init(any field: Any, refusal: String) throws(DatabaseError) {
    switch field {
    case let text as String: try self.init(dotted: text)
    case let path as FieldPath: self = try path.stored()
    default: throw .invalidArgument(refusal)
    }
  }
}
