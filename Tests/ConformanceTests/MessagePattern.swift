/// A recorded message, in which `{name}` stands for a part that the database makes up itself.
struct MessagePattern {
  private let text: String

  init(_ text: String) {
    self.text = text
  }

  /// Whether `message` is the text with a part in place of each placeholder: digits for `{index}`
  /// and `{length}`, no white space for the others.
  func matches(_ message: String) -> Bool {
    var rest = message[...]
    var pattern = text[...]
    while let open = pattern.firstIndex(of: "{"),
      let close = pattern[open...].firstIndex(of: "}")
    {
      let name = pattern[pattern.index(after: open)..<close]
      guard MessagePattern.placeholders.contains(String(name)) else {
        guard rest.hasPrefix(pattern[...open]) else { return false }
        rest = rest.dropFirst(pattern[...open].count)
        pattern = pattern[pattern.index(after: open)...]
        continue
      }
      guard rest.hasPrefix(pattern[..<open]) else { return false }
      rest = rest.dropFirst(pattern[..<open].count)
      let isNumber = name == "index" || name == "length"
      let filling = rest.prefix { isNumber ? $0.isNumber : !$0.isWhitespace }
      guard !filling.isEmpty else { return false }
      rest = rest.dropFirst(filling.count)
      pattern = pattern[pattern.index(after: close)...]
    }
    return rest == pattern
  }

  private static let placeholders: Set = [
    "link", "length", "index", "storedMicros", "requiredMicros", "commitTime", "autoId",
  ]
}
