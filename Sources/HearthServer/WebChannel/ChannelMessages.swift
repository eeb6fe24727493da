/// The client's messages, in the order of their numbers (W§7.3).
///
/// A request may come twice, and before an earlier one.
struct ChannelMessages {
  /// Messages whose turn it is, and that the stream has not taken.
  private var ready: [String] = []
  /// Index of the first message that the stream has not taken.
  private var takenCount = 0
  /// Messages before which others are missing, by their numbers.
  private var early: [Int: String] = [:]
  /// The number of the next message that is not there.
  private(set) var nextNumber = 0
  /// Bytes of all messages that are held.
  private(set) var byteCount = 0

  /// Adds messages, but for those that were there before.
  ///
  /// - Parameter first: the number of the first one.
  mutating func add(_ messages: [String], from first: Int) {
    for (number, message) in zip(first..., messages) where number >= nextNumber {
      guard early[number] == nil else { continue }
      early[number] = message
      byteCount += message.utf8.count
    }
    while let next = early.removeValue(forKey: nextNumber) {
      ready.append(next)
      nextNumber += 1
    }
  }

  /// Takes the next message; `nil` if it isn't there yet.
  mutating func takeNext() -> String? {
    guard takenCount < ready.count else { return nil }
    let message = ready[takenCount]
    takenCount += 1
    byteCount -= message.utf8.count
    if takenCount == ready.count { (ready, takenCount) = ([], 0) }
    return message
  }
}
