import HearthDocumentModel

extension QueryParser {
  private static let functions = [
    "timestamp(\"2026-01-31T09:30:00Z\")", "bytes(\"aGVhcnRo\")", "reference(\"users/alice\")",
    "geopoint(35.6, 139.7)", "vector(1.0, 2.0)",
  ]

  /// Reads values that are separated by commas.
  mutating func readValues(until closing: String?, depth: Int) throws(QueryTextError) -> [Value] {
    if let closing, try skips(symbol: closing) { return [] }
    var values: [Value] = []
    repeat {
      values.append(try readValue(depth: depth))
    } while try skips(symbol: ",")
    if let closing {
      guard try skips(symbol: closing) else { throw error("expected , or \(closing)") }
    }
    return values
  }

  mutating func readValue(depth: Int = 0) throws(QueryTextError) -> Value {
    try checkDepth(depth)
    let first = token
    switch first.kind {
    case .string(let string):
      try advance()
      return .string(string)
    case .number(let number):
      try advance()
      return number
    case .name: return try readWord(depth: depth)
    case .symbol("["):
      try advance()
      return .array(try readValues(until: "]", depth: depth + 1))
    case .symbol("{"):
      try advance()
      return .map(try readMap(depth: depth + 1))
    default: throw error("expected a value, such as \"text\", 42, 1.5, true or null")
    }
  }

  /// Reads a constant, or a call of one of the functions for types without a literal.
  private mutating func readWord(depth: Int) throws(QueryTextError) -> Value {
    let name = try advance()
    if token.isSymbol("(") { return try readCall(of: name, depth: depth) }
    switch name.word {
    case "true": return true
    case "false": return false
    case "null": return .null
    case "NaN": return .double(.nan)
    case "Infinity": return .double(.infinity)
    default:
      throw error("a text is written in quotes: \"\(text(of: name))\"", at: name)
    }
  }

  private mutating func readCall(of name: QueryToken, depth: Int) throws(QueryTextError) -> Value {
    try advance()
    let argument = token
    let arguments = try readValues(until: ")", depth: depth + 1)
    switch (name.word, arguments.first, arguments.count) {
    case ("timestamp", .string(let text)?, 1):
      return .timestamp(
        try checking(argument) { () throws(DatabaseError) in try Timestamp(rfc3339: text) })
    case ("reference", .string(let text)?, 1):
      return .reference(
        try checking(argument) { () throws(DatabaseError) in try scope.reference(text) })
    case ("bytes", .string(let text)?, 1):
      guard let bytes = Base64.bytes(text) else { throw error("this is no base64", at: argument) }
      return .bytes(bytes)
    case ("geopoint", _, 2):
      guard let degrees = numbers(arguments) else { break }
      return .geoPoint(
        try checking(argument) { () throws(DatabaseError) in
          try GeoPoint(latitude: degrees[0], longitude: degrees[1])
        })
    case ("vector", _, _):
      guard let elements = numbers(arguments) else { break }
      return .vector(elements)
    default: break
    }
    let known = QueryParser.functions.first { $0.utf8.starts(with: "\(text(of: name))(".utf8) }
    throw error(
      known.map { "write it as \($0)" }
        ?? "the functions are \(QueryParser.functions.joined(separator: ", "))", at: name)
  }

  private func numbers(_ values: [Value]) -> [Double]? {
    var numbers: [Double] = []
    for value in values {
      switch value {
      case .integer(let number): numbers.append(Double(number))
      case .double(let number): numbers.append(number)
      default: return nil
      }
    }
    return numbers
  }

  private mutating func readMap(depth: Int) throws(QueryTextError) -> MapValue {
    var fields: [(String, Value)] = []
    if try skips(symbol: "}") { return MapValue() }
    repeat {
      let name = try readMapName()
      try expect(symbol: ":")
      fields.append((name, try readValue(depth: depth)))
    } while try skips(symbol: ",")
    guard try skips(symbol: "}") else { throw error("expected , or }") }
    return MapValue(fields)
  }

  private mutating func readMapName() throws(QueryTextError) -> String {
    switch token.kind {
    case .string(let name):
      try advance()
      return name
    case .name(let names)
    where names.count == 1 && (names[0].isQuoted || names[0].text.isPlainFieldName):
      try advance()
      return names[0].text
    default: throw error("expected a name, in quotes where it is more than a word")
    }
  }
}
