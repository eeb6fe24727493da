/// Bytes written in 64 letters (RFC 4648).
package enum Base64 {
  package enum Alphabet {
    /// The letters with `+` and `/`, padded with `=`.
    case standard
    /// The letters with `-` and `_`, without padding.
    case url
  }

  private static let letters = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8)

  package static func text(of bytes: [UInt8], _ alphabet: Alphabet) -> String {
    let letters = letters + Array((alphabet == .standard ? "+/" : "-_").utf8)
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      var bits = group.reduce(0) { $0 << 8 | Int($1) }
      bits <<= 8 * (3 - group.count)
      for letter in 0...group.count { text.append(letters[bits >> (18 - 6 * letter) & 0x3F]) }
      if alphabet == .standard {
        text += repeatElement(UInt8(ascii: "="), count: 3 - group.count)
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Returns the bytes that `text(of:_:)` wrote as `text` with the URL alphabet; `nil` for any
  /// other text.
  package static func bytes(ofURLText text: String) -> [UInt8]? {
    let letters = letters + Array("-_".utf8)
    var bytes: [UInt8] = []
    var bits = 0
    var bitCount = 0
    for letter in text.utf8 {
      guard let sixBits = letters.firstIndex(of: letter) else { return nil }
      bits = (bits << 6 | sixBits) & 0xFFFF
      bitCount += 6
      guard bitCount >= 8 else { continue }
      bitCount -= 8
      bytes.append(UInt8(truncatingIfNeeded: bits >> bitCount))
    }
    return self.text(of: bytes, .url).utf8Equal(text) ? bytes : nil
  }
}
