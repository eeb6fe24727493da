import FoundationEssentials

/// The id of a transaction, by which its client names it: 8 random bytes, and 8 of their owner.
///
/// The latter are a hash with a key of the process, so that an id of the owner's is known as one
/// even when its transaction is forgotten.
struct TransactionID: Hashable, Sendable {
  private let high: UInt64
  private let low: UInt64

  /// Makes an id that no other caller can guess.
  init(of owner: TransactionOwner) {
    var generator = SystemRandomNumberGenerator()
    high = generator.next()
    low = TransactionID.mark(high, owner)
  }

  /// Whether this process made the id for a transaction of an owner.
  func isOf(_ owner: TransactionOwner) -> Bool { low == TransactionID.mark(high, owner) }

  private static func mark(_ number: UInt64, _ owner: TransactionOwner) -> UInt64 {
    // Hashers have a random key in each process.
    var hasher = Hasher()
    hasher.combine(number)
    hasher.combine(owner)
    return UInt64(bitPattern: Int64(hasher.finalize()))
  }

  /// - Returns: `nil` for bytes that are no id.
  init?(_ data: Data) {
    guard data.count == 16 else { return nil }
    func word(_ bytes: Data) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
    (high, low) = (word(data.prefix(8)), word(data.suffix(8)))
  }

  var data: Data {
    Data(
      [high, low].flatMap { word in
        stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: word >> $0) }
      })
  }
}
