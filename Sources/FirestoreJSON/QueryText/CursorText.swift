public import HearthDocumentModel
public import HearthQueryPlanning

/// A position where a query starts or ends, as a person types it: `1000000, "x"`. It has one value
/// for each of the first fields that the query is ordered by (§4.6).
public enum CursorText {
  /// - Parameter orders: the query's explicit orders. A text in the place of `__name__` names a
  ///   document.
  /// - Throws: an error at the first character that can't be read.
  public static func parse(
    _ text: String, orders: [Order], in scope: NameScope
  ) throws(QueryTextError) -> [Value] {
    var parser = try QueryParser(text, in: scope)
    let values = try parser.readCursorValues(orders: orders)
    try parser.expectEnd()
    return values
  }

  /// Returns the text that ``parse(_:orders:in:)`` reads as `values`.
  public static func text(of values: [Value], orders: [Order], in scope: NameScope) -> String {
    text(of: values, orders: orders, .written(in: scope))
  }

  static func text(of values: [Value], orders: [Order], _ form: ValueForm) -> String {
    values.enumerated().map { index, value in
      form.text(of: value, of: index < orders.count ? orders[index].field : nil)
    }
    .joined(separator: ", ")
  }
}

extension QueryParser {
  mutating func readCursorValues(orders: [Order]) throws(QueryTextError) -> [Value] {
    var values: [Value] = []
    repeat {
      guard values.count < orders.count else {
        throw error("there are more values than fields to order by")
      }
      values.append(try readOperand(of: orders[values.count].field))
    } while try skips(symbol: ",")
    return values
  }
}
