import DocumentModel

/// The text of a request or a message: JSON, but that a comma may stand behind the last member or
/// item, and that no text at all is the empty message (§6.1).
enum ProtocolText {
  private static let shownByteCount = 20

  static func json(_ bytes: [UInt8]) throws(DatabaseError) -> JSONValue {
    if bytes.isEmpty { return .object([]) }
    do {
      return try JSONValue(parsing: bytes, takesTrailingCommas: true)
    } catch {
      throw DatabaseError(.invalidArgument, text(of: error, in: bytes), cause: error)
    }
  }

  /// Production's words, with the text from the place on; our own more precise ones are the error's
  /// cause.
  private static func text(of error: JSONError, in bytes: [UInt8]) -> String {
    let rest = bytes.dropFirst(error.offset).prefix(shownByteCount)
    let line = rest.prefix { $0 != UInt8(ascii: "\n") }
    let reason =
      rest.isEmpty ? "Unexpected end of string. Expected a value." : "Unexpected token."
    return "Invalid JSON payload received. \(reason)\n\(String(decoding: line, as: UTF8.self))\n^"
  }
}
