import HearthDocumentModel

/// The text of a request or a message. It is JSON with two additions: a comma may follow the last
/// member or item, and an empty text is the empty message (§6.1).
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

  /// Returns production's words, followed by the text from the place on. The error's cause has the
  /// more precise words of Hearth.
  private static func text(of error: JSONError, in bytes: [UInt8]) -> String {
    let rest = bytes.dropFirst(error.offset).prefix(shownByteCount)
    let line = rest.prefix { $0 != UInt8(ascii: "\n") }
    let reason =
      rest.isEmpty ? "Unexpected end of string. Expected a value." : "Unexpected token."
    return "Invalid JSON payload received. \(reason)\n\(String(decoding: line, as: UTF8.self))\n^"
  }
}
