import HearthDocumentModel
import HearthFirestoreJSON

/// The text of a hash as it is stored:
///
/// ```text
/// $scrypt$14,8,1,32$SALT$HASH
/// $firebase$14,8$SALT$HASH$SEPARATOR$SIGNERKEY
/// $pbkdf2-sha256$100000$SALT$HASH
/// $hmac-sha512$salt-first$SALT$HASH$KEY
/// $sha1$8,password-first$SALT$HASH
/// ```
///
/// Bytes are in base64url.
extension PasswordHash {
  package var text: String {
    let parts: [String] =
      switch algorithm {
      case .scrypt(let logCost, let blockSize, let parallelism, let byteCount):
        ["scrypt", "\(logCost),\(blockSize),\(parallelism),\(byteCount)"]
      case .firebaseScrypt(let logCost, let rounds, _, _): ["firebase", "\(logCost),\(rounds)"]
      case .pbkdf2(let family, let rounds): ["pbkdf2-\(family.rawValue)", "\(rounds)"]
      case .hmac(let family, _, let isSaltFirst):
        ["hmac-\(family.rawValue)", PasswordHash.order(isSaltFirst)]
      case .digest(let family, let rounds, let isSaltFirst):
        [family.rawValue, "\(rounds),\(PasswordHash.order(isSaltFirst))"]
      }
    let secrets: [[UInt8]] =
      switch algorithm {
      case .firebaseScrypt(_, _, let separator, let signerKey): [separator, signerKey]
      case .hmac(_, let key, _): [key]
      default: []
      }
    let bytes = ([salt, hash] + secrets).map { Base64.text(of: $0, .url) }
    return "$" + (parts + bytes).joined(separator: "$")
  }

  /// - Throws: `damaged` for a text of another form.
  package init(text: String) throws(PasswordError) {
    let parts = text.split(separator: "$", omittingEmptySubsequences: false).map(String.init)
    guard parts.count >= 5, parts[0].isEmpty else { throw .damaged }
    var bytes: [[UInt8]] = []
    for part in parts[3...] {
      guard let value = Base64.bytes(part) else { throw .damaged }
      bytes.append(value)
    }
    let parameters = parts[2].split(separator: ",").map(String.init)
    guard
      let algorithm = PasswordAlgorithm(
        named: parts[1], parameters, secrets: Array(bytes.dropFirst(2)))
    else { throw .damaged }
    self.init(algorithm, salt: bytes[0], hash: bytes[1])
  }

  private static func order(_ isSaltFirst: Bool) -> String {
    isSaltFirst ? "salt-first" : "password-first"
  }
}

extension PasswordAlgorithm {
  fileprivate init?(named name: String, _ parameters: [String], secrets: [[UInt8]]) {
    let numbers = parameters.compactMap { Int($0) }
    let isSaltFirst = parameters.last == "salt-first"
    let parts = name.split(separator: "-").map(String.init)
    let family = parts.last.flatMap { Family(rawValue: $0) }
    switch (parts.first, family, numbers.count, secrets.count) {
    case ("scrypt", nil, 4, 0):
      self = .scrypt(
        logCost: numbers[0], blockSize: numbers[1], parallelism: numbers[2], byteCount: numbers[3])
    case ("firebase", nil, 2, 2):
      self = .firebaseScrypt(
        logCost: numbers[0], rounds: numbers[1], separator: secrets[0], signerKey: secrets[1])
    case ("pbkdf2", let family?, 1, 0): self = .pbkdf2(family, rounds: numbers[0])
    case ("hmac", let family?, 0, 1):
      self = .hmac(family, key: secrets[0], isSaltFirst: isSaltFirst)
    case (_, let family?, 1, 0) where parts.count == 1:
      self = .digest(family, rounds: numbers[0], isSaltFirst: isSaltFirst)
    default: return nil
    }
  }
}
