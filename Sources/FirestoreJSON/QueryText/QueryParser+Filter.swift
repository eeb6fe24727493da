import DocumentModel
import QueryPlanning

extension QueryParser {
  private static let example = "population > 1000000"

  /// What people write for an operator in other languages, and what to write instead.
  private static let replacements = [
    ("=", "write == for equality"), ("===", "write == for equality"), ("=>", "write >="),
    ("=<", "write <="), ("is", "write == null or == NaN"), ("contains", "write array-contains"),
    ("array_contains", "write array-contains"), ("arrayContains", "write array-contains"),
  ]

  private static let unsupportedOperators = [
    "!=", "!==", "<>", "!", "not", "in", "not-in", "array-contains-any",
  ]

  mutating func readFilter(depth: Int = 0) throws(QueryTextError) -> Filter {
    try checkDepth(depth)
    var filters = [try readTerm(depth: depth)]
    while token.isSymbol("&&") || token.isWord("and") {
      try advance()
      filters.append(try readTerm(depth: depth))
    }
    if token.isSymbol("||") || token.isWord("or") {
      throw error("\(text(of: token)) is not supported by this release")
    }
    if token.isSymbol("&") || token.isSymbol(",") { throw error("write && between conditions") }
    return filters.count == 1 ? filters[0] : .and(filters)
  }

  private mutating func readTerm(depth: Int) throws(QueryTextError) -> Filter {
    if token.isSymbol("!") { throw error("! is not supported by this release") }
    guard try skips(symbol: "(") else { return try readCondition() }
    let filter = try readFilter(depth: depth + 1)
    guard try skips(symbol: ")") else { throw error("expected && or )") }
    return filter
  }

  private mutating func readCondition() throws(QueryTextError) -> Filter {
    let path = try readFieldPath(example: QueryParser.example)
    let comparison = try readComparison()
    let value = try readOperand(of: path)
    guard token.isEnd || isBehindCondition else { throw error("expected && or the end") }
    switch (comparison, value) {
    case (.equal, .null): return .unary(path, .isNull)
    case (.equal, .double(let number)) where number.isNaN: return .unary(path, .isNaN)
    default: return .field(path, comparison, value)
    }
  }

  /// Whether the token is one that ``readFilter(depth:)`` has a word on.
  private var isBehindCondition: Bool {
    ["&&", "||", "&", ",", ")"].contains(where: token.isSymbol)
      || token.isWord("and") || token.isWord("or")
  }

  private mutating func readComparison() throws(QueryTextError) -> Filter.Comparison {
    let written = text(of: token)
    if let comparison = Filter.Comparison.allCases.first(where: { $0.rawValue.utf8Equal(written) })
    {
      try advance()
      return comparison
    }
    for (operation, replacement) in QueryParser.replacements where operation.utf8Equal(written) {
      throw error(replacement)
    }
    if QueryParser.unsupportedOperators.contains(where: { $0.utf8Equal(written) }) {
      throw error("\(written) is not supported by this release")
    }
    throw error("expected one of == < <= > >= array-contains, as in \(QueryParser.example)")
  }

  /// A value; where the field is `__name__`, a text names a document.
  mutating func readOperand(of path: FieldPath) throws(QueryTextError) -> Value {
    let first = token
    guard path.isDocumentID, case .string(let text) = first.kind else { return try readValue() }
    let name = try checking(first) { () throws(DatabaseError) in try scope.documentName(text) }
    try advance()
    return .reference(name)
  }
}
