/// The stored form of a document in SQLite: one flat JSON object as text.
package enum TaskJSON {
  package static func encode(_ document: SampleDocument) -> [UInt8] {
    let fields = document.fields.map { "\(quoted($0.name)):\(text(of: $0.value))" }
    return Array("{\(fields.joined(separator: ","))}".utf8)
  }

  private static func text(of value: SampleValue) -> String {
    switch value {
    case .integer(let integer): String(integer)
    case .boolean(let boolean): boolean ? "true" : "false"
    case .string(let string): quoted(string)
    case .strings(let strings): "[\(strings.map(quoted).joined(separator: ","))]"
    }
  }

  package static func encode(_ strings: [String]) -> String { text(of: .strings(strings)) }

  /// Returns the string in quotes. The sample data holds no character that JSON must escape.
  private static func quoted(_ string: String) -> String { "\"\(string)\"" }
}
