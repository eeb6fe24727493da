import FoundationEssentials

/// Bytes as text (RFC 4648).
enum Base64 {
  static func text(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }

  /// Reads the standard and the URL alphabet, with or without padding; `nil` for any other text.
  static func bytes(_ text: String) -> [UInt8]? {
    var standard: [UInt8] = text.utf8.map { byte in
      switch byte {
      case UInt8(ascii: "-"): UInt8(ascii: "+")
      case UInt8(ascii: "_"): UInt8(ascii: "/")
      default: byte
      }
    }
    if !standard.contains(UInt8(ascii: "=")) {
      while standard.count % 4 != 0 { standard.append(UInt8(ascii: "=")) }
    }
    return Data(base64Encoded: Data(standard)).map(Array.init)
  }
}
