/// Writes JSON over several lines, indented by two spaces, as Firebase's tools do.
struct PrettyJSON {
  private var bytes: [UInt8] = []
  private var depth = 0
  private var isEmpty = true

  var text: String { String(decoding: bytes, as: UTF8.self) }

  mutating func object(_ writeMembers: (inout PrettyJSON) -> Void) {
    enclose("{", "}", writeMembers)
  }

  mutating func array(_ writeItems: (inout PrettyJSON) -> Void) {
    enclose("[", "]", writeItems)
  }

  mutating func member(_ name: String, _ write: (inout PrettyJSON) -> Void) {
    startLine()
    bytes.appendJSON(name)
    bytes.append(": ")
    write(&self)
  }

  mutating func member(_ name: String, _ string: String) {
    member(name) { $0.bytes.appendJSON(string) }
  }

  mutating func member(_ name: String, _ number: Int) {
    member(name) { $0.bytes.append(number.description) }
  }

  mutating func member(_ name: String, _ flag: Bool) {
    member(name) { $0.bytes.append(flag ? "true" : "false") }
  }

  mutating func item(_ write: (inout PrettyJSON) -> Void) {
    startLine()
    write(&self)
  }

  private mutating func enclose(
    _ opening: String, _ closing: String, _ write: (inout PrettyJSON) -> Void
  ) {
    bytes.append(opening)
    depth += 1
    isEmpty = true
    write(&self)
    depth -= 1
    if !isEmpty { breakLine() }
    isEmpty = false
    bytes.append(closing)
  }

  private mutating func startLine() {
    if !isEmpty { bytes.append(",") }
    isEmpty = false
    breakLine()
  }

  private mutating func breakLine() {
    bytes.append("\n")
    bytes.append(String(repeating: "  ", count: depth))
  }
}
