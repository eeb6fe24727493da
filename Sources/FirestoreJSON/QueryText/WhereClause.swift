import HearthDocumentModel
public import HearthQueryPlanning

/// Conditions as a person types them: `countryCode == "JP" && population > 1000000`.
///
/// A condition is a field, an operator and a value (see ``ValueText``). The operators are `==` `!=`
/// `<` `<=` `>` `>=` `array-contains` and, with a list such as `[1, 2]`, `in`, `not-in` and
/// `array-contains-any`. `&&` or `and` joins conditions. `||` or `or` joins alternatives, and binds
/// less closely. Parentheses group them. A field is named by its path, with backticks around names
/// that are no plain words. `== null`, `== NaN` and their opposites with `!=` test for these values
/// themselves (§2.4). A text compared with `__name__` is a document's id in the queried collection
/// or, with slashes, its path.
public enum WhereClause {
  /// - Throws: an error at the first character that can't be read.
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

  /// Returns the text that ``parse(_:in:)`` reads as `filter`.
  ///
  /// A filter that can't be typed is written in the closest form. A comparison with null or NaN,
  /// which matches nothing, becomes the test for that value. A conjunction or alternatives of one
  /// filter become that filter; those of none become an empty text.
  public static func text(of filter: Filter, in scope: NameScope) -> String {
    text(of: filter, .written(in: scope))
  }

  static func text(of filter: Filter, _ values: ValueForm) -> String {
    switch filter {
    case .field(let path, let comparison, let value):
      let operand = values.text(of: value, of: path, isList: comparison.takesList)
      return "\(path) \(comparison.rawValue) \(operand)"
    case .unary(let path, .isNull): return "\(path) == null"
    case .unary(let path, .isNaN): return "\(path) == NaN"
    case .unary(let path, .isNotNull): return "\(path) != null"
    case .unary(let path, .isNotNaN): return "\(path) != NaN"
    case .and(let filters):
      return joined(filters, " && ", values) { part in
        switch part {
        case .and(let inner), .or(let inner): inner.count > 1
        default: false
        }
      }
    case .or(let filters):
      return joined(filters, " || ", values) { part in
        if case .or(let inner) = part { inner.count > 1 } else { false }
      }
    }
  }

  private static func joined(
    _ filters: [Filter], _ separator: String, _ values: ValueForm,
    needsParentheses: (Filter) -> Bool
  ) -> String {
    filters.map { part in
      let text = text(of: part, values)
      return filters.count > 1 && needsParentheses(core(of: part)) ? "(\(text))" : text
    }
    .filter { !$0.isEmpty }.joined(separator: separator)
  }

  /// Returns the only part of a conjunction or alternatives of one; any other filter itself.
  private static func core(of filter: Filter) -> Filter {
    switch filter {
    case .and(let filters) where filters.count == 1: core(of: filters[0])
    case .or(let filters) where filters.count == 1: core(of: filters[0])
    default: filter
    }
  }
}
