import Crypto
import HearthDocumentModel

/// Texts that can't be guessed: codes and refresh tokens. They are stored as digests alone.
package enum Secret {
  private static let byteCount = 32

  /// Returns a new secret: 256 random bits in 43 letters of base64url.
  package static func random() -> String {
    var source = SystemRandomNumberGenerator()
    let bytes = (0..<byteCount).map { _ in UInt8.random(in: .min ... .max, using: &source) }
    return Base64.text(of: bytes, .url)
  }

  /// Returns the SHA-256 digest of a text, in lower-case hexadecimal.
  package static func digest(_ text: String) -> String { digest(Array(text.utf8)) }

  static func digest(_ bytes: [UInt8]) -> String {
    let digits = Array("0123456789abcdef")
    var hexadecimal = ""
    for byte in SHA256.hash(data: bytes) {
      hexadecimal.append(digits[Int(byte >> 4)])
      hexadecimal.append(digits[Int(byte & 0xF)])
    }
    return hexadecimal
  }

  /// Whether two texts are equal, in a time that depends on the length of `offered` alone.
  package static func isEqual(_ secret: String, _ offered: String) -> Bool {
    isEqual(Array(secret.utf8), Array(offered.utf8))
  }

  static func isEqual(_ secret: [UInt8], _ offered: [UInt8]) -> Bool {
    guard !secret.isEmpty else { return offered.isEmpty }
    var difference = secret.count ^ offered.count
    for index in offered.indices {
      difference |= Int(secret[index % secret.count] ^ offered[index])
    }
    return difference == 0
  }
}
