import CryptoExtras
import FoundationEssentials

/// A private RSA key, which signs by RS256.
struct SigningKey: Sendable {
  let verification: VerificationKey
  private let key: _RSA.Signing.PrivateKey

  /// - Parameter pem: the key in PEM form, without a password.
  /// - Throws: `unusable` for another text, and for a key of less than 2048 bits.
  init(pem: String) throws(KeyError) {
    do {
      key = try _RSA.Signing.PrivateKey(pemRepresentation: pem)
    } catch {
      throw .unusable
    }
    verification = VerificationKey(key.publicKey)
  }

  /// Returns the PEM form of a new key.
  ///
  /// - Throws: `unusable` if the library can't make one.
  static func newPEM() throws(KeyError) -> String {
    do {
      return try _RSA.Signing.PrivateKey(keySize: .bits2048).pemRepresentation
    } catch {
      throw .unusable
    }
  }

  /// - Throws: `unusableKey`.
  func signature(of bytes: [UInt8]) throws(TokenError) -> [UInt8] {
    do {
      return Array(
        try key.signature(for: Data(bytes), padding: .insecurePKCS1v1_5).rawRepresentation)
    } catch {
      throw .unusableKey
    }
  }
}
