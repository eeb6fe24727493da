extension JSONReader {
  /// Reads a string from its opening quote to its closing one, which is the same character.
  mutating func readString() throws(JSONError) -> String {
    let quote = bytes[offset]
    let start = offset + 1
    let end = endOfRun(from: start, quote)
    if end < bytes.count, bytes[end] == quote {
      let string = try text(start..<end)
      offset = end + 1
      return string
    }
    return try readString(escapedFrom: start, quote)
  }

  private mutating func readString(
    escapedFrom start: Int, _ quote: UInt8
  ) throws(JSONError) -> String {
    let opening = offset
    var string = ""
    offset = start
    while true {
      let end = endOfRun(from: offset, quote)
      string += try text(offset..<end)
      offset = end
      guard end < bytes.count else { throw error("this string has no end", at: opening) }
      switch bytes[end] {
      case quote:
        offset = end + 1
        return string
      case UInt8(ascii: "\\"):
        string.unicodeScalars.append(try readEscape(quote))
      default:
        throw error("a control character in a string is written as an escape, such as \\n")
      }
    }
  }

  /// Returns the index, from `start` on, at which the string's plain text ends.
  private func endOfRun(from start: Int, _ quote: UInt8) -> Int {
    var index = start
    while index < bytes.count {
      let byte = bytes[index]
      if byte == quote || byte == UInt8(ascii: "\\") || byte < 0x20 { break }
      index &+= 1
    }
    return index
  }

  func text(_ range: Range<Int>) throws(JSONError) -> String {
    do {
      return String(copying: try UTF8Span(validating: bytes.extracting(range)))
    } catch {
      throw self.error("invalid UTF-8", at: range.lowerBound + error.byteOffsets.lowerBound)
    }
  }

  private mutating func readEscape(_ quote: UInt8) throws(JSONError) -> Unicode.Scalar {
    let start = offset
    offset += 1
    let byte = nextByte
    offset += 1
    switch byte {
    case quote, UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte ?? 0)
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"): return try readCodePoint(from: start)
    default:
      throw error("an unknown escape: \\ goes before one of \" \\ / b f n r t u", at: start)
    }
  }

  /// Reads one `uXXXX`, or the two that form a code point above U+FFFF.
  private mutating func readCodePoint(from start: Int) throws(JSONError) -> Unicode.Scalar {
    let first = try readHexadecimalUnit(from: start)
    if let scalar = Unicode.Scalar(first) { return scalar }
    if (0xD800..<0xDC00).contains(first), nextByte == UInt8(ascii: "\\") {
      offset += 1
      if nextByte == UInt8(ascii: "u") {
        offset += 1
        let second = try readHexadecimalUnit(from: start)
        let value = 0x10000 &+ ((first &- 0xD800) << 10) &+ (second &- 0xDC00)
        if (0xDC00..<0xE000).contains(second), let scalar = Unicode.Scalar(value) { return scalar }
      }
    }
    throw error("half of a surrogate pair is no character", at: start)
  }

  private mutating func readHexadecimalUnit(from start: Int) throws(JSONError) -> UInt32 {
    var unit: UInt32 = 0
    for _ in 0..<4 {
      guard let byte = nextByte, let digit = hexadecimalDigit(byte) else {
        throw error("\\u is followed by four hexadecimal digits", at: start)
      }
      unit = unit << 4 | digit
      offset += 1
    }
    return unit
  }
}

private func hexadecimalDigit(_ byte: UInt8) -> UInt32? {
  switch byte {
  case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0"))
  case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(byte - UInt8(ascii: "a")) + 10
  case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(byte - UInt8(ascii: "A")) + 10
  default: nil
  }
}
