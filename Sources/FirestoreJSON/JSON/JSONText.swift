extension [UInt8] {
  /// Appends a JSON string with its quotes. Escapes are used only if JSON demands them.
  mutating func appendJSON(_ string: String) {
    append(UInt8(ascii: "\""))
    let utf8 = string.utf8
    if utf8.contains(where: needsEscape) {
      for byte in utf8 { appendEscaped(byte) }
    } else {
      append(contentsOf: utf8)
    }
    append(UInt8(ascii: "\""))
  }

  /// Appends a finite double in a form that is read back as the same double: 1 as `1.0`.
  mutating func appendJSON(_ finite: Double) {
    append(contentsOf: finite.description.utf8)
  }

  mutating func append(_ text: String) {
    append(contentsOf: text.utf8)
  }

  /// Appends the parts with commas between them.
  mutating func appendList<Part>(
    _ parts: some Sequence<Part>, separator: String = ",",
    _ appendPart: (inout [UInt8], Part) -> Void
  ) {
    var isFirst = true
    for part in parts {
      if !isFirst { append(separator) }
      isFirst = false
      appendPart(&self, part)
    }
  }

  private mutating func appendEscaped(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "\""): append("\\\"")
    case UInt8(ascii: "\\"): append("\\\\")
    case UInt8(ascii: "\n"): append("\\n")
    case UInt8(ascii: "\r"): append("\\r")
    case UInt8(ascii: "\t"): append("\\t")
    case 0..<0x20:
      append("\\u00")
      append(hexadecimalDigits[Int(byte >> 4)])
      append(hexadecimalDigits[Int(byte & 0xF)])
    default: append(byte)
    }
  }
}

private let hexadecimalDigits = Array("0123456789abcdef".utf8)

private func needsEscape(_ byte: UInt8) -> Bool {
  byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
}

extension Double {
  /// The name of NaN or an infinity in protocol buffers' JSON; `nil` for any other number.
  var nonFiniteName: String? {
    if isFinite { return nil }
    return isNaN ? "NaN" : self > 0 ? "Infinity" : "-Infinity"
  }
}
