package import HearthDocumentModel

/// The words of the first command of a text, as a POSIX shell splits it: with single and double
/// quotes, backslashes, comments, and lines that continue after a backslash. Line ends may be of
/// any kind. Nothing is expanded.
package enum ShellWords {
  /// - Throws: `invalidArgument` for a quote without an end.
  package static func words(of text: some StringProtocol) throws(DatabaseError) -> [String] {
    var words: [String] = []
    var word: String.UnicodeScalarView?
    var quote: Unicode.Scalar?
    var scalars = Array(text.unicodeScalars)[...]
    while let scalar = scalars.popFirst() {
      // A line end of two characters counts as one.
      if scalar == "\r", scalars.first == "\n" { continue }
      switch (quote, scalar) {
      case ("'", "'"), ("\"", "\""): quote = nil
      case ("\"", "\\"):
        guard let next = scalars.popEscaped() else { throw unfinished(quote) }
        // Before any other character, a backslash in double quotes stands for itself.
        if !"\"\\$`\n".unicodeScalars.contains(next) { word.append("\\") }
        if next != "\n" { word.append(next) }
      case (.some, _): word.append(scalar)
      case (nil, "'"), (nil, "\""):
        quote = scalar
        word = word ?? String.UnicodeScalarView()
      case (nil, "\\"):
        guard let next = scalars.popEscaped(), next != "\n" else { continue }
        word.append(next)
      case (nil, "#") where word == nil:
        scalars = scalars.drop { $0 != "\n" }
      case (nil, " "), (nil, "\t"), (nil, "\n"), (nil, "\r"):
        if let ended = word { words.append(String(ended)) }
        word = nil
        if scalar == "\n", !words.isEmpty { return words }
      default: word.append(scalar)
      }
    }
    guard quote == nil else { throw unfinished(quote) }
    if let word { words.append(String(word)) }
    return words
  }

  private static func unfinished(_ quote: Unicode.Scalar?) -> DatabaseError {
    .invalidArgument("The command has a \(quote.map { String($0) } ?? "quote") without its end.")
  }
}

extension ArraySlice<Unicode.Scalar> {
  /// Removes and returns the character after a backslash. A line end of two characters counts as
  /// one.
  fileprivate mutating func popEscaped() -> Unicode.Scalar? {
    guard let first = popFirst() else { return nil }
    return first == "\r" && self.first == "\n" ? popFirst() : first
  }
}

extension String.UnicodeScalarView? {
  fileprivate mutating func append(_ scalar: Unicode.Scalar) {
    var view = self ?? String.UnicodeScalarView()
    self = nil
    view.append(scalar)
    self = view
  }
}
