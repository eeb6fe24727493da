/// A table from the hash of a key to the serial number of its last place in ``DeadKeys``.
///
/// Keys may share a hash, and then have a place each. A writer can't choose many such keys, since
/// hashes have a seed.
package struct KeySerials {
  /// The lowest serial number that is given.
  static let first: UInt64 = 2
  private static let none: UInt64 = 0
  private static let removed: UInt64 = 1

  private struct Slot {
    var hash: UInt64
    var serial: UInt64
  }

  /// A power of two of them, at most half of them used.
  private var slots: [Slot] = []
  private var usedCount = 0
  private let seed: UInt64

  init(seed: UInt64) {
    self.seed = seed
  }

  private var isFull: Bool { 2 * usedCount >= slots.count }

  var byteCount: Int { slots.count * MemoryLayout<Slot>.stride }

  /// The bytes that there are after the insertion of another key.
  ///
  /// - Parameter liveCount: the highest number of serial numbers that are still in use.
  func byteCount(inserting liveCount: Int) -> Int {
    isFull ? Self.slotCount(for: liveCount) * MemoryLayout<Slot>.stride : byteCount
  }

  private static func slotCount(for liveCount: Int) -> Int {
    var count = 64
    while count < 3 * liveCount { count *= 2 }
    return count
  }

  /// The first place of a hash, or the next one after `place`.
  func place(of hash: UInt64, after place: Int? = nil) -> Int? {
    guard !slots.isEmpty else { return nil }
    let mask = slots.count - 1
    var place = place.map { ($0 + 1) & mask } ?? Int(truncatingIfNeeded: hash) & mask
    while slots[place].serial != Self.none {
      if slots[place].hash == hash { return place }
      place = (place + 1) & mask
    }
    return nil
  }

  /// The last serial number that was set at a place; it may be one that is no longer in use.
  func serial(at place: Int) -> UInt64 { slots[place].serial }

  mutating func set(_ serial: UInt64, at place: Int) { slots[place].serial = serial }

  mutating func remove(at place: Int) { slots[place].serial = Self.removed }

  /// - Parameters:
  ///   - limit: the lowest serial number that is still in use.
  ///   - liveCount: the highest number of those that are.
  mutating func insert(
    _ serial: UInt64, of hash: UInt64, liveFrom limit: UInt64, liveCount: Int
  ) {
    if isFull { rebuild(liveFrom: limit, liveCount: liveCount) }
    place(Slot(hash: hash, serial: serial), over: limit)
  }

  /// Puts a slot in the first place for it whose serial number is lower than `limit`.
  private mutating func place(_ slot: Slot, over limit: UInt64) {
    let mask = slots.count - 1
    var place = Int(truncatingIfNeeded: slot.hash) & mask
    while slots[place].serial >= limit { place = (place + 1) & mask }
    if slots[place].serial == Self.none { usedCount += 1 }
    slots[place] = slot
  }

  private mutating func rebuild(liveFrom limit: UInt64, liveCount: Int) {
    let live = slots.filter { $0.serial >= limit }
    slots = [Slot](
      repeating: Slot(hash: 0, serial: Self.none), count: Self.slotCount(for: liveCount))
    usedCount = 0
    for slot in live { place(slot, over: limit) }
  }

  mutating func removeAll() {
    slots = []
    usedCount = 0
  }

  func hash(_ key: RawSpan) -> UInt64 { Self.hash(key, seed: seed) }

  package static func hash(_ key: [UInt8], seed: UInt64) -> UInt64 {
    hash(key.span.bytes, seed: seed)
  }

  private static func hash(_ key: RawSpan, seed: UInt64) -> UInt64 {
    var hash = seed &+ UInt64(truncatingIfNeeded: key.byteCount)
    var offset = 0
    while offset &+ 8 <= key.byteCount {
      Self.mix(unsafe key.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self), into: &hash)
      offset &+= 8
    }
    var rest: UInt64 = 0
    while offset < key.byteCount {
      rest = rest &<< 8 | UInt64(unsafe key.unsafeLoad(fromByteOffset: offset, as: UInt8.self))
      offset &+= 1
    }
    Self.mix(rest, into: &hash)
    return hash
  }

  private static func mix(_ word: UInt64, into hash: inout UInt64) {
    let (high, low) = (hash ^ word).multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
    hash = high ^ low
  }
}
