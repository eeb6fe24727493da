/// The encoding of texts for mail, whose lines are short and of ASCII alone (RFC 2045, 6.7).
enum QuotedPrintable {
  private static let lineLimit = 76
  private static let digits = Array("0123456789ABCDEF".utf8)

  /// Encodes a text whose lines end with line feeds.
  static func text(of plain: String) -> String {
    plain.split(separator: "\n", omittingEmptySubsequences: false).map(line)
      .joined(separator: "\n")
  }

  private static func line(_ plain: Substring) -> String {
    var text: [UInt8] = []
    var length = 0
    for (index, byte) in plain.utf8.enumerated() {
      let isLast = index == plain.utf8.count - 1
      let symbol = symbol(of: byte, isLast: isLast)
      // One place is for the mark of a line that goes on.
      if length + symbol.count > lineLimit - (isLast ? 0 : 1) {
        text += Array("=\n".utf8)
        length = 0
      }
      text += symbol
      length += symbol.count
    }
    return String(decoding: text, as: UTF8.self)
  }

  private static func symbol(of byte: UInt8, isLast: Bool) -> [UInt8] {
    let isPlain = (0x21...0x7E).contains(byte) && byte != UInt8(ascii: "=")
    // A space at the end of a line may be lost on the way.
    if isPlain || byte == UInt8(ascii: " ") && !isLast { return [byte] }
    return [UInt8(ascii: "="), digits[Int(byte >> 4)], digits[Int(byte & 0xF)]]
  }
}
