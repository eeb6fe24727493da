/// A fault in an input, its place, and advice.
///
/// Reads as `cities.csv, line 12, field "population": "abc" is no integer. Correct the value, or …`
package struct InputError: Error, Sendable, CustomStringConvertible {
  package enum Kind: Sendable, Hashable {
    /// The file doesn't exist.
    case missing
    /// The file exists, but the user may not read it.
    case forbidden
    /// The file exists but could not be read.
    case unreadable
    /// The packed bytes are damaged or cut off, so that nothing after them can be read.
    case damaged
    /// The bytes don't have the expected form.
    case malformed
  }

  package let kind: Kind
  /// The file's path, or `standard input`.
  package let source: String
  /// Number of the line, counted from 1.
  package let line: Int?
  /// Number of the column, counted from 1, in code points.
  package let column: Int?
  /// Number of the element in a JSON array, counted from 1.
  package let element: Int?
  package let field: String?
  /// The middle of a sentence, without a full stop.
  package let problem: String
  /// Advice for the user: a whole sentence without a full stop.
  package let advice: String?

  package init(
    _ kind: Kind, in source: String, line: Int? = nil, column: Int? = nil, element: Int? = nil,
    field: String? = nil, _ problem: String, advice: String? = nil
  ) {
    self.kind = kind
    self.source = source
    self.line = line
    self.column = column
    self.element = element
    self.field = field
    self.problem = problem
    self.advice = advice
  }

  package var description: String {
    var text = source
    if let line { text += ", line \(line)" }
    if let column { text += ", column \(column)" }
    if let element { text += ", element \(element)" }
    if let field { text += ", field \"\(field)\"" }
    text += ": \(problem)."
    if let advice { text += " \(advice)." }
    return text
  }
}
