import HearthDocumentModel
import HearthFirestoreJSON

extension JSONMessageReader {
  /// Reads a span of time in seconds: `1.5s`.
  func duration(_ json: JSONValue) throws(DatabaseError) -> [UInt8] {
    let type = "type.googleapis.com/google.protobuf.Duration"
    guard case .string(let text) = json, text.hasSuffix("s") else { throw invalid(type, json) }
    let isNegative = text.hasPrefix("-")
    let parts = text.dropLast().drop { $0 == "-" }.split(
      separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    let fraction = parts.count > 1 ? parts[1] : "0"
    guard let seconds = Int64(parts[0]), seconds >= 0, (1...9).contains(fraction.utf8.count),
      let digits = Int64(fraction + String(repeating: "0", count: 9 - fraction.utf8.count)),
      digits >= 0
    else { throw invalid(type, json) }
    var bytes: [UInt8] = []
    bytes.appendField(1, .varint(UInt64(bitPattern: isNegative ? -seconds : seconds)))
    bytes.appendField(2, .varint(UInt64(bitPattern: isNegative ? -digits : digits)))
    return bytes
  }
}
