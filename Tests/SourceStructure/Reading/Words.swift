/// A splitter of code, with literals and comments blanked, into words.
package enum Words {
  /// Returns the words of `code`, and each other character but spaces on its own.
  package static func all(of code: some StringProtocol) -> [String] {
    var words: [String] = []
    let bytes = Array(code.utf8)
    var start = 0
    while start < bytes.count {
      var end = start
      while end < bytes.count, isWordByte(bytes[end]) { end += 1 }
      if end == start { end += 1 }
      if !isSpace(bytes[start]) {
        words.append(String(decoding: bytes[start..<end], as: UTF8.self))
      }
      start = end
    }
    return words
  }

  /// Whether `word` begins as a name does.
  static func isName(_ word: String) -> Bool {
    guard let first = word.utf8.first else { return false }
    return isWordByte(first) && !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first)
  }

  /// Returns the index after the bracket, of any kind, that closes the one at `start`.
  package static func end(ofBracketAt start: Int, in words: [String]) -> Int {
    var depth = 0
    for index in start..<words.count {
      switch words[index] {
      case "(", "[", "{": depth += 1
      case ")", "]", "}": depth -= 1
      default: continue
      }
      if depth == 0 { return index + 1 }
    }
    return words.count
  }

  private static func isWordByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...:
      true
    default: false
    }
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || (0x09...0x0D).contains(byte)
  }
}
