import HearthDocumentModel

// Literals, names, calls, and what stands in brackets.
extension Parser {
  mutating func primary() throws(Stop) -> ExpressionSyntax {
    let range = current.range
    switch current.kind {
    case .integer(let digits):
      advance()
      guard let value = Int64(digits) else {
        report("Invalid number literal \(digits).", at: range)
        return ExpressionSyntax(.int(0), range)
      }
      return ExpressionSyntax(.int(value), range)
    case .float(let value): return literal(.float(value))
    case .string(let text): return literal(.string(text))
    case .bytes(let bytes): return literal(.bytes(bytes))
    case .badBytes(let text):
      report("Invalid bytes literal \(text).", at: range)
      return literal(.bytes([]))
    case .segment, .symbol(.slash): return try path()
    case .symbol(.leftParenthesis):
      advance()
      let inner = try expression()
      try expect(.rightParenthesis)
      return ExpressionSyntax(.parentheses(inner), range.through(previous.range))
    case .symbol(.leftBracket): return try list()
    case .symbol(.leftBrace): return try map()
    case .word(let word): return try named(word)
    default: throw unexpected()
    }
  }

  private mutating func literal(_ kind: ExpressionSyntax.Kind) -> ExpressionSyntax {
    defer { advance() }
    return ExpressionSyntax(kind, current.range)
  }

  private mutating func named(_ word: String) throws(Stop) -> ExpressionSyntax {
    switch word {
    case "true": return literal(.bool(true))
    case "false": return literal(.bool(false))
    case "null": return literal(.null)
    default: break
    }
    let name = try name()
    guard current.isSymbol(.leftParenthesis) else {
      return ExpressionSyntax(.variable(name.text), name.range)
    }
    advance()
    var arguments: [ExpressionSyntax] = []
    if !skip(.rightParenthesis) {
      repeat { arguments.append(try expression()) } while skip(.comma)
      try expect(.rightParenthesis)
    }
    return ExpressionSyntax(.call(name, arguments), name.range.through(previous.range))
  }

  private mutating func list() throws(Stop) -> ExpressionSyntax {
    let start = current.range
    advance()
    var elements: [ExpressionSyntax] = []
    while !skip(.rightBracket) {
      elements.append(try expression())
      guard skip(.comma) || current.isSymbol(.rightBracket) else { throw unexpected() }
    }
    return ExpressionSyntax(.list(elements), start.through(previous.range))
  }

  private mutating func map() throws(Stop) -> ExpressionSyntax {
    let start = current.range
    advance()
    var pairs: [(key: ExpressionSyntax, value: ExpressionSyntax)] = []
    while !skip(.rightBrace) {
      let key = try expression()
      try expect(.colon)
      pairs.append((key, try expression()))
      guard skip(.comma) || current.isSymbol(.rightBrace) else { throw unexpected() }
    }
    return ExpressionSyntax(.map(pairs), start.through(previous.range))
  }

  private mutating func path() throws(Stop) -> ExpressionSyntax {
    let start = current.range
    var segments: [PathSegmentSyntax] = []
    while true {
      if case .segment(let text) = current.kind {
        segments.append(.text(text))
        advance()
      } else if current.isSymbol(.slash), following.isWord("$"), following.isAdjacent {
        advance()
        advance()
        try expect(.leftParenthesis)
        segments.append(.computed(try expression()))
        guard skip(.rightParenthesis) else {
          throw stop("Missing 'match' keyword before path.", at: start)
        }
      } else {
        break
      }
    }
    guard !segments.isEmpty else { throw unexpectedSlash() }
    return ExpressionSyntax(.path(segments), start.through(previous.range))
  }

  private mutating func unexpectedSlash() -> Stop {
    stop("Forward slash '/' found where identifier or binding expected.", at: current.range)
  }
}
