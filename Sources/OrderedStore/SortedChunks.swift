/// A sorted map of byte keys as a value: an array of short sorted runs of entries.
///
/// Copies share their runs. A change after a copy was taken copies the list of runs and the one run
/// that changes. Without a copy the change happens in place. With `n` entries that is about `n/256`
/// references and 256 entries at worst, which is good enough for a reference implementation.
struct SortedChunks: Sendable {
  struct Entry: Sendable {
    let key: [UInt8]
    var value: [UInt8]
  }

  /// The place of an entry.
  struct Position: Sendable {
    var chunk: Int
    var entry: Int
  }

  private static let maximumEntryCount = 256

  /// Runs of entries. None is empty, and each ends before the next begins.
  private var chunks: [[Entry]] = []

  subscript(position: Position) -> Entry { chunks[position.chunk][position.entry] }

  /// Returns the position of the first entry at or after `key`; `nil` if there is none.
  ///
  /// - Complexity: logarithmic.
  func position(atOrAfter key: [UInt8]) -> Position? {
    guard let chunk = firstChunk(endingAtOrAfter: key) else { return nil }
    return Position(chunk: chunk, entry: Self.firstEntry(atOrAfter: key, in: chunks[chunk]))
  }

  func position(after position: Position) -> Position? {
    if position.entry + 1 < chunks[position.chunk].count {
      return Position(chunk: position.chunk, entry: position.entry + 1)
    }
    guard position.chunk + 1 < chunks.count else { return nil }
    return Position(chunk: position.chunk + 1, entry: 0)
  }

  /// Returns the position of the entry before `position`, or of the last entry if `position` is
  /// `nil`.
  func position(before position: Position?) -> Position? {
    if let position, position.entry > 0 {
      return Position(chunk: position.chunk, entry: position.entry - 1)
    }
    let chunk = (position?.chunk ?? chunks.count) - 1
    guard chunk >= 0 else { return nil }
    return Position(chunk: chunk, entry: chunks[chunk].count - 1)
  }

  func value(of key: [UInt8]) -> [UInt8]? {
    guard let position = position(atOrAfter: key) else { return nil }
    let entry = self[position]
    return entry.key == key ? entry.value : nil
  }

  mutating func put(_ key: [UInt8], _ value: [UInt8]) {
    guard !chunks.isEmpty else {
      chunks.append([Entry(key: key, value: value)])
      return
    }
    // A key after all others goes to the end of the last run.
    let chunk = firstChunk(endingAtOrAfter: key) ?? chunks.count - 1
    let entry = Self.firstEntry(atOrAfter: key, in: chunks[chunk])
    if entry < chunks[chunk].count, chunks[chunk][entry].key == key {
      chunks[chunk][entry].value = value
      return
    }
    chunks[chunk].insert(Entry(key: key, value: value), at: entry)
    if chunks[chunk].count > Self.maximumEntryCount { split(chunk) }
  }

  mutating func delete(_ key: [UInt8]) {
    guard let position = position(atOrAfter: key), self[position].key == key else { return }
    chunks[position.chunk].remove(at: position.entry)
    if chunks[position.chunk].isEmpty { chunks.remove(at: position.chunk) }
  }

  /// Returns the bytes of the keys and values from `lower` up to `upper`.
  func byteCount(from lower: [UInt8], to upper: [UInt8]) -> Int {
    var total = 0
    var next = position(atOrAfter: lower)
    while let position = next {
      let entry = self[position]
      guard entry.key.precedes(upper) else { break }
      total += entry.key.count + entry.value.count
      next = self.position(after: position)
    }
    return total
  }

  private mutating func split(_ chunk: Int) {
    // Keys that arrive in order leave full runs behind; other runs are cut in the middle.
    let isLast = chunk == chunks.count - 1
    let cut = isLast ? Self.maximumEntryCount - 1 : chunks[chunk].count / 2
    let tail = Array(chunks[chunk][cut...])
    chunks[chunk].removeSubrange(cut...)
    chunks.insert(tail, at: chunk + 1)
  }

  private func firstChunk(endingAtOrAfter key: [UInt8]) -> Int? {
    let index = chunks.indices.first(reaching: { index in
      guard let last = chunks[index].last else { return false }
      return !last.key.precedes(key)
    })
    return index < chunks.count ? index : nil
  }

  private static func firstEntry(atOrAfter key: [UInt8], in entries: [Entry]) -> Int {
    entries.indices.first(reaching: { !entries[$0].key.precedes(key) })
  }
}
