import HearthDocumentModel

/// The smallest meaningful piece of a query's text.
struct QueryToken {
  enum Kind {
    /// Names joined by dots: a field path, a keyword or `array-contains`.
    case name([FieldName])
    case string(String)
    case number(Value)
    /// A symbol such as `&&`, `<=` or `(`. Symbols that no query contains are included, so that
    /// errors can name them.
    case symbol(String)
    case end
  }

  struct FieldName {
    let text: String
    /// Whether the name was written in backticks.
    let isQuoted: Bool
  }

  let kind: Kind
  /// The range in the text, in bytes of UTF-8.
  let range: Range<Int>

  var isEnd: Bool {
    if case .end = kind { true } else { false }
  }

  func isSymbol(_ symbol: String) -> Bool {
    if case .symbol(symbol) = kind { true } else { false }
  }

  /// The token as one bare word of ASCII; `nil` for any other token.
  var word: String? {
    guard
      case .name(let names) = kind, names.count == 1, !names[0].isQuoted,
      names[0].text.utf8.allSatisfy({ $0 < 0x80 })
    else { return nil }
    return names[0].text
  }

  /// Whether the token is `word`, in lower or upper case.
  func isWord(_ word: String) -> Bool {
    guard let own = self.word?.utf8 else { return false }
    return own.elementsEqual(word.utf8) { letter, expected in
      letter == expected || ((65...90).contains(letter) && letter | 0x20 == expected)
    }
  }
}
