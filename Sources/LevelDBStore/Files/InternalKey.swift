import HearthOrderedStore

/// A key as LevelDB's tables have it: the key of the store's user, and its version.
///
/// | bytes | meaning |
/// |---|---|
/// | … | the user's key |
/// | 8 | number of the operation << 8, and 0 for a delete or 1 for a put; little-endian |
///
/// Keys are sorted by the user's key, and its versions by falling numbers: the newest comes first.
struct InternalKey: Equatable {
  static let trailerByteCount = 8
  /// Number above that of any operation, for seeks and for the keys between blocks.
  static let maximumSequence: UInt64 = 1 << 56 - 1

  var userKey: [UInt8]
  var sequence: UInt64
  var isDeletion: Bool

  /// Reads a key; `nil` if `bytes` are too short or have an unknown kind.
  init?(_ bytes: [UInt8]) {
    guard bytes.count >= Self.trailerByteCount else { return nil }
    let start = bytes.count - Self.trailerByteCount
    let trailer = UInt64(
      littleEndian: unsafe bytes.span.bytes.unsafeLoadUnaligned(
        fromByteOffset: start, as: UInt64.self))
    guard trailer & 0xff <= 1 else { return nil }
    userKey = Array(bytes[..<start])
    sequence = trailer &>> 8
    isDeletion = trailer & 0xff == 0
  }

  init(userKey: [UInt8], sequence: UInt64, isDeletion: Bool) {
    self.userKey = userKey
    self.sequence = sequence
    self.isDeletion = isDeletion
  }

  func precedes(_ other: InternalKey) -> Bool {
    if userKey == other.userKey { return sequence > other.sequence }
    return userKey.precedes(other.userKey)
  }
}

// MARK: - Keys as bytes, for reads that must not copy each

extension InternalKey {
  /// The key as tables have it.
  var bytes: [UInt8] {
    let trailer = sequence &<< 8 | (isDeletion ? 0 : 1)
    return unsafe userKey + withUnsafeBytes(of: trailer.littleEndian) { unsafe Array($0) }
  }

  /// Returns a key that precedes all versions of a user's key, and nothing that comes before them.
  static func beginning(of userKey: [UInt8]) -> [UInt8] {
    InternalKey(userKey: userKey, sequence: maximumSequence, isDeletion: false).bytes
  }

  /// Whether `bytes` are a key, which the functions below require.
  static func isWhole(_ bytes: [UInt8]) -> Bool {
    bytes.count >= trailerByteCount && bytes[bytes.count - trailerByteCount] <= 1
  }

  static func userKey(of bytes: [UInt8]) -> ArraySlice<UInt8> {
    bytes.dropLast(trailerByteCount)
  }

  static func isDeletion(_ bytes: [UInt8]) -> Bool { trailer(of: bytes) & 0xff == 0 }

  static func haveSameUserKey(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    left.count == right.count && userKey(of: left) == userKey(of: right)
  }

  /// Whether `left` comes before `right` in a table.
  static func precedes(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    let leftKey = left.span.bytes.extracting(0..<left.count - trailerByteCount)
    let rightKey = right.span.bytes.extracting(0..<right.count - trailerByteCount)
    if leftKey.precedes(rightKey) { return true }
    if rightKey.precedes(leftKey) { return false }
    return trailer(of: left) > trailer(of: right)
  }

  private static func trailer(of bytes: [UInt8]) -> UInt64 {
    UInt64(
      littleEndian: unsafe bytes.span.bytes.unsafeLoadUnaligned(
        fromByteOffset: bytes.count - trailerByteCount, as: UInt64.self))
  }
}
