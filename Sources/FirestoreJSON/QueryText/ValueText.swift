public import HearthDocumentModel

/// Values as a person types them, of every type (§2.1).
///
/// | Type | Written |
/// |---|---|
/// | null, boolean | `null`, `true`, `false` |
/// | integer | `42`, within 64 bits |
/// | double | `1.5`, `1e3`, `NaN`, `Infinity`, `-Infinity`, and whole numbers above 64 bits |
/// | string | `"Tokyo"` or `'Tokyo'`, with JSON's escapes |
/// | timestamp | `timestamp("2026-01-31T09:30:00Z")` |
/// | bytes | `bytes("aGVhcnRo")`, in base64 |
/// | reference | `reference("users/alice")`, or a full name for another database's |
/// | geopoint | `geopoint(35.6, 139.7)`: latitude, longitude |
/// | array | `[1, "two"]` |
/// | vector | `vector(1.0, 2.0)` |
/// | map | `{name: "Tokyo", "postal code": 100}` |
public enum ValueText {
  /// - Throws: an error at the first character that can't be read.
  public static func parse(
    _ text: String, in scope: NameScope
  ) throws(QueryTextError) -> Value {
    var parser = try QueryParser(text, in: scope)
    let value = try parser.readValue()
    try parser.expectEnd()
    return value
  }

  /// Returns the text that ``parse(_:in:)`` reads as `value`.
  public static func text(of value: Value, in scope: NameScope) -> String {
    switch value {
    case .null: "null"
    case .boolean(let value): value.description
    case .integer(let value): value.description
    case .double(let value): text(value)
    case .string(let value): quoted(value)
    case .timestamp(let value): "timestamp(\"\(value.rfc3339)\")"
    case .bytes(let value): "bytes(\"\(Base64.text(of: value, .standard))\")"
    case .reference(let name): "reference(\(quoted(scope.text(ofReference: name))))"
    case .geoPoint(let point): "geopoint(\(text(point.latitude)), \(text(point.longitude)))"
    case .array(let elements):
      "[" + elements.map { text(of: $0, in: scope) }.joined(separator: ", ") + "]"
    case .vector(let elements): "vector(" + elements.map(text).joined(separator: ", ") + ")"
    case .map(let fields):
      "{"
        + fields.map { field in
          let name = field.name.isPlainFieldName ? field.name : quoted(field.name)
          return "\(name): \(text(of: field.value, in: scope))"
        }
        .joined(separator: ", ") + "}"
    }
  }

  /// Returns the text of a value that is compared with a field. A document compared with `__name__`
  /// is written as its id or path.
  static func text(ofOperand value: Value, of path: FieldPath, in scope: NameScope) -> String {
    guard
      path.isDocumentID, case .reference(let name) = value,
      let document = scope.text(ofDocument: name)
    else { return text(of: value, in: scope) }
    return quoted(document)
  }

  private static func text(_ value: Double) -> String {
    value.nonFiniteName ?? value.description
  }

  private static func quoted(_ string: String) -> String {
    var bytes: [UInt8] = []
    bytes.appendJSON(string)
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// The form of the values in a query's text.
enum ValueForm {
  /// They are written so that they can be read.
  case written(in: NameScope)
  /// `?` stands in place of each, so that the text tells the shape of the query alone.
  case hidden

  private static let placeholder = "?"

  /// - Parameters:
  ///   - path: the field that the value is compared with; `nil` for none.
  ///   - isList: whether an array is a list of values that are each compared with the field.
  func text(of value: Value, of path: FieldPath?, isList: Bool = false) -> String {
    guard case .written(let scope) = self else { return ValueForm.placeholder }
    guard let path else { return ValueText.text(of: value, in: scope) }
    guard isList, case .array(let values) = value else {
      return ValueText.text(ofOperand: value, of: path, in: scope)
    }
    let texts = values.map { ValueText.text(ofOperand: $0, of: path, in: scope) }
    return "[" + texts.joined(separator: ", ") + "]"
  }

  func text(of count: Int) -> String { text(ofID: "\(count)") }

  func text(ofID id: String) -> String {
    if case .hidden = self { ValueForm.placeholder } else { id }
  }
}
