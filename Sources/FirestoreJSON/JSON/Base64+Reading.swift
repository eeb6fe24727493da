import FoundationEssentials
package import HearthDocumentModel

extension Base64 {
  /// Reads either alphabet, with or without padding; `nil` for any other text.
  package static func bytes(_ text: String) -> [UInt8]? {
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
