import Crypto
import CryptoExtras
import FoundationEssentials

extension PasswordAlgorithm {
  /// - Parameter byteCount: the length of a hash to compare with; `nil` for that of a new one.
  func hash(
    of password: [UInt8], salt: [UInt8], byteCount: Int?
  ) throws(PasswordError) -> [UInt8] {
    guard isBearable else { throw .unusable }
    do {
      switch self {
      case .scrypt(let logCost, let blockSize, let parallelism, let usualCount):
        return try PasswordAlgorithm.scrypt(
          password, salt, logCost, blockSize, parallelism, byteCount ?? usualCount)
      case .firebaseScrypt(let logCost, let rounds, let separator, let signerKey):
        let key = try PasswordAlgorithm.scrypt(password, salt + separator, logCost, rounds, 1, 32)
        let nonce = try AES._CTR.Nonce(nonceBytes: [UInt8](repeating: 0, count: 16))
        return Array(try AES._CTR.encrypt(signerKey, using: SymmetricKey(data: key), nonce: nonce))
      case .pbkdf2(let family, let rounds):
        return try family.derivedKey(password, salt, rounds, byteCount ?? 32)
      case .hmac(let family, let key, let isSaltFirst):
        return family.hmac(isSaltFirst ? salt + password : password + salt, key)
      case .digest(let family, let rounds, let isSaltFirst):
        var digest = family.digest(isSaltFirst ? salt + password : password + salt)
        for _ in 1..<rounds { digest = family.digest(digest) }
        return digest
      }
    } catch {
      throw .unusable
    }
  }

  private static func scrypt(
    _ password: [UInt8], _ salt: [UInt8], _ logCost: Int, _ blockSize: Int, _ parallelism: Int,
    _ byteCount: Int
  ) throws -> [UInt8] {
    let key = try KDF.Scrypt.deriveKey(
      from: password, salt: salt, outputByteCount: byteCount, rounds: 1 << logCost,
      blockSize: blockSize, parallelism: parallelism)
    return key.withUnsafeBytes { Array($0) }
  }
}

extension PasswordAlgorithm.Family {
  fileprivate func digest(_ bytes: [UInt8]) -> [UInt8] {
    switch self {
    case .md5: Array(Insecure.MD5.hash(data: bytes))
    case .sha1: Array(Insecure.SHA1.hash(data: bytes))
    case .sha256: Array(SHA256.hash(data: bytes))
    case .sha512: Array(SHA512.hash(data: bytes))
    }
  }

  fileprivate func hmac(_ bytes: [UInt8], _ key: [UInt8]) -> [UInt8] {
    let key = SymmetricKey(data: key)
    return switch self {
    case .md5: Array(HMAC<Insecure.MD5>.authenticationCode(for: bytes, using: key))
    case .sha1: Array(HMAC<Insecure.SHA1>.authenticationCode(for: bytes, using: key))
    case .sha256: Array(HMAC<SHA256>.authenticationCode(for: bytes, using: key))
    case .sha512: Array(HMAC<SHA512>.authenticationCode(for: bytes, using: key))
    }
  }

  fileprivate func derivedKey(
    _ password: [UInt8], _ salt: [UInt8], _ rounds: Int, _ byteCount: Int
  ) throws -> [UInt8] {
    let function: KDF.Insecure.PBKDF2.HashFunction =
      switch self {
      case .md5: .insecureMD5
      case .sha1: .insecureSHA1
      case .sha256: .sha256
      case .sha512: .sha512
      }
    let key = try KDF.Insecure.PBKDF2.deriveKey(
      from: password, salt: salt, using: function, outputByteCount: byteCount,
      unsafeUncheckedRounds: rounds)
    return key.withUnsafeBytes { Array($0) }
  }
}
