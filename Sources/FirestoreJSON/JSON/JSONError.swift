/// Why a text is no JSON, and where.
public struct JSONError: Error, Sendable, Equatable, CustomStringConvertible {
  public let message: String
  /// How many bytes stand before the place.
  public let offset: Int
  /// From 1.
  public let line: Int
  /// From 1, in code points.
  public let column: Int

  init(_ message: String, at offset: Int, in bytes: borrowing Span<UInt8>) {
    var line = 1
    var column = 1
    for index in 0..<min(offset, bytes.count) {
      let byte = bytes[index]
      if byte == UInt8(ascii: "\n") {
        line += 1
        column = 1
      } else if !isContinuation(byte) {
        column += 1
      }
    }
    self.message = message
    self.offset = offset
    self.line = line
    self.column = column
  }

  public var description: String { "line \(line), column \(column): \(message)" }
}

/// Whether a byte is the second or a later one of a code point in UTF-8.
private func isContinuation(_ byte: UInt8) -> Bool { byte & 0b1100_0000 == 0b1000_0000 }
