import HearthOrderedStore

/// A key as LevelDB's tables have it: the key of the store's user, and its version.
///
/// | bytes | meaning |
/// |---|---|
/// | … | the user's key |
/// | 8 | number of the operation << 8, and 0 for a delete or 1 for a put; little-endian |
///
/// Keys are sorted by the user's key, and its versions by falling numbers: the newest comes first.
struct InternalKey: Equatable, Sendable {
  static let trailerByteCount = 8
  /// Number above that of any operation, for seeks and for the keys between blocks.
  static let maximumSequence: UInt64 = 1 << 56 - 1

  let bytes: [UInt8]

  /// Reads a key; `nil` if `bytes` are too short or have an unknown kind.
  init?(_ bytes: [UInt8]) {
    guard bytes.count >= Self.trailerByteCount, bytes[bytes.count - Self.trailerByteCount] <= 1
    else { return nil }
    self.bytes = bytes
  }

  /// Takes the bytes of a key that was read before.
  init(read bytes: [UInt8]) {
    self.bytes = bytes
  }

  init(userKey: [UInt8], sequence: UInt64, isDeletion: Bool) {
    let trailer = sequence &<< 8 | (isDeletion ? 0 : 1)
    bytes = unsafe userKey + withUnsafeBytes(of: trailer.littleEndian) { unsafe Array($0) }
  }

  /// Makes a key that precedes all versions of a user's key, and nothing that comes before them.
  init(beginning userKey: [UInt8]) {
    self.init(userKey: userKey, sequence: Self.maximumSequence, isDeletion: false)
  }

  var userKey: [UInt8] { Array(bytes.dropLast(Self.trailerByteCount)) }
  var sequence: UInt64 { trailer &>> 8 }
  var isDeletion: Bool { trailer & 0xff == 0 }

  private var trailer: UInt64 {
    bytes.span.bytes.littleEndian(at: bytes.count - Self.trailerByteCount)
  }

  func hasUserKey(of other: InternalKey) -> Bool {
    bytes.count == other.bytes.count
      && bytes.dropLast(Self.trailerByteCount) == other.bytes.dropLast(Self.trailerByteCount)
  }

  /// Whether this key comes before `other` in a table.
  func precedes(_ other: InternalKey) -> Bool {
    let key = bytes.span.bytes.extracting(droppingLast: Self.trailerByteCount)
    let otherKey = other.bytes.span.bytes.extracting(droppingLast: Self.trailerByteCount)
    if key.precedes(otherKey) { return true }
    if otherKey.precedes(key) { return false }
    return trailer > other.trailer
  }
}
