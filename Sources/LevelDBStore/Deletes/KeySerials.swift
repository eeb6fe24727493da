/// A table from the hash of a key to the serial number of its last place in ``DeadKeys``.
///
/// Serial numbers are never used twice. So two keys with the same hash can't be confused: the
/// earlier one is forgotten. No caller can choose such keys, since hashes have a seed.
struct KeySerials {
  /// Lowest serial number of a key.
  static let first: UInt64 = 2
  private static let none: UInt64 = 0
  private static let removed: UInt64 = 1

  private struct Slot {
    var hash: UInt64
    var serial: UInt64
  }

  /// A power of two of slots, less than half of them used.
  private var slots: [Slot] = []
  private var usedCount = 0
  private let seed = UInt64.random(in: 0...UInt64.max)

  private var isFull: Bool { 2 * usedCount >= slots.count }

  var byteCount: Int { slots.count * MemoryLayout<Slot>.stride }

  /// Largest number of bytes that the table can have after another key.
  var nextByteCount: Int { isFull ? max(2 * byteCount, 1024) : byteCount }

  /// Returns the last serial number set for a hash, or `nil`. Its place may be finished already.
  func serial(of hash: UInt64) -> UInt64? {
    guard !slots.isEmpty else { return nil }
    let serial = slots[place(of: hash)].serial
    return serial >= Self.first ? serial : nil
  }

  /// - Parameter limit: the lowest serial number still in use.
  mutating func set(_ hash: UInt64, to serial: UInt64, liveFrom limit: UInt64) {
    if isFull { rebuild(liveFrom: limit) }
    let place = place(of: hash)
    if slots[place].serial == Self.none { usedCount += 1 }
    slots[place] = Slot(hash: hash, serial: serial)
  }

  mutating func remove(_ hash: UInt64) {
    guard !slots.isEmpty else { return }
    let place = place(of: hash)
    if slots[place].serial != Self.none { slots[place].serial = Self.removed }
  }

  /// Returns the slot of a hash, or the free slot for it.
  private func place(of hash: UInt64) -> Int {
    let mask = slots.count - 1
    var place = Int(truncatingIfNeeded: hash) & mask
    while slots[place].serial != Self.none, slots[place].hash != hash {
      place = (place + 1) & mask
    }
    return place
  }

  private mutating func rebuild(liveFrom limit: UInt64) {
    let live = slots.filter { $0.serial >= limit }
    var count = 64
    while count < 4 * live.count { count *= 2 }
    slots = [Slot](repeating: Slot(hash: 0, serial: Self.none), count: count)
    usedCount = live.count
    for slot in live { slots[place(of: slot.hash)] = slot }
  }

  func hash(_ key: RawSpan) -> UInt64 {
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
