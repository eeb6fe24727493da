import DocumentModel
public import QueryPlanning

/// Conditions as a person types them: `countryCode == "JP" && population > 1000000`.
///
/// A condition is a field, an operator (`==` `<` `<=` `>` `>=` `array-contains`) and a value (see
/// ``ValueText``); `&&` or `and` joins conditions, and parentheses group them. A field is named by
/// its path, with backticks around names that are no plain words. `== null` and `== NaN` ask for
/// these values themselves (§2.4). A text compared with `__name__` is a document's id in the
/// queried collection or, with slashes, its path.
public enum WhereClause {
  /// - Throws: at the first character that is not understood.
  public static func parse(
    _ text: String, in scope: NameScope
  ) throws(QueryTextError) -> Filter {
    var parser = try QueryParser(text, in: scope)
    guard !parser.token.isEnd else {
      throw parser.error("expected a condition, such as population > 1000000")
    }
    let filter = try parser.readFilter()
    try parser.expectEnd()
    return filter
  }

  /// The filter as ``parse(_:in:)`` reads it.
  ///
  /// A comparison with null or NaN that matches nothing can't be typed; it is written as the test
  /// for that value.
  public static func text(of filter: Filter, in scope: NameScope) -> String {
    switch filter {
    case .field(let path, let comparison, let value):
      let operand = ValueText.text(ofOperand: value, of: path, in: scope)
      return "\(path) \(comparison.rawValue) \(operand)"
    case .unary(let path, .isNull): return "\(path) == null"
    case .unary(let path, .isNaN): return "\(path) == NaN"
    case .and(let filters):
      let parts = filters.map { part in
        let isConjunction = if case .and(let inner) = part { inner.count > 1 } else { false }
        return isConjunction ? "(\(text(of: part, in: scope)))" : text(of: part, in: scope)
      }
      return parts.filter { !$0.isEmpty }.joined(separator: " && ")
    }
  }
}
