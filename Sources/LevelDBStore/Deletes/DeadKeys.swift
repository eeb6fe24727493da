import HearthOrderedStore

/// A queue of keys that are still to be deleted from LevelDB, in the order of their deletes. They
/// hold dead values until then.
///
/// LevelDB 1.23 may bring a deleted key back. While a snapshot is held, compaction keeps several
/// versions of a key, and may end a table of a level between the delete and the older put. A later
/// compaction may take only the left table, drop the delete, and leave the put.
///
/// So a delete is written as a put of a dead value first. The delete itself follows in a later
/// write, once every view is as young as the dead value. The age of a dead value is its ordinal,
/// which is the number of its write. Then nothing comes back:
///
/// The queue is in memory alone. A key that it forgets, in a crash or beyond its limit, reads as
/// absent for good, and takes up room until a cursor or a compaction steps over it. Its dead value
/// is then from before the opening, or from a write up to ``lastForgotten``. A later write may have
/// superseded the dead value, so the key is looked up first. After a failed batch, which may or may
/// not be in the log, the queue may be wrong about the batch's keys. Nothing is written any more
/// then.
package struct DeadKeys {
  private struct Entry {
    var ordinal: UInt64
    /// End of its key, counted from the first byte that the queue ever had.
    var keyEnd: UInt64
  }

  private let byteCountLimit: Int
  private var keys: [UInt8] = []
  private var entries: [Entry] = []
  /// Number of entries at the front that are finished.
  private var takenCount = 0
  /// The serial number of the first of `entries`, and where its key begins.
  private var baseSerial = KeySerials.first
  private var baseByte: UInt64 = 0
  private var serials: KeySerials
  /// The number of the last write of which a dead value was forgotten.
  private(set) var lastForgotten: UInt64 = 0

  package init(
    byteCountLimit: Int, hashSeed: UInt64 = UInt64.random(in: 0...UInt64.max)
  ) {
    self.byteCountLimit = byteCountLimit
    serials = KeySerials(seed: hashSeed)
  }

  package var count: Int { entries.count - takenCount }
  var isEmpty: Bool { takenCount == entries.count }

  /// Number of bytes allocated for the queue.
  var byteCount: Int {
    keys.capacity + entries.capacity * MemoryLayout<Entry>.stride + serials.byteCount
  }

  private var firstSerial: UInt64 { baseSerial + UInt64(takenCount) }

  /// Adds a key that the write numbered `ordinal`, or an earlier one, gives a dead value.
  package mutating func append(_ key: RawSpan, ordinal: UInt64) {
    let hash = serials.hash(key)
    let place = place(of: key, hash)
    guard hasRoom(for: key.byteCount) else {
      lastForgotten = ordinal
      if let place { serials.remove(at: place) }
      return
    }
    let serial = baseSerial + UInt64(entries.count)
    if let place {
      serials.set(serial, at: place)
    } else {
      serials.insert(serial, of: hash, liveFrom: firstSerial, liveCount: count)
    }
    entries.append(
      Entry(ordinal: ordinal, keyEnd: baseByte + UInt64(keys.count + key.byteCount)))
    unsafe key.withUnsafeBytes { unsafe keys.append(contentsOf: $0) }
  }

  func hasRoom(for keyByteCount: Int) -> Bool {
    let keyEnd = keys.count + keyByteCount
    let keyCapacity = keyEnd <= keys.capacity ? keys.capacity : 2 * keyEnd
    let capacity = entries.count < entries.capacity ? entries.capacity : 2 * entries.count + 2
    return keyCapacity + capacity * MemoryLayout<Entry>.stride
      + serials.byteCount(inserting: count) <= byteCountLimit
  }

  /// Takes note that a write puts or deletes a key: its dead value is the newest no more.
  package mutating func remove(_ key: RawSpan) {
    if !isEmpty, let place = place(of: key, serials.hash(key)) { serials.remove(at: place) }
  }

  package func contains(_ key: RawSpan) -> Bool {
    !isEmpty && place(of: key, serials.hash(key)) != nil
  }

  /// Returns the keys that aren't queued.
  func unqueued(_ keys: [[UInt8]]) -> [[UInt8]] {
    keys.filter { !contains($0.span.bytes) }
  }

  /// The place in `serials` of a key that is queued.
  private func place(of key: RawSpan, _ hash: UInt64) -> Int? {
    var place = serials.place(of: hash)
    while let found = place {
      let serial = serials.serial(at: found)
      if serial >= firstSerial {
        let bytes = keyBytes(ofEntry: Int(serial - baseSerial))
        if keys.span.bytes.extracting(bytes).equals(key) { return found }
      }
      place = serials.place(of: hash, after: found)
    }
    return nil
  }

  private func keyBytes(ofEntry index: Int) -> Range<Int> {
    let start = index == 0 ? baseByte : entries[index - 1].keyEnd
    return Int(start - baseByte)..<Int(entries[index].keyEnd - baseByte)
  }

  /// Takes keys off the front while every view is as young as their dead values.
  ///
  /// - Parameters:
  ///   - oldest: the number of the last write that every view sees.
  ///   - limit: number of keys that are looked at, at most.
  ///   - body: called with those whose dead value is the newest version.
  /// - Returns: whether there may be more that are due.
  package mutating func takeDue(
    through oldest: UInt64, upTo limit: Int, _ body: (_ key: RawSpan) -> Void
  ) -> Bool {
    defer { shift() }
    var left = limit
    while !isEmpty, entries[takenCount].ordinal <= oldest {
      guard left > 0 else { return true }
      left -= 1
      visitFirst(body)
      takenCount += 1
    }
    return false
  }

  private func visitFirst(_ body: (_ key: RawSpan) -> Void) {
    let key = keys.span.bytes.extracting(keyBytes(ofEntry: takenCount))
    let hash = serials.hash(key)
    var place = serials.place(of: hash)
    while let found = place {
      if serials.serial(at: found) == firstSerial { return body(key) }
      place = serials.place(of: hash, after: found)
    }
  }

  /// Gives back the room of finished keys.
  private mutating func shift() {
    let keptByteCount = 1 << 16
    if isEmpty {
      baseSerial += UInt64(entries.count)
      baseByte += UInt64(keys.count)
      let isSmall = byteCount <= keptByteCount
      keys.removeAll(keepingCapacity: isSmall)
      entries.removeAll(keepingCapacity: isSmall)
      if !isSmall { serials.removeAll() }
    } else if takenCount > 64, 4 * takenCount > count {
      let takenByteCount = keyBytes(ofEntry: takenCount).lowerBound
      baseSerial += UInt64(takenCount)
      baseByte += UInt64(takenByteCount)
      keys.removeFirst(takenByteCount)
      entries.removeFirst(takenCount)
    } else {
      return
    }
    takenCount = 0
  }
}
