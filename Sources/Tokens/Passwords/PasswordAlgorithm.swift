/// A way to hash a password, with its parameters.
package enum PasswordAlgorithm: Sendable, Equatable {
  /// A family of hash functions.
  package enum Family: String, Sendable, CaseIterable {
    case md5, sha1, sha256, sha512
  }

  /// Standard scrypt: the cost is a power of two.
  case scrypt(logCost: Int, blockSize: Int, parallelism: Int, byteCount: Int)
  /// The scrypt of Firebase, whose hash is the signer key, encrypted.
  case firebaseScrypt(logCost: Int, rounds: Int, separator: [UInt8], signerKey: [UInt8])
  case pbkdf2(Family, rounds: Int)
  case hmac(Family, key: [UInt8], isSaltFirst: Bool)
  case digest(Family, rounds: Int, isSaltFirst: Bool)

  /// The way of hashes that are made here. One takes 16 MiB for a while.
  package static let usual = PasswordAlgorithm.scrypt(
    logCost: 14, blockSize: 8, parallelism: 1, byteCount: 32)

  /// Whether a hash takes much less time than one of the usual way, as those of some imports do.
  var isQuick: Bool {
    switch self {
    case .scrypt, .firebaseScrypt: false
    case .pbkdf2(_, let rounds): rounds < 20_000
    case .hmac, .digest: true
    }
  }

  /// Whether the parameters are such as a server can bear: at most 64 MiB, and some seconds.
  package var isBearable: Bool {
    switch self {
    case .scrypt(let logCost, let blockSize, let parallelism, let byteCount):
      (1...20).contains(logCost) && (1...32).contains(blockSize) && (1...16).contains(parallelism)
        && (1...1024).contains(byteCount) && blockSize << logCost <= 1 << 19
    case .firebaseScrypt(let logCost, let rounds, _, let signerKey):
      (1...16).contains(logCost) && (1...8).contains(rounds) && !signerKey.isEmpty
    case .pbkdf2(let family, let rounds):
      family != .md5 && (1...1_000_000).contains(rounds)
    case .hmac(_, let key, _): !key.isEmpty
    case .digest(_, let rounds, _): (1...8192).contains(rounds)
    }
  }
}
