import OrderedStore

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
/// - LevelDB drops a delete only if no snapshot is older than the delete.
/// - An older put outlives a compaction with that delete only if the version between them, the dead
///   value, is newer than the oldest snapshot. No snapshot is older than the dead value from the
///   write of the delete on, since the oldest snapshot never goes backwards.
/// - LevelDB never drops a put that a reader can still see, so a dead value is right for every view
///   at any time. A lost delete can only uncover the dead value, which reads as absent.
///
/// The queue is in memory only. It forgets keys in a crash, and keys beyond its limit. A forgotten
/// key reads as absent for good, and takes up room until a cursor or a compaction steps over it.
/// Its dead value is then from before the opening, or from a write up to ``lastForgotten``. A later
/// write may have superseded the dead value, so the key is looked up first. After a failed batch,
/// which may or may not be in the log, the queue may be wrong about the batch's keys. Nothing is
/// written any more then.
struct DeadKeys {
  private struct Entry {
    var ordinal: UInt64
    var keyByteCount: Int
  }

  private let byteCountLimit: Int
  private var keys: [UInt8] = []
  private var entries: [Entry] = []
  /// Number of entries at the front that are finished, and the bytes of their keys.
  private var takenCount = 0
  private var takenByteCount = 0
  /// Serial number of the first of `entries`.
  private var baseSerial = KeySerials.first
  private var serials = KeySerials()
  /// Number of the last write of which a dead value was forgotten.
  private(set) var lastForgotten: UInt64 = 0

  init(byteCountLimit: Int) {
    self.byteCountLimit = byteCountLimit
  }

  var count: Int { entries.count - takenCount }
  var isEmpty: Bool { takenCount == entries.count }

  /// Number of bytes allocated for the queue.
  var byteCount: Int {
    keys.capacity + entries.capacity * MemoryLayout<Entry>.stride + serials.byteCount
  }

  private var firstSerial: UInt64 { baseSerial + UInt64(takenCount) }

  /// Adds a key to which the write numbered `ordinal` gives a dead value.
  mutating func append(_ key: RawSpan, ordinal: UInt64) {
    let hash = serials.hash(key)
    guard hasRoom(for: key.byteCount) else {
      lastForgotten = ordinal
      return serials.remove(hash)
    }
    serials.set(hash, to: baseSerial + UInt64(entries.count), liveFrom: firstSerial)
    entries.append(Entry(ordinal: ordinal, keyByteCount: key.byteCount))
    unsafe key.withUnsafeBytes { unsafe keys.append(contentsOf: $0) }
  }

  private func hasRoom(for keyByteCount: Int) -> Bool {
    let keyEnd = keys.count + keyByteCount
    let keyCapacity = keyEnd <= keys.capacity ? keys.capacity : 2 * keyEnd
    let capacity = entries.count < entries.capacity ? entries.capacity : 2 * entries.count + 2
    return keyCapacity + capacity * MemoryLayout<Entry>.stride + serials.nextByteCount
      <= byteCountLimit
  }

  /// Records that a write puts or deletes a key, so that its dead value is no longer the newest.
  mutating func remove(_ key: RawSpan) {
    if !isEmpty { serials.remove(serials.hash(key)) }
  }

  func contains(_ key: RawSpan) -> Bool {
    !isEmpty && serials.serial(of: serials.hash(key)).map { $0 >= firstSerial } ?? false
  }

  /// Whether there are keys from writes before the one numbered `ordinal`.
  func hasKeys(before ordinal: UInt64) -> Bool {
    !isEmpty && entries[takenCount].ordinal < ordinal
  }

  /// Takes keys off the front while every view is as young as their dead values.
  ///
  /// - Parameters:
  ///   - oldest: the number of the last write that every view sees.
  ///   - limit: the largest number of keys to look at.
  ///   - body: called with each key whose dead value is the newest version.
  /// - Returns: whether more keys may be due.
  mutating func takeDue(
    through oldest: UInt64, upTo limit: Int, _ body: (_ key: RawSpan) -> Void
  ) -> Bool {
    var left = limit
    while !isEmpty, entries[takenCount].ordinal <= oldest {
      guard left > 0 else { return true }
      left -= 1
      visitFirst(body)
      takenByteCount += entries[takenCount].keyByteCount
      takenCount += 1
    }
    shift()
    return false
  }

  private func visitFirst(_ body: (_ key: RawSpan) -> Void) {
    let end = takenByteCount + entries[takenCount].keyByteCount
    let key = keys.span.bytes.extracting(takenByteCount..<end)
    if serials.serial(of: serials.hash(key)) == firstSerial { body(key) }
  }

  /// Forgets all keys, as of the write numbered `ordinal`.
  mutating func forgetAll(at ordinal: UInt64) {
    lastForgotten = ordinal
    takenCount = entries.count
    takenByteCount = keys.count
    shift()
  }

  /// Gives back the room of finished keys.
  private mutating func shift() {
    let keptByteCount = 1 << 16
    if isEmpty {
      baseSerial += UInt64(entries.count)
      let isSmall = byteCount <= keptByteCount
      keys.removeAll(keepingCapacity: isSmall)
      entries.removeAll(keepingCapacity: isSmall)
      if !isSmall { serials = KeySerials() }
    } else if takenCount > 1024, takenCount > count {
      baseSerial += UInt64(takenCount)
      keys.removeFirst(takenByteCount)
      entries.removeFirst(takenCount)
    } else {
      return
    }
    (takenCount, takenByteCount) = (0, 0)
  }
}
