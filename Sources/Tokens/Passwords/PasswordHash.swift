/// The hash of a password, with all that a comparison needs.
package struct PasswordHash: Sendable, Equatable {
  package let algorithm: PasswordAlgorithm
  package let salt: [UInt8]
  package let hash: [UInt8]

  package init(_ algorithm: PasswordAlgorithm, salt: [UInt8], hash: [UInt8]) {
    self.algorithm = algorithm
    self.salt = salt
    self.hash = hash
  }

  /// Makes the hash of a password, with a salt of 16 random bytes. It takes long on purpose.
  ///
  /// - Throws: `unusable` if the memory isn't there.
  package init(
    of password: String, by algorithm: PasswordAlgorithm
  ) throws(PasswordError) {
    var source = SystemRandomNumberGenerator()
    let salt = (0..<16).map { _ in UInt8.random(in: .min ... .max, using: &source) }
    self.init(
      algorithm, salt: salt,
      hash: try algorithm.hash(of: Array(password.utf8), salt: salt, byteCount: nil))
  }

  /// Whether a password is the one that was hashed, compared in constant time.
  ///
  /// - Throws: `unusable` if the memory isn't there.
  package func isHash(of password: String) throws(PasswordError) -> Bool {
    let offered = try algorithm.hash(
      of: Array(password.utf8), salt: salt, byteCount: hash.count)
    return !hash.isEmpty && Secret.isEqual(hash, offered)
  }
}
