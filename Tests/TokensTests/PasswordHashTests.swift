import HearthDocumentModel
import HearthFirestoreJSON
import HearthTokens
import Testing

@Suite struct PasswordHashTests {
  private static func bytes(hexadecimal text: String) -> [UInt8] {
    let digits = Array(text).compactMap(\.hexDigitValue)
    return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
  }

  private static func bytes(_ base64: String) throws -> [UInt8] {
    try #require(Base64.bytes(base64))
  }

  /// The vector of RFC 7914, section 12.
  @Test func scryptIsThatOfTheRFC() throws {
    let hash = PasswordHash(
      .scrypt(logCost: 14, blockSize: 8, parallelism: 1, byteCount: 64),
      salt: Array("SodiumChloride".utf8),
      hash: Self.bytes(
        hexadecimal: "7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2"
          + "d5432955613f0fcf62d49705242a9af9e61e85dc0d651e40dfcf017b45575887"))
    #expect(try hash.isHash(of: "pleaseletmein"))
    #expect(try !hash.isHash(of: "pleaseletmeiN"))
  }

  /// The vector that Firebase has published.
  @Test func theScryptOfFirebaseIsItsOwn() throws {
    let hash = PasswordHash(
      .firebaseScrypt(
        logCost: 14, rounds: 8, separator: try Self.bytes("Bw=="),
        signerKey: try Self.bytes(
          "jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA=="
        )),
      salt: try Self.bytes("42xEC+ixf3L2lw=="),
      hash: try Self.bytes(
        "lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ=="))
    #expect(try hash.isHash(of: "user1password"))
    #expect(try !hash.isHash(of: "user2password"))
    #expect(try PasswordHash(text: hash.text) == hash)
  }

  /// Vectors of RFC 6070 and RFC 4231, and digests that `sha1sum` and `md5sum` print.
  @Test(arguments: [
    (
      PasswordAlgorithm.pbkdf2(.sha1, rounds: 4096), "salt", "password",
      "4b007901b765489abead49d926f721d065a429c1"
    ),
    (
      .hmac(.sha256, key: Array("Jefe".utf8), isSaltFirst: true), "what do ya want ",
      "for nothing?", "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
    ),
    (
      .digest(.sha1, rounds: 1, isSaltFirst: true), "a", "bc",
      "a9993e364706816aba3e25717850c26c9cd0d89d"
    ),
    (
      .digest(.md5, rounds: 1, isSaltFirst: false), "c", "ab", "900150983cd24fb0d6963f7d28e17f72"
    ),
  ])
  func importedHashesAreCompared(
    _ algorithm: PasswordAlgorithm, _ salt: String, _ password: String, _ hexadecimal: String
  ) throws {
    let hash = PasswordHash(
      algorithm, salt: Array(salt.utf8), hash: Self.bytes(hexadecimal: hexadecimal))
    #expect(try hash.isHash(of: password))
    #expect(try !hash.isHash(of: password + "x"))
    #expect(try PasswordHash(text: hash.text) == hash)
  }

  @Test func aDigestOfTwoRoundsHashesTheFirst() throws {
    let two = PasswordHash(
      .digest(.sha256, rounds: 2, isSaltFirst: true), salt: [],
      hash: Self.bytes(
        hexadecimal: "4f8b42c22dd3729b519ba6f68d2da7cc5b2d606d05daed5ad5128cc03e6c6358"))
    #expect(try two.isHash(of: "abc"))
  }

  @Test func parametersThatNoServerBearsAreRefused() throws {
    for algorithm in [
      PasswordAlgorithm.scrypt(logCost: 30, blockSize: 8, parallelism: 1, byteCount: 32),
      .scrypt(logCost: 14, blockSize: 8, parallelism: 1, byteCount: 0),
      .pbkdf2(.sha1, rounds: 1 << 40), .digest(.md5, rounds: 0, isSaltFirst: true),
      .firebaseScrypt(logCost: 14, rounds: 8, separator: [], signerKey: []),
      .hmac(.md5, key: [], isSaltFirst: true),
    ] {
      #expect(throws: PasswordError.unusable) {
        try PasswordHash(algorithm, salt: [], hash: [1]).isHash(of: "a")
      }
    }
  }

  @Test(arguments: [
    "", "$", "scrypt", "$scrypt$14,8,1$AA$AA", "$scrypt$14,8,1,32$A*$AA", "$sha1$AA$AA",
    "$md6$1,salt-first$AA$AA", "$hmac-sha1$salt-first$AA$AA", "$x-sha1$1,salt-first$AA$AA",
  ])
  func aDamagedTextIsRefused(_ text: String) {
    #expect(throws: PasswordError.damaged) { try PasswordHash(text: text) }
  }

  @Test func anEmptyHashIsThatOfNoPassword() throws {
    for algorithm in [PasswordAlgorithm.digest(.sha1, rounds: 1, isSaltFirst: true)] {
      #expect(try !PasswordHash(algorithm, salt: [], hash: []).isHash(of: ""))
    }
  }
}
