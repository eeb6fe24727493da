import HearthFirestoreJSON

/// The fields of a form: `name=value&name=value`, percent-encoded.
struct FormFields {
  let fields: [(name: String, value: String)]

  /// - Returns: `nil` for broken escapes.
  init?(_ text: String) {
    var fields: [(name: String, value: String)] = []
    for field in text.split(separator: "&") {
      let halves = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = String(halves[0]).percentDecoded(plusIsSpace: true),
        let value = String(halves.count > 1 ? halves[1] : "").percentDecoded(plusIsSpace: true)
      else { return nil }
      fields.append((name, value))
    }
    self.fields = fields
  }

  /// Returns the last value of a field; `nil` for none, and for an empty one.
  subscript(name: String) -> String? {
    fields.last { $0.name == name && !$0.value.isEmpty }?.value
  }
}
