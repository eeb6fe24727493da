import HearthOrderedStore

/// A block with a correct checksum and malformed contents.
struct MalformedBlock: Error {}

/// A position among the entries of a table's block, which moves in both directions.
struct BlockCursor {
  private var entries: BlockEntries
  /// Offset of the entry under the cursor.
  private var start = 0
  private(set) var isValid = false
  /// Whether the cursor has not moved yet. It then stands before the first entry and after the
  /// last.
  private var isFresh = true

  init(_ contents: [UInt8]) throws(MalformedBlock) {
    // Entries before the first one that is written whole could never be found.
    guard let entries = BlockEntries(contents), entries.restart(0) == 0 else {
      throw MalformedBlock()
    }
    self.entries = entries
  }

  /// Key of the current entry: the bytes of an ``InternalKey``.
  var key: [UInt8] { entries.key }
  var value: ArraySlice<UInt8> { entries.valueSlice }

  /// Moves to the first entry at or after `key`.
  ///
  /// - Complexity: logarithmic.
  mutating func seek(to key: [UInt8]) throws(MalformedBlock) {
    isFresh = false
    var (low, high) = (0, entries.restartCount)
    // Find the last entry that is written whole and comes before the key.
    while low + 1 < high {
      let middle = (low + high) / 2
      try read(at: entries.restart(middle))
      if isValid, InternalKey.precedes(entries.key, key) { low = middle } else { high = middle }
    }
    try read(at: entries.restart(low))
    while isValid, InternalKey.precedes(entries.key, key) { try readNext() }
  }

  /// Moves to the last entry before `key`.
  mutating func seek(before key: [UInt8]) throws(MalformedBlock) {
    try seek(to: key)
    if isValid { try readPrevious() } else { try readLast() }
  }

  mutating func seekToLast() throws(MalformedBlock) {
    isFresh = false
    try readLast()
  }

  /// Moves to the next entry, or to the first one if the cursor is fresh.
  mutating func next() throws(MalformedBlock) {
    if isFresh {
      isFresh = false
      try read(at: 0)
    } else if isValid {
      try readNext()
    }
  }

  /// Moves to the previous entry, or to the last one if the cursor is fresh.
  mutating func previous() throws(MalformedBlock) {
    if isFresh {
      isFresh = false
      try readLast()
    } else if isValid {
      try readPrevious()
    }
  }

  private mutating func readPrevious() throws(MalformedBlock) {
    let end = start
    guard end > 0 else {
      isValid = false
      return
    }
    var (low, high) = (0, entries.restartCount)
    while low + 1 < high {
      let middle = (low + high) / 2
      if entries.restart(middle) < end { low = middle } else { high = middle }
    }
    try read(at: entries.restart(low), before: end)
  }

  private mutating func readLast() throws(MalformedBlock) {
    try read(at: entries.restart(entries.restartCount - 1), before: entries.byteCount)
  }

  /// Reads entries from `offset` on, up to the last one that begins before `end`.
  private mutating func read(at offset: Int, before end: Int = 0) throws(MalformedBlock) {
    guard entries.begin(at: offset) else { throw MalformedBlock() }
    repeat { try readNext() } while isValid && entries.offset < end
  }

  private mutating func readNext() throws(MalformedBlock) {
    start = entries.offset
    isValid = entries.next()
    guard isValid ? InternalKey.isWhole(entries.key) : entries.isAtEnd else {
      throw MalformedBlock()
    }
  }
}
