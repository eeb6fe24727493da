import Crypto
import CryptoExtras
import FoundationEssentials
import HearthDocumentModel
import HearthFirestoreJSON

/// A public RSA key, which tells whether a signature by RS256 is that of its owner.
package struct VerificationKey: Sendable {
  /// The name by which tokens tell the key that has signed them.
  package let name: String
  private let key: _RSA.Signing.PublicKey

  init(_ key: _RSA.Signing.PublicKey) {
    self.key = key
    // The same key has the same name in each run.
    name = String(Secret.digest(Array(key.derRepresentation)).prefix(40))
  }

  /// - Parameter name: the name, as a key set has it.
  /// - Throws: `unusable` for numbers that are no key of at least 2048 bits.
  package init(name: String, modulus: [UInt8], exponent: [UInt8]) throws(KeyError) {
    self.name = name
    do {
      key = try _RSA.Signing.PublicKey(n: modulus, e: exponent)
    } catch {
      throw .unusable
    }
    guard key.keySizeInBits >= KeyError.shortestKey else { throw .unusable }
  }

  /// - Parameter pem: the key in PEM form.
  /// - Throws: `unusable` for another text, and for a key of less than 2048 bits.
  package init(pem: String) throws(KeyError) {
    do {
      self.init(try _RSA.Signing.PublicKey(pemRepresentation: pem))
    } catch {
      throw .unusable
    }
  }

  /// Whether a signature is one of the key's owner for these bytes.
  package func isSignature(_ signature: [UInt8], of bytes: [UInt8]) -> Bool {
    key.isValidSignature(
      _RSA.Signing.RSASignature(rawRepresentation: Data(signature)), for: Data(bytes),
      padding: .insecurePKCS1v1_5)
  }

  /// The key as a member of a key set (RFC 7517).
  ///
  /// - Throws: `unusableKey` if the key doesn't tell its numbers.
  func member() throws(TokenError) -> JSONValue {
    do {
      let numbers = try key.getKeyPrimitives()
      return .object([
        ("kty", .string("RSA")), ("alg", .string("RS256")), ("use", .string("sig")),
        ("kid", .string(name)), ("n", .string(Base64.text(of: Array(numbers.modulus), .url))),
        ("e", .string(Base64.text(of: Array(numbers.publicExponent), .url))),
      ])
    } catch {
      throw .unusableKey
    }
  }
}
