import HearthDocumentModel
import HearthFirestoreJSON
import HearthTokens

/// The hashes of an import, which all are of one algorithm.
struct ImportedHashes {
  /// `nil` for accounts without passwords.
  private let algorithm: PasswordAlgorithm?

  /// - Throws: `INVALID_HASH_ALGORITHM` and others for an algorithm or parameters that can't be
  ///   used, if there is a hash at all.
  init(_ fields: RequestFields, _ users: [RequestFields]) throws(AccountError) {
    guard users.contains(where: { $0.has("passwordHash") }) else {
      algorithm = nil
      return
    }
    let algorithm = try ImportedHashes.algorithm(fields)
    guard algorithm.isBearable else {
      throw AccountError("INVALID_HASH_PARAMETER_RANGE")
    }
    self.algorithm = algorithm
  }

  /// Returns the hash of a user's password, as it is stored; `nil` for a user without one.
  func hash(of user: RequestFields) throws(AccountError) -> String? {
    guard let algorithm, let text = try user.text("passwordHash") else { return nil }
    guard let hash = Base64.bytes(text), !hash.isEmpty else {
      throw AccountError("passwordHash is invalid")
    }
    let salt = try user.text("salt").map { text throws(AccountError) in
      guard let bytes = Base64.bytes(text) else { throw AccountError("salt is invalid") }
      return bytes
    }
    return PasswordHash(algorithm, salt: salt ?? [], hash: hash).text
  }

  private static func algorithm(
    _ fields: RequestFields
  ) throws(AccountError) -> PasswordAlgorithm {
    guard let name = try fields.text("hashAlgorithm") else {
      throw AccountError("MISSING_HASH_ALGORITHM")
    }
    let rounds = try number("rounds", of: fields) ?? 0
    let isSaltFirst = try fields.text("passwordHashOrder") == "SALT_AND_PASSWORD"
    switch name {
    case "SCRYPT":
      return .firebaseScrypt(
        logCost: try number("memoryCost", of: fields) ?? 0, rounds: rounds,
        separator: try bytes("saltSeparator", of: fields) ?? [],
        signerKey: try bytes("signerKey", of: fields) ?? [])
    case "STANDARD_SCRYPT": return try standardScrypt(fields)
    case "PBKDF_SHA1": return .pbkdf2(.sha1, rounds: rounds)
    case "PBKDF2_SHA256": return .pbkdf2(.sha256, rounds: rounds)
    case "MD5", "SHA1", "SHA256", "SHA512":
      guard let family = PasswordAlgorithm.Family(rawValue: name.lowercased()) else { break }
      // Python counts from 0 for MD5, and from 1 for the others.
      return .digest(family, rounds: max(rounds, 1), isSaltFirst: isSaltFirst)
    case "HMAC_MD5", "HMAC_SHA1", "HMAC_SHA256", "HMAC_SHA512":
      guard let family = PasswordAlgorithm.Family(rawValue: name.dropFirst(5).lowercased()) else {
        break
      }
      return .hmac(
        family, key: try bytes("signerKey", of: fields) ?? [], isSaltFirst: isSaltFirst)
    default: break
    }
    throw AccountError("INVALID_HASH_ALGORITHM")
  }

  private static func standardScrypt(
    _ fields: RequestFields
  ) throws(AccountError) -> PasswordAlgorithm {
    let cost = try number("cpuMemCost", of: fields) ?? 0
    guard cost > 1, cost.nonzeroBitCount == 1 else {
      throw AccountError("INVALID_HASH_PARAMETER_RANGE")
    }
    return .scrypt(
      logCost: cost.trailingZeroBitCount, blockSize: try number("blockSize", of: fields) ?? 8,
      parallelism: try number("parallelization", of: fields) ?? 1,
      byteCount: try number("dkLen", of: fields) ?? 64)
  }

  private static func number(
    _ name: String, of fields: RequestFields
  ) throws(AccountError) -> Int? {
    try fields.integer(name).map { Int(clamping: $0) }
  }

  private static func bytes(
    _ name: String, of fields: RequestFields
  ) throws(AccountError) -> [UInt8]? {
    guard let text = try fields.text(name) else { return nil }
    guard let bytes = Base64.bytes(text) else {
      throw AccountError("INVALID_HASH_PARAMETER", "\(name) is no base64.")
    }
    return bytes
  }
}
