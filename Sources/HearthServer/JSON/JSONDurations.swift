import HearthDocumentModel
import HearthFirestoreJSON

extension JSONMessageReader {
  /// The longest span that protocol buffers have, in seconds: 10,000 years.
  private static let longestDuration: Int64 = 315_576_000_000

  /// Reads a span of time in seconds: `1.5s`.
  func duration(_ json: JSONValue) throws(DatabaseError) -> [UInt8] {
    let type = "type.googleapis.com/google.protobuf.Duration"
    guard case .string(let text) = json, text.hasSuffix("s") else { throw invalid(type, json) }
    let isNegative = text.hasPrefix("-")
    let parts = text.dropFirst(isNegative ? 1 : 0).dropLast().split(
      separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    let fraction = parts.count > 1 ? parts[1] : "0"
    let digitsOnly = parts.allSatisfy { $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }
    guard digitsOnly, let seconds = Int64(parts[0]), seconds <= JSONMessageReader.longestDuration,
      (1...9).contains(fraction.utf8.count),
      let digits = Int64(fraction + String(repeating: "0", count: 9 - fraction.utf8.count))
    else { throw invalid(type, json) }
    var bytes: [UInt8] = []
    bytes.appendField(1, .varint(UInt64(bitPattern: isNegative ? -seconds : seconds)))
    bytes.appendField(2, .varint(UInt64(bitPattern: isNegative ? -digits : digits)))
    return bytes
  }
}
