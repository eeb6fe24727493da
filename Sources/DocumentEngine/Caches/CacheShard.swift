import HearthStorageFormat

/// A part of the document cache: slots in sets of four, found by the document's number.
///
/// Numbers are given in turn, so that the sets fill evenly without hashing. The slots grow with the
/// documents until the memory is used up. Then a hand goes round and evicts documents that no
/// reader asked for since its last visit.
///
/// The slots are no array, since readers would count references to it.
struct CacheShard: ~Copyable {
  private struct Slot {
    var record: DocumentRecord?
    var number: UInt64 = 0
    /// The first commit from which on the document is known to be right.
    var since: UInt64 = 0
    var isRecent = false
  }

  private static let wayCount = 4

  /// The last commit that changed a document of this part.
  var lastChange: UInt64 = 0
  /// Documents that are kept.
  private(set) var documentCount = 0
  /// The approximate memory that they take.
  private(set) var byteCount = 0
  private let byteCountLimit: Int
  private var slots = UnsafeMutableBufferPointer<Slot>(start: nil, count: 0)
  private var hand = 0

  init(byteCountLimit: Int) {
    self.byteCountLimit = byteCountLimit
  }

  deinit { CacheShard.release(slots) }

  /// Fetches the slots in which the document may be into the processor's cache.
  @inline(__always)
  func prefetch(_ number: UInt64) {
    guard let start = slots.baseAddress else { return }
    let set = start + firstIndex(of: number)
    Prefetch.line(at: set)
    Prefetch.line(at: set + CacheShard.wayCount / 2)
  }

  /// Returns the document as of `commitNumber`, which lives as long as the shard isn't changed;
  /// `nil` if it isn't kept.
  ///
  /// - Parameter areRecent: set to `false` if the visit is still to be noted by ``note(_:)``.
  @inline(__always)
  func record(
    _ number: UInt64, at commitNumber: UInt64, _ areRecent: inout Bool
  ) -> Unmanaged<DocumentRecord>? {
    guard let index = index(of: number), slots[index].since <= commitNumber else { return nil }
    areRecent = areRecent && slots[index].isRecent
    return slots[index].record.map { .passUnretained($0) }
  }

  /// Whether the document is kept.
  func keeps(_ number: UInt64) -> Bool { index(of: number) != nil }

  /// Calls `body` with the documents that are kept.
  func forEach(_ body: (_ number: UInt64, _ record: DocumentRecord) -> Void) {
    for slot in slots {
      if let record = slot.record { body(slot.number, record) }
    }
  }

  /// Notes that a reader asked for the document.
  mutating func note(_ number: UInt64) {
    if let index = index(of: number) { slots[index].isRecent = true }
  }

  /// - Parameter displacing: whether other documents may be evicted.
  /// - Returns: `false` if the memory is used up by others that may not be evicted.
  mutating func insert(
    _ record: DocumentRecord, _ number: UInt64, since: UInt64, displacing: Bool
  ) -> Bool {
    if let index = index(of: number) {
      slots[index].since = min(slots[index].since, since)
      return true
    }
    let byteCount = record.memoryByteCount
    guard byteCount <= byteCountLimit / CacheShard.wayCount else { return true }
    while self.byteCount + byteCount > byteCountLimit {
      guard displacing else { return false }
      evict()
    }
    let index = freeSlot(for: number)
    slots[index] = Slot(record: record, number: number, since: since)
    self.byteCount += byteCount
    documentCount += 1
    return true
  }

  mutating func remove(_ number: UInt64) {
    if let index = index(of: number) { clear(index) }
  }

  // MARK: Slots

  private func firstIndex(of number: UInt64) -> Int {
    let setCount = slots.count / CacheShard.wayCount
    return (Int(truncatingIfNeeded: number &>> 4) & (setCount &- 1)) &* CacheShard.wayCount
  }

  private func index(of number: UInt64) -> Int? {
    guard !slots.isEmpty else { return nil }
    let first = firstIndex(of: number)
    // No document has the number of an empty slot.
    for index in first..<(first &+ CacheShard.wayCount) where slots[index].number == number {
      return index
    }
    return nil
  }

  /// Returns an empty slot of the number's set, and makes one if there is none.
  private mutating func freeSlot(for number: UInt64) -> Int {
    while true {
      if !slots.isEmpty {
        let first = firstIndex(of: number)
        let ways = first..<(first &+ CacheShard.wayCount)
        if let index = ways.first(where: { slots[$0].record == nil }) { return index }
        if documentCount < slots.count / 2 || !hasRoomToGrow {
          let index = ways.first { !slots[$0].isRecent } ?? first
          clear(index)
          return index
        }
      }
      grow()
    }
  }

  private var hasRoomToGrow: Bool {
    byteCount + slots.count * MemoryLayout<Slot>.stride <= byteCountLimit
  }

  private mutating func grow() {
    let old = slots
    slots = .allocate(capacity: max(old.count * 2, 16 * CacheShard.wayCount))
    slots.initialize(repeating: Slot())
    byteCount += (slots.count - old.count) * MemoryLayout<Slot>.stride
    // A set's documents are spread over two sets, so that each has room for its own.
    for slot in old where slot.record != nil {
      let first = firstIndex(of: slot.number)
      for index in first..<(first &+ CacheShard.wayCount) where slots[index].record == nil {
        slots[index] = slot
        break
      }
    }
    CacheShard.release(old)
  }

  private static func release(_ slots: UnsafeMutableBufferPointer<Slot>) {
    slots.deinitialize()
    slots.deallocate()
  }

  private mutating func clear(_ index: Int) {
    guard let record = slots[index].record else { return }
    slots[index] = Slot()
    byteCount -= record.memoryByteCount
    documentCount -= 1
  }

  /// Evicts the next document that no reader asked for since the last round.
  private mutating func evict() {
    while documentCount > 0 {
      hand = hand + 1 < slots.count ? hand + 1 : 0
      if slots[hand].isRecent {
        slots[hand].isRecent = false
      } else if slots[hand].record != nil {
        return clear(hand)
      }
    }
    // Only slots are left, and they are too many for the memory.
    byteCount -= slots.count * MemoryLayout<Slot>.stride
    CacheShard.release(slots)
    slots = UnsafeMutableBufferPointer(start: nil, count: 0)
    hand = 0
  }
}
