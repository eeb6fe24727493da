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

  /// Key of the current entry.
  var key: InternalKey { InternalKey(read: entries.key) }
  var value: ArraySlice<UInt8> { entries.valueSlice }

  /// Moves to the first entry at or after `key`.
  ///
  /// - Complexity: logarithmic.
  mutating func seek(to key: InternalKey) throws(MalformedBlock) {
    isFresh = false
    // Find the last entry that is written whole and comes before the key.
    let restart = try restarts.first(reaching: { (restart) throws(MalformedBlock) in
      try read(at: entries.restart(restart))
      return !isValid || !self.key.precedes(key)
    })
    try read(at: entries.restart(restart - 1))
    while isValid, self.key.precedes(key) { try readNext() }
  }

  /// Moves to the last entry before `key`.
  mutating func seek(before key: InternalKey) throws(MalformedBlock) {
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

  /// Numbers of the restarts but the first, which stands before everything.
  private var restarts: Range<Int> { min(1, entries.restartCount)..<entries.restartCount }

  private mutating func readPrevious() throws(MalformedBlock) {
    let end = start
    guard end > 0 else {
      isValid = false
      return
    }
    let restart = restarts.first(reaching: { entries.restart($0) >= end })
    try read(at: entries.restart(restart - 1), before: end)
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
    guard isValid ? InternalKey(entries.key) != nil : entries.isAtEnd else {
      throw MalformedBlock()
    }
  }
}
