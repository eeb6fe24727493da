import HearthDocumentModel

/// Reads a query's text by recursive descent, one token ahead.
///
/// Its grammar:
/// ```
/// filter = conjunction { ("||" | "or") conjunction }
/// conjunction = term { ("&&" | "and") term }
/// term   = "(" filter ")" | path operator value
/// orders = path ["asc" | "desc"] { "," path ["asc" | "desc"] }
/// values = value { "," value }
/// value  = string | number | word | function "(" [values] ")"
///        | "[" [values] "]" | "{" [name ":" value { "," name ":" value }] "}"
/// ```
struct QueryParser {
  /// The deepest nesting of parentheses, arrays and maps.
  static let maximumDepth = 64

  var scope: NameScope
  /// Whether the text is a whole query, and not a single clause.
  var hasClauses = false
  /// The next token, not read yet.
  private(set) var token: QueryToken
  private var lexer: QueryLexer

  /// - Parameter offset: the number of bytes to skip at the beginning of `text`.
  init(
    _ text: String, from offset: Int = 0, in scope: NameScope
  ) throws(QueryTextError) {
    self.scope = scope
    lexer = QueryLexer(text, from: offset)
    token = try lexer.next()
  }

  func error(_ message: String, at token: QueryToken? = nil) -> QueryTextError {
    lexer.error(message, at: (token ?? self.token).range.lowerBound)
  }

  /// Returns the text of the token.
  func text(of token: QueryToken) -> String {
    let bytes = lexer.text.utf8.dropFirst(token.range.lowerBound).prefix(token.range.count)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Moves to the next token, and returns the current one.
  @discardableResult
  mutating func advance() throws(QueryTextError) -> QueryToken {
    let current = token
    token = try lexer.next()
    return current
  }

  /// Whether a clause of a whole query begins here; always `false` in the text of a single clause.
  var isBeforeClause: Bool {
    hasClauses && QueryClause.allCases.contains { token.isWord($0.words[0]) }
  }

  /// Skips `symbol` if it is next. Returns whether it was.
  mutating func skips(symbol: String) throws(QueryTextError) -> Bool {
    guard token.isSymbol(symbol) else { return false }
    try advance()
    return true
  }

  mutating func expect(symbol: String) throws(QueryTextError) {
    guard try skips(symbol: symbol) else { throw error("expected \(symbol)") }
  }

  func expectEnd() throws(QueryTextError) {
    guard token.isEnd else { throw error("expected the end of the text") }
  }

  func checkDepth(_ depth: Int) throws(QueryTextError) {
    guard depth <= QueryParser.maximumDepth else {
      throw error("nested deeper than \(QueryParser.maximumDepth) levels")
    }
  }

  /// Runs a check of the document model. Its error is reported at `token`.
  func checking<T>(
    _ token: QueryToken, _ make: () throws(DatabaseError) -> T
  ) throws(QueryTextError) -> T {
    do {
      return try make()
    } catch {
      throw self.error(error.message, at: token)
    }
  }

  /// Reads a path to a field. If there is none, the error shows `example`.
  mutating func readFieldPath(example: String) throws(QueryTextError) -> FieldPath {
    guard case .name(let names) = token.kind else {
      throw error("expected a field, as in \(example)")
    }
    for name in names where !name.isQuoted && !name.text.isPlainFieldName {
      throw error("the name \(name.text) is written in backticks: `\(name.text)`")
    }
    let path = try checking(token) { () throws(DatabaseError) in
      try FieldPath(names: names.map(\.text))
    }
    try advance()
    return path
  }
}
