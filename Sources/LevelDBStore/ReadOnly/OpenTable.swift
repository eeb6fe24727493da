import HearthOrderedStore

/// An open table, which can be read even after LevelDB has deleted it.
final class OpenTable: Sendable {
  let number: UInt64
  let byteCount: Int
  /// First and last key.
  let smallest: InternalKey
  let largest: InternalKey
  private let name: String
  private let file: OpenFile
  /// Layout of the table; `nil` until its index was first needed.
  private let layout = Lock<TableLayout?>(nil)

  init(_ entry: Manifest.Table, number: UInt64, name: String, file: OpenFile) throws(StoreError) {
    self.number = number
    smallest = entry.smallest
    largest = entry.largest
    byteCount = try file.byteCount()
    self.name = name
    self.file = file
  }

  /// Returns a cursor over the table's index. It stands on no entry yet.
  ///
  /// - Throws: `.corrupt`, `.inputOutput`.
  func makeIndexCursor(_ cache: BlockCache) throws(StoreError) -> BlockCursor {
    try makeCursor(at: knownLayout().index, cache)
  }

  /// Returns a cursor over the block that an index entry names. It stands on no entry yet.
  ///
  /// - Throws: `.corrupt`, `.inputOutput`.
  func makeCursor(
    under index: BlockCursor, _ cache: BlockCache
  ) throws(StoreError) -> BlockCursor {
    guard let handle = handle(under: index) else {
      throw damage("names a block that does not lie in it")
    }
    return try makeCursor(at: handle, cache)
  }

  /// Returns the approximate offset at which the keys from `key` on begin. If the index is damaged,
  /// half of the table counts as before each of its keys.
  func offset(of key: InternalKey, _ cache: BlockCache) throws(StoreError) -> Int {
    guard smallest.precedes(key) else { return 0 }
    guard !largest.precedes(key) else { return byteCount }
    do throws(StoreError) {
      let index = try makeIndexCursor(cache, at: key)
      return index.isValid ? handle(under: index)?.offset ?? byteCount : byteCount
    } catch {
      guard error.code == .corrupt else { throw error }
      return byteCount / 2
    }
  }

  private func makeIndexCursor(
    _ cache: BlockCache, at key: InternalKey
  ) throws(StoreError) -> BlockCursor {
    var index = try makeIndexCursor(cache)
    do {
      try index.seek(to: key)
    } catch {
      throw damage("has an index that is no block")
    }
    return index
  }

  private func handle(under index: BlockCursor) -> BlockHandle? {
    var position = WireOffset()
    let value = Array(index.value)
    return BlockHandle(in: value.span.bytes, at: &position, fileByteCount: byteCount)
  }

  private func makeCursor(
    at handle: BlockHandle, _ cache: BlockCache
  ) throws(StoreError) -> BlockCursor {
    let place = BlockCache.Place(table: number, offset: handle.offset)
    let contents = try cache.contents(at: place) { () throws(StoreError) in
      let bytes = try file.contents(in: handle.offset..<handle.end)
      guard let contents = BlockHandle.contents(of: bytes.span.bytes) else {
        throw damage("has a damaged block at byte \(handle.offset)")
      }
      return contents
    }
    do {
      return try BlockCursor(contents)
    } catch {
      throw damage("has at byte \(handle.offset) what is no block")
    }
  }

  private func knownLayout() throws(StoreError) -> TableLayout {
    if let known = layout.withLock({ $0 }) { return known }
    let footer = try file.contents(in: TableLayout.footerRange(inFileOf: byteCount))
    guard let found = TableLayout(footer: footer.span.bytes, fileByteCount: byteCount) else {
      throw damage("ends early, or its end is damaged")
    }
    layout.withLock { $0 = found }
    return found
  }

  /// Returns the error for a part of the table that can't be read.
  func damage(_ what: String) -> StoreError {
    StoreError(.corrupt, "the table \(name) \(what)")
  }
}

/// Tables in the order of their keys, without overlaps.
extension [OpenTable] {
  /// Returns the index of the first table that has something at or after `key`; `count` if
  /// there is none.
  ///
  /// - Complexity: logarithmic.
  func firstIndex(endingAtOrAfter key: InternalKey) -> Int {
    indices.first(reaching: { !self[$0].largest.precedes(key) })
  }

  /// Returns the index of the first table that has nothing before `key`; `count` if there is none.
  ///
  /// - Complexity: logarithmic.
  func firstIndex(beginningAtOrAfter key: InternalKey) -> Int {
    indices.first(reaching: { !self[$0].smallest.precedes(key) })
  }

  /// Whether a table may have versions of a user key.
  ///
  /// - Complexity: logarithmic.
  func mayHold(_ userKey: [UInt8]) -> Bool {
    let place = firstIndex(endingAtOrAfter: InternalKey(beginning: userKey))
    guard indices.contains(place) else { return false }
    let oldest = InternalKey(userKey: userKey, sequence: 0, isDeletion: true)
    return !oldest.precedes(self[place].smallest)
  }
}
