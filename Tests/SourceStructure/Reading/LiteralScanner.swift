/// A scanner of the comments and string literals of Swift source.
struct LiteralScanner {
  private var bytes: [UInt8]
  private var position = 0

  init(_ text: String) { bytes = Array(text.utf8) }

  /// Returns the source with spaces in place of comments and, unless `literals` is false, of string
  /// literals.
  mutating func blanked(literals: Bool = true) -> String {
    while position < bytes.count {
      let start = position
      if starts(with: "//") {
        while position < bytes.count, bytes[position] != UInt8(ascii: "\n") { position += 1 }
      } else if starts(with: "/*") {
        skipBlockComment()
      } else if !skipString() {
        position += 1
        continue
      } else if !literals {
        continue
      }
      blank(start..<position)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private func starts(with text: StaticString) -> Bool {
    let count = text.utf8CodeUnitCount
    guard position + count <= bytes.count else { return false }
    return text.withUTF8Buffer { $0.elementsEqual(bytes[position..<position + count]) }
  }

  private mutating func blank(_ range: Range<Int>) {
    for index in range where bytes[index] != UInt8(ascii: "\n") {
      bytes[index] = UInt8(ascii: " ")
    }
  }

  private mutating func skipBlockComment() {
    var depth = 0
    while position < bytes.count {
      if starts(with: "/*") {
        depth += 1
        position += 2
      } else if starts(with: "*/") {
        depth -= 1
        position += 2
        if depth == 0 { return }
      } else {
        position += 1
      }
    }
  }

  /// Passes the string literal that begins here; returns false, and passes nothing, if none does.
  private mutating func skipString() -> Bool {
    let start = position
    while position < bytes.count, bytes[position] == UInt8(ascii: "#") { position += 1 }
    let hashes = bytes[start..<position]
    guard starts(with: "\"") else {
      position = start
      return false
    }
    let quote = starts(with: "\"\"\"") ? 3 : 1
    position += quote
    while position < bytes.count {
      if bytes[position...].starts(with: [UInt8](repeating: UInt8(ascii: "\""), count: quote)),
        bytes[(position + quote)...].starts(with: hashes)
      {
        position += quote + hashes.count
        return true
      }
      if starts(with: "\\"), bytes[(position + 1)...].starts(with: hashes) {
        position += 1 + hashes.count
        if starts(with: "(") { skipInterpolation() } else { position += 1 }
      } else if quote == 1, starts(with: "\n") {
        return true
      } else {
        position += 1
      }
    }
    position = min(position, bytes.count)
    return true
  }

  private mutating func skipInterpolation() {
    var depth = 0
    while position < bytes.count {
      if skipString() { continue }
      if starts(with: "(") { depth += 1 }
      if starts(with: ")") { depth -= 1 }
      position += 1
      if depth == 0 { return }
    }
  }
}
