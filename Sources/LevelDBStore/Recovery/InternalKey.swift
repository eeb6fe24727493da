import OrderedStore

/// A key as LevelDB's tables have it: what the store's user calls the key, and which version.
///
/// | bytes | meaning |
/// |---|---|
/// | … | the user's key |
/// | 8 | number of the operation << 8, and 0 for a delete or 1 for a put; little-endian |
///
/// Keys are sorted by the user's key, and the versions of one by falling numbers: the newest first.
struct InternalKey: Equatable {
  static let trailerByteCount = 8
  /// Above the number of any operation; seeks and what separates blocks have it.
  static let maximumSequence: UInt64 = 1 << 56 - 1

  var userKey: [UInt8]
  var sequence: UInt64
  var isDeletion: Bool

  /// `nil` where `bytes` are too short or tell of no known kind.
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
