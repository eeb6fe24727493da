/// The header `grpc-timeout`: up to eight digits and a unit.
enum RPCTimeout {
  /// Returns the duration that the header's text means; `nil` for a malformed one.
  static func duration(_ text: String) -> Duration? {
    guard let unit = text.utf8.last, (2...9).contains(text.utf8.count) else { return nil }
    var count: Int64 = 0
    for byte in text.utf8.dropLast() {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
      count = count * 10 + Int64(byte - UInt8(ascii: "0"))
    }
    switch unit {
    case UInt8(ascii: "H"): return .seconds(count * 3600)
    case UInt8(ascii: "M"): return .seconds(count * 60)
    case UInt8(ascii: "S"): return .seconds(count)
    case UInt8(ascii: "m"): return .milliseconds(count)
    case UInt8(ascii: "u"): return .microseconds(count)
    case UInt8(ascii: "n"): return .nanoseconds(count)
    default: return nil
    }
  }
}
