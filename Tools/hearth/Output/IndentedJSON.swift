/// JSON with a line for each member and element.
package enum IndentedJSON {
  /// Returns the text of `line`, JSON without blanks between its parts, with a line end.
  package static func text(of line: [UInt8]) -> [UInt8] {
    var text: [UInt8] = []
    var (depth, isString, isEscaped) = (0, false, false)
    func newLine() {
      text.append(.newline)
      text.append(contentsOf: repeatElement(UInt8(ascii: " "), count: depth * 2))
    }
    for (place, byte) in line.enumerated() {
      if isString {
        text.append(byte)
        isString = isEscaped || byte != UInt8(ascii: "\"")
        isEscaped = !isEscaped && byte == .backslash
        continue
      }
      switch byte {
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        text.append(byte)
        depth += 1
        let next = place + 1 < line.count ? line[place + 1] : 0
        if next != UInt8(ascii: "}"), next != UInt8(ascii: "]") { newLine() }
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        depth -= 1
        let isEmpty = text.last == UInt8(ascii: "{") || text.last == UInt8(ascii: "[")
        if !isEmpty { newLine() }
        text.append(byte)
      case .comma:
        text.append(byte)
        newLine()
      case UInt8(ascii: ":"):
        text.append(byte)
        text.append(UInt8(ascii: " "))
      default:
        text.append(byte)
        isString = byte == UInt8(ascii: "\"")
      }
    }
    text.append(.newline)
    return text
  }
}
