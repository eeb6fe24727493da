/// A word of the language with its place.
struct Token {
  enum Kind: Equatable {
    /// A name or a reserved word.
    case word(String)
    case integer(String)
    case float(Double)
    case string(String)
    case bytes([UInt8])
    /// Bytes with an escape that bytes can't have, as they are written.
    case badBytes(String)
    /// A slash and the segment directly after it.
    case segment(String)
    case symbol(Symbol)
    /// A quote without its partner, or with an escape that there is not, and the text before that.
    case openString
    /// A character that is no part of the language.
    case stray
    case end
  }

  enum Symbol: String, CaseIterable {
    case and = "&&", or = "||", equal = "==", notEqual = "!=", lessOrEqual = "<="
    case greaterOrEqual = ">=", increment = "++", decrement = "--", stars = "**"
    case less = "<", greater = ">", assign = "=", not = "!", plus = "+", minus = "-", star = "*"
    case slash = "/", percent = "%", question = "?", colon = ":", semicolon = ";", comma = ","
    case dot = ".", leftParenthesis = "(", rightParenthesis = ")", leftBracket = "["
    case rightBracket = "]", leftBrace = "{", rightBrace = "}"
  }

  let kind: Kind
  /// The token as it is written.
  let text: String
  let range: SourceRange
  /// Whether it follows the token before it without a blank.
  let isAdjacent: Bool

  var position: SourcePosition { range.start }

  func isWord(_ word: String) -> Bool { kind == .word(word) }

  func isSymbol(_ symbol: Symbol) -> Bool { kind == .symbol(symbol) }
}

/// Words that can't be names of variables and functions.
enum ReservedWord {
  static let all: Set<String> = [
    "true", "false", "null", "in", "is", "if", "let", "return", "function", "match", "allow",
    "service", "import", "rules_version",
  ]
}
