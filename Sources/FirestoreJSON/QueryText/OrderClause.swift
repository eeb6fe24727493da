import HearthDocumentModel
public import HearthQueryPlanning

/// Sort orders as a person types them: `population desc, name`.
///
/// Each is a field's path and `asc` (the default) or `desc`.
public enum OrderClause {
  /// - Throws: an error at the first character that can't be read.
  public static func parse(_ text: String) throws(QueryTextError) -> [Order] {
    var parser = try QueryParser(text, in: NameScope(.default, collection: nil))
    let orders = try parser.readOrders()
    try parser.expectEnd()
    return orders
  }

  /// Returns the text that ``parse(_:)`` reads as `orders`.
  public static func text(of orders: [Order]) -> String {
    orders.map { order in
      switch order.direction {
      case .ascending: order.field.description
      case .descending: "\(order.field) desc"
      }
    }
    .joined(separator: ", ")
  }
}

extension QueryParser {
  mutating func readOrders() throws(QueryTextError) -> [Order] {
    var orders: [Order] = []
    repeat {
      let field = try readFieldPath(example: "population desc, name")
      orders.append(Order(field, try readDirection()))
    } while try skips(symbol: ",")
    return orders
  }

  private mutating func readDirection() throws(QueryTextError) -> SortDirection {
    if token.isEnd || token.isSymbol(",") || isBeforeClause { return .ascending }
    let isAscending = token.isWord("asc") || token.isWord("ascending")
    guard isAscending || token.isWord("desc") || token.isWord("descending") else {
      throw error("expected asc, desc or a comma")
    }
    try advance()
    return isAscending ? .ascending : .descending
  }
}
