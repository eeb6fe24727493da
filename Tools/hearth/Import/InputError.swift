/// What is wrong with an input, where, and what to do about it.
///
/// Reads as `cities.csv, line 12, field "population": "abc" is no integer. Correct the value, or …`
package struct InputError: Error, Sendable, CustomStringConvertible {
  package enum Kind: Sendable, Hashable {
    /// There is no such file.
    case missing
    /// The file is there and could not be read.
    case unreadable
    /// The bytes are not what they should be.
    case malformed
  }

  package let kind: Kind
  /// The file's path, or `standard input`.
  package let source: String
  /// Counted from 1.
  package let line: Int?
  /// Counted from 1, in code points.
  package let column: Int?
  /// Counted from 1 among the elements of a JSON array.
  package let element: Int?
  package let field: String?
  /// A sentence's middle, without a full stop.
  package let problem: String
  /// What to do, a whole sentence without a full stop.
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
