import FoundationEssentials

/// The id of a transaction, by which its client names it: 16 random bytes.
struct TransactionID: Hashable, Sendable {
  private let high: UInt64
  private let low: UInt64

  /// Makes an id that no other caller can guess.
  init() {
    var generator = SystemRandomNumberGenerator()
    (high, low) = (generator.next(), generator.next())
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
