/// Emphasis by escape sequences, or none.
package enum TextStyle: Sendable {
  case plain, coloured

  package func bold(_ text: String) -> String { emphasized(text, 1) }
  package func faint(_ text: String) -> String { emphasized(text, 2) }
  /// Returns text in the style of errors and differences.
  package func red(_ text: String) -> String { emphasized(text, 31) }
  /// Returns text in the style of successes.
  package func green(_ text: String) -> String { emphasized(text, 32) }

  private func emphasized(_ text: String, _ code: Int) -> String {
    switch self {
    case .plain: text
    case .coloured: "\u{1b}[\(code)m\(text)\u{1b}[0m"
    }
  }
}
