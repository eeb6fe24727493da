import HearthFirestoreJSON

/// The arrays that leave on a channel, which are held until the client has acknowledged them
/// (W§7.2).
///
/// Each is `[id,payload]`, and the ids rise by one.
struct ChannelArrays {
  private struct Entry {
    let id: Int
    let bytes: [UInt8]
  }

  private var entries: [Entry] = []
  /// Number of entries at the beginning that have been sent on the present answer.
  private var sentCount = 0
  /// The id of the last array.
  private(set) var lastID = 0
  /// The id of the last array that was ever sent.
  private(set) var lastSentID = 0
  /// Bytes of all arrays that are held.
  private(set) var byteCount = 0

  /// Whether an array waits to be sent.
  var hasUnsent: Bool { sentCount < entries.count }

  /// Adds an array.
  mutating func append(_ payload: JSONValue) {
    lastID += 1
    let bytes = JSONValue.array([.integer(Int64(lastID)), payload]).text
    entries.append(Entry(id: lastID, bytes: bytes))
    byteCount += bytes.count
  }

  /// Drops the arrays that the client has.
  ///
  /// - Parameter id: the id of the last array that it has.
  mutating func acknowledge(upTo id: Int) {
    let count = entries.prefix { $0.id <= id }.count
    byteCount -= entries.prefix(count).reduce(0) { $0 + $1.bytes.count }
    entries.removeFirst(count)
    sentCount = max(0, sentCount - count)
  }

  /// Begins anew with the first array that is held, on another answer.
  mutating func startAgain() { sentCount = 0 }

  /// Takes the arrays that have not been sent on the present answer, as one part of it.
  ///
  /// - Parameter limit: the number of bytes after which the part takes no further array.
  /// - Returns: `nil` if there is none.
  mutating func takePart(upTo limit: Int) -> [UInt8]? {
    guard hasUnsent else { return nil }
    var text = Array("[".utf8)
    while hasUnsent, text.count < limit {
      if text.count > 1 { text.append(UInt8(ascii: ",")) }
      text += entries[sentCount].bytes
      lastSentID = max(lastSentID, entries[sentCount].id)
      sentCount += 1
    }
    text.append(UInt8(ascii: "]"))
    return ChannelPart.bytes(of: text)
  }
}
