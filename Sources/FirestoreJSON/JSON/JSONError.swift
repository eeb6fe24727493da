/// A mistake in a JSON text, with its place.
public struct JSONError: Error, Sendable, Equatable, CustomStringConvertible {
  public let message: String
  /// The number of bytes before the place.
  public let offset: Int
  /// The line of the place, from 1.
  public let line: Int
  /// The column of the place in code points, from 1.
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
