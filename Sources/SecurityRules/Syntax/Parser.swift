/// Reads a file of rules into its tree.
///
/// It stops at the first place that is not the language. Faults of what it could read before that,
/// such as an empty block, are gathered.
struct Parser {
  /// The end of the reading: the fault is among the issues.
  struct Stop: Error {}

  /// The deepest nesting of an expression, parentheses included.
  static let heightLimit = 99
  /// The longest chain of operators that is read at all, so that no tree is too high to walk.
  static let chainLimit = 1_000

  private let tokens: [Token]
  /// The first character that is no part of the language.
  private let dropped: Token?
  private var index = 0
  var issues: [RulesIssue] = []
  /// The number of expressions around the current one.
  var depth = 0
  /// The places of the paths of the blocks around the current place.
  var openPaths: [SourceRange] = []

  init(_ text: String) {
    (tokens, dropped) = Lexer.tokens(of: text)
  }

  /// Reads `text`.
  ///
  /// - Returns: the tree, or `nil` if it is not complete, and all faults.
  static func parse(_ text: String) -> (file: RulesFile?, issues: [RulesIssue]) {
    var parser = Parser(text)
    let file = try? parser.file()
    if parser.issues.isEmpty, let stray = parser.dropped {
      parser.report("Unexpected '\(stray.text)'.", at: stray.range)
    }
    return (file, parser.issues)
  }

  // MARK: Tokens

  var current: Token { tokens[index] }

  /// The token after the current one.
  var following: Token { tokens[min(index + 1, tokens.count - 1)] }

  /// The token before the current one.
  var previous: Token { tokens[max(index - 1, 0)] }

  mutating func advance() {
    if index < tokens.count - 1 { index += 1 }
  }

  mutating func skip(_ symbol: Token.Symbol) -> Bool {
    guard current.isSymbol(symbol) else { return false }
    advance()
    return true
  }

  mutating func skip(word: String) -> Bool {
    guard current.isWord(word) else { return false }
    advance()
    return true
  }

  mutating func expect(_ symbol: Token.Symbol) throws(Stop) {
    if !skip(symbol) { throw unexpected() }
  }

  mutating func expect(word: String) throws(Stop) {
    if !skip(word: word) { throw unexpected() }
  }

  /// Reads a name that is no reserved word.
  mutating func name() throws(Stop) -> Name {
    guard case .word(let text) = current.kind, !ReservedWord.all.contains(text) else {
      throw unexpected()
    }
    defer { advance() }
    return Name(text: text, range: current.range)
  }

  // MARK: Faults

  mutating func report(_ description: String, at range: SourceRange) {
    issues.append(RulesIssue(.error, description, at: range))
  }

  mutating func stop(_ description: String, at range: SourceRange) -> Stop {
    report(description, at: range)
    return Stop()
  }

  mutating func unexpected() -> Stop {
    if current.kind == .openString {
      return stop("Missing a closing \(current.text.prefix(1))", at: placeAfterOpenString)
    }
    if current.isSymbol(.increment) || current.isSymbol(.decrement) {
      return stop(
        "Increment (++) and decrement (--) operators are not supported.", at: following.range)
    }
    let text = current.kind == .end ? "<EOF>" : current.text
    return stop("Unexpected '\(text)'.", at: current.range)
  }

  /// The place of the first token of the language after the string without an end.
  private var placeAfterOpenString: SourceRange {
    var place = index + 1
    while place < tokens.count - 1, tokens[place].kind == .stray { place += 1 }
    return tokens[min(place, tokens.count - 1)].range
  }

  // MARK: The file

  private mutating func file() throws(Stop) -> RulesFile {
    var file = RulesFile()
    if skip(word: "rules_version") { file.version = try version() }
    while true {
      if current.isWord("import") {
        try skipImport()
      } else if current.isWord("function") {
        file.functions.append(try function())
      } else {
        break
      }
    }
    repeat {
      guard current.isWord("service") || current.isWord("function") else { throw unexpected() }
      if current.isWord("function") {
        file.functions.append(try function())
      } else {
        file.services.append(try service())
      }
    } while current.kind != .end
    guard !file.services.isEmpty else { throw unexpected() }
    return file
  }

  private mutating func version() throws(Stop) -> Int {
    let start = previous.range
    try expect(.assign)
    guard case .string(let text) = current.kind else { throw unexpected() }
    advance()
    _ = skip(.semicolon)
    switch text {
    case "1": return 1
    case "2": return 2
    default: throw stop("Unsupported rules version \(text).", at: start)
    }
  }

  private mutating func skipImport() throws(Stop) {
    report("Import statements are not allowed.", at: current.range)
    advance()
    guard case .string(let text) = current.kind else { throw unexpected() }
    report(
      "Module \"\(text)\" is not part of the standard library.",
      at: previous.range)
    advance()
    _ = skip(.semicolon)
  }
}
