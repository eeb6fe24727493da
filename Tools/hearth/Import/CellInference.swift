import Hearth

extension Value {
  /// Reads a CSV cell without a given type: an integer, a double, `true`, `false`, or a string.
  ///
  /// Numbers are those of JSON, and are read as in JSON: an integer beyond 64 bits is a double.
  /// `007` and `+1` stay strings, since they are more likely codes than quantities; so do `NaN` and
  /// `1e999`.
  package init(cell text: String) {
    let kind = NumberSyntax(text)
    if kind == .integer, let number = Int64(text) {
      self = .integer(number)
      return
    }
    switch kind {
    case .integer?, .double?:
      let number = Double(text)
      self = number.flatMap { $0.isFinite ? .double($0) : nil } ?? .string(text)
    case nil:
      if text.utf8Equal("true") {
        self = .boolean(true)
      } else if text.utf8Equal("false") {
        self = .boolean(false)
      } else {
        self = .string(text)
      }
    }
  }
}

/// JSON's two kinds of numbers (RFC 8259, section 6).
private enum NumberSyntax {
  case integer, double

  /// Creates the kind of number that the whole `text` is; `nil` if it is no number.
  init?(_ text: String) {
    var rest = Substring(text).utf8
    let isNegative = NumberSyntax.drop("-", from: &rest)
    let isZero = rest.first == UInt8(ascii: "0")
    let digits = NumberSyntax.dropDigits(from: &rest)
    guard digits > 0, !isZero || digits == 1 else { return nil }
    // An integer has no negative zero.
    var kind = isZero && isNegative ? NumberSyntax.double : .integer
    if NumberSyntax.drop(".", from: &rest) {
      guard NumberSyntax.dropDigits(from: &rest) > 0 else { return nil }
      kind = .double
    }
    if NumberSyntax.drop("e", from: &rest) || NumberSyntax.drop("E", from: &rest) {
      if !NumberSyntax.drop("-", from: &rest) { _ = NumberSyntax.drop("+", from: &rest) }
      guard NumberSyntax.dropDigits(from: &rest) > 0 else { return nil }
      kind = .double
    }
    guard rest.isEmpty else { return nil }
    self = kind
  }

  private static func drop(_ byte: Unicode.Scalar, from rest: inout Substring.UTF8View) -> Bool {
    guard rest.first == UInt8(ascii: byte) else { return false }
    rest.removeFirst()
    return true
  }

  private static func dropDigits(from rest: inout Substring.UTF8View) -> Int {
    let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }.count
    rest.removeFirst(digits)
    return digits
  }
}
