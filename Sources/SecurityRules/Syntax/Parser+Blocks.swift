// Services, matches, statements and functions.
extension Parser {
  mutating func service() throws(Stop) -> ServiceSyntax {
    advance()
    let first = try name()
    var text = first.text
    while skip(.dot) { text += "." + (try name().text) }
    let range = first.range.through(previous.range)
    var service = ServiceSyntax(name: Name(text: text, range: range))
    try expect(.leftBrace)
    while !current.isSymbol(.rightBrace) {
      if current.isWord("function") {
        service.functions.append(try function())
      } else if current.isWord("match") {
        service.matches.append(try match())
      } else {
        throw unexpectedDeclaration(isFirst: service.functions.isEmpty && service.matches.isEmpty)
      }
    }
    if service.functions.isEmpty, service.matches.isEmpty {
      report(
        "The 'service' body must contain at least one declaration.", at: current.range)
    }
    try expect(.rightBrace)
    return service
  }

  private mutating func match() throws(Stop) -> MatchSyntax {
    let start = current.range
    advance()
    guard openPaths.count < Parser.heightLimit else {
      throw stop("Maximum allowed resource rule depth of 10 is reached.", at: start)
    }
    let pathRange = current.range
    let path = try matchPath()
    var match = MatchSyntax(path: path, range: start)
    openPaths.append(pathRange)
    try expect(.leftBrace)
    while !current.isSymbol(.rightBrace) {
      if current.isWord("function") {
        match.functions.append(try function())
      } else if current.isWord("match") {
        match.matches.append(try self.match())
      } else if current.isWord("allow") {
        match.statements.append(try allow())
      } else {
        throw unexpectedDeclaration(isFirst: match.declaresNothing)
      }
    }
    if match.declaresNothing {
      report("The 'match' body must contain at least one declaration.", at: current.range)
    }
    try expect(.rightBrace)
    openPaths.removeLast()
    return match
  }

  /// Stops at a word that begins no declaration. If it is the first in a block, the place is the
  /// block's path, as in production.
  private mutating func unexpectedDeclaration(isFirst: Bool) -> Stop {
    if case .segment = current.kind {
      return stop("Missing 'match' keyword before path.", at: current.range)
    }
    if case .word(let word) = current.kind, !ReservedWord.all.contains(word),
      isFirst, let path = openPaths.last
    {
      return stop("Unexpected '\(word)'.", at: path)
    }
    return unexpected()
  }

  private mutating func matchPath() throws(Stop) -> [(MatchSyntax.Segment, SourceRange)] {
    let start = current.range
    var path: [(MatchSyntax.Segment, SourceRange)] = []
    while true {
      if case .segment(let text) = current.kind {
        path.append((.text(text), current.range))
        advance()
      } else if current.isSymbol(.slash) {
        path.append(try matchVariable(in: start))
      } else {
        break
      }
    }
    guard !path.isEmpty else { throw unexpected() }
    guard current.isSymbol(.leftBrace) else {
      throw stop("Missing 'match' keyword before path.", at: start)
    }
    return path
  }

  private mutating func matchVariable(
    in path: SourceRange
  ) throws(Stop) -> (MatchSyntax.Segment, SourceRange) {
    let slash = current.range
    advance()
    guard current.isSymbol(.leftBrace), current.isAdjacent, !following.isSymbol(.rightBrace) else {
      let isComputed = current.isWord("$")
      throw stop(
        "Forward slash '/' found where identifier or binding expected.",
        at: isComputed ? path : slash)
    }
    advance()
    guard case .word(let text) = current.kind, !ReservedWord.all.contains(text) else {
      throw unexpected()
    }
    let name = Name(text: text, range: current.range)
    advance()
    var segment = MatchSyntax.Segment.variable(name)
    if skip(.assign) {
      if skip(.stars) {
        segment = .glob(name)
      } else if !skip(.star) {
        throw stop("Missing 'match' keyword before path.", at: path)
      }
    }
    guard skip(.rightBrace) else {
      throw stop("Missing 'match' keyword before path.", at: path)
    }
    return (segment, slash)
  }

  private mutating func allow() throws(Stop) -> AllowSyntax {
    let start = current.range
    advance()
    var methods: [Name] = []
    guard case .word = current.kind else {
      throw stop("Expected at least one 'operation' after 'allow'.", at: current.range)
    }
    repeat { methods.append(try name()) } while skip(.comma)
    var condition: ExpressionSyntax?
    if current.isWord("if") {
      throw stop("Missing ':' before 'if' condition.", at: current.range)
    }
    if skip(.colon) {
      guard skip(word: "if") else {
        throw stop("Missing 'if' before conditional expression.", at: current.range)
      }
      condition = try self.condition()
    }
    if !skip(.semicolon), !endsStatement { throw unexpected() }
    return AllowSyntax(
      methods: methods, condition: condition, range: start.through(previous.range))
  }

  private mutating func condition() throws(Stop) -> ExpressionSyntax {
    guard current.beginsExpression else {
      if current.isSymbol(.increment) || current.isSymbol(.decrement) { throw unexpected() }
      if current.kind == .openString || current.kind == .stray { throw unexpected() }
      throw stop("Missing conditional expression after 'if'.", at: current.range)
    }
    return try wholeExpression()
  }

  /// Whether a statement may end before the current token.
  private var endsStatement: Bool {
    current.isSymbol(.rightBrace) || current.isWord("allow") || current.isWord("match")
      || current.isWord("function")
  }

  mutating func function() throws(Stop) -> FunctionSyntax {
    advance()
    guard case .word(let text) = current.kind, !ReservedWord.all.contains(text) else {
      throw stop("Missing 'function' id", at: current.range)
    }
    let name = Name(text: text, range: current.range)
    advance()
    guard skip(.leftParenthesis) else {
      throw stop("Missing 'function' signature", at: current.range)
    }
    var parameters: [Name] = []
    if !skip(.rightParenthesis) {
      repeat { parameters.append(try self.name()) } while skip(.comma)
      try expect(.rightParenthesis)
    }
    try expect(.leftBrace)
    if current.isSymbol(.rightBrace) {
      throw stop("Missing 'function' body", at: current.range)
    }
    let start = current.range
    let variables = try variables()
    let isPlain = variables.isEmpty
    try expect(word: "return")
    let result = try wholeExpression()
    _ = skip(.semicolon)
    try expect(.rightBrace)
    return FunctionSyntax(
      name: name, parameters: parameters, variables: variables, result: result,
      body: isPlain ? result.range : start.through(result.range))
  }
}

extension Parser {
  private mutating func variables() throws(Stop) -> [VariableSyntax] {
    var variables: [VariableSyntax] = []
    while current.isWord("let") {
      let start = current.range
      advance()
      let name = try name()
      try expect(.assign)
      let value = try wholeExpression()
      variables.append(
        VariableSyntax(name: name, value: value, range: start.through(value.range)))
      try expect(.semicolon)
    }
    return variables
  }
}

extension Token {
  /// Whether an expression may begin with the token.
  var beginsExpression: Bool {
    switch kind {
    case .word(let word):
      !ReservedWord.all.contains(word) || ["true", "false", "null"].contains(word)
    case .integer, .float, .string, .bytes, .badBytes, .segment: true
    case .symbol(let symbol):
      [.not, .minus, .slash, .leftParenthesis, .leftBracket, .leftBrace].contains(symbol)
    case .openString, .stray, .end: false
    }
  }
}
