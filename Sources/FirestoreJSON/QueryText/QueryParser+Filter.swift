import HearthDocumentModel
import HearthQueryPlanning

extension QueryParser {
  private static let example = "population > 1000000"

  /// The operators of other languages, with advice on the form to write instead.
  private static let replacements = [
    ("=", "write == for equality"), ("===", "write == for equality"), ("=>", "write >="),
    ("=<", "write <="), ("is", "write == null, != null, == NaN or != NaN"), ("<>", "write !="),
    ("!==", "write !="), ("contains", "write array-contains"),
    ("array_contains", "write array-contains"), ("arrayContains", "write array-contains"),
    ("array_contains_any", "write array-contains-any"),
    ("arrayContainsAny", "write array-contains-any"), ("not_in", "write not-in"),
    ("notIn", "write not-in"), ("not", "write not-in"),
  ]

  /// Reads alternatives, each of which may be a conjunction: `&&` binds closer than `||`.
  mutating func readFilter(depth: Int = 0) throws(QueryTextError) -> Filter {
    try checkDepth(depth)
    var filters = [try readConjunction(depth: depth)]
    while token.isSymbol("||") || token.isWord("or") {
      try advance()
      filters.append(try readConjunction(depth: depth))
    }
    if token.isSymbol("&") || token.isSymbol(",") { throw error("write && between conditions") }
    if token.isSymbol("|") { throw error("write || between alternatives") }
    return filters.count == 1 ? filters[0] : .or(filters)
  }

  private mutating func readConjunction(depth: Int) throws(QueryTextError) -> Filter {
    var filters = [try readTerm(depth: depth)]
    while token.isSymbol("&&") || token.isWord("and") {
      try advance()
      filters.append(try readTerm(depth: depth))
    }
    return filters.count == 1 ? filters[0] : .and(filters)
  }

  private mutating func readTerm(depth: Int) throws(QueryTextError) -> Filter {
    if token.isSymbol("!") { throw error("there is no negation: write != or not-in") }
    guard try skips(symbol: "(") else { return try readCondition() }
    let filter = try readFilter(depth: depth + 1)
    guard try skips(symbol: ")") else { throw error("expected &&, || or )") }
    return filter
  }

  private mutating func readCondition() throws(QueryTextError) -> Filter {
    let path = try readFieldPath(example: QueryParser.example)
    let comparison = try readComparison()
    let value = try readOperand(of: path, comparison)
    guard token.isEnd || isBehindCondition || isBeforeClause else {
      throw error("expected &&, || or the end")
    }
    switch (comparison, value) {
    case (.equal, .null): return .unary(path, .isNull)
    case (.notEqual, .null): return .unary(path, .isNotNull)
    case (.equal, _) where value.isNaN: return .unary(path, .isNaN)
    case (.notEqual, _) where value.isNaN: return .unary(path, .isNotNaN)
    default: return .field(path, comparison, value)
    }
  }

  /// Whether the token may follow a condition in ``readFilter(depth:)``, or is refused there.
  private var isBehindCondition: Bool {
    ["&&", "||", "&", "|", ",", ")"].contains(where: token.isSymbol)
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
    throw error(
      "expected one of == != < <= > >= in not-in array-contains array-contains-any, as in "
        + QueryParser.example)
  }

  /// Reads the operand of a comparison: a list of values if the operator takes one.
  private mutating func readOperand(
    of path: FieldPath, _ comparison: Filter.Comparison
  ) throws(QueryTextError) -> Value {
    guard comparison.takesList else { return try readOperand(of: path) }
    guard try skips(symbol: "[") else {
      throw error("\(comparison.rawValue) takes a list, such as [1, 2]")
    }
    var values: [Value] = []
    if try skips(symbol: "]") { return .array([]) }
    repeat {
      values.append(try readOperand(of: path))
    } while try skips(symbol: ",")
    guard try skips(symbol: "]") else { throw error("expected , or ]") }
    return .array(values)
  }

  /// Reads a value. If the field is `__name__`, a text names a document.
  mutating func readOperand(of path: FieldPath) throws(QueryTextError) -> Value {
    let first = token
    guard path.isDocumentID, case .string(let text) = first.kind else { return try readValue() }
    let name = try checking(first) { () throws(DatabaseError) in try scope.documentName(text) }
    try advance()
    return .reference(name)
  }
}
