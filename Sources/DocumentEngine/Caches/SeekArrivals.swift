import Synchronization

/// Keys at which the latest seeks from a few places have arrived.
///
/// It keeps hashes of the keys, in slots by the hash of the place, without a lock. A place whose
/// slot another one has taken counts as new, so it may be wrong for a place in 2³² only.
struct SeekArrivals: ~Copyable, Sendable {
  private static let slotCount = 64

  /// The hash of the place, and that of the key found, in 32 bits each; 0 for none.
  private let slots: InlineArray<64, Atomic<UInt64>>

  init() {
    slots = InlineArray { _ in Atomic(0) }
  }

  /// Notes where a seek has arrived. Returns whether the last one from the same place arrived at
  /// another key.
  func note(_ place: RawSpan, _ found: RawSpan) -> Bool {
    let (placeHash, foundHash) = (SeekArrivals.hash(place), SeekArrivals.hash(found))
    let new = placeHash & ~0xFFFF_FFFF | foundHash >> 32
    let slot = Int(truncatingIfNeeded: placeHash) & (SeekArrivals.slotCount - 1)
    let last = slots[slot].load(ordering: .relaxed)
    guard last != new else { return false }
    slots[slot].store(new, ordering: .relaxed)
    return last >> 32 == new >> 32
  }

  /// The hash of FNV-1a, whose upper bits are mixed best.
  private static func hash(_ bytes: RawSpan) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    bytes.withUnsafeBytes { bytes in
      for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    }
    return hash
  }
}
