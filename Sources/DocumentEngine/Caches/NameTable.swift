/// A part of the cache of names: sets of eight names. It grows with its contents up to its memory.
/// Then a new name takes the place of the oldest one in its set.
package struct NameTable: Sendable {
  /// The number of names in a set, which fill a line of the processor's cache.
  private static let wayCount = 8
  private static let lineByteCount = 64
  /// The number of sets at first, if the memory has room for them.
  private static let firstSetCount = 1 << Int(firstBitCount)
  private static let firstBitCount: UInt64 = 5

  /// The largest number of sets. Like their number, it is a power of two, or 0.
  private let setCountLimit: Int
  private var setCount = 0
  /// The sets one after another, each with its newest name first.
  private var entries: [Entry] = []
  /// The index of the first set, behind places that are left out, so that it begins a line.
  private var start = 0
  private var count = 0

  /// - Parameter byteCountLimit: the largest size of the sets. A line of the cache comes to it.
  package init(byteCountLimit: Int) {
    let count = max(0, byteCountLimit) / NameTable.lineByteCount
    setCountLimit = count == 0 ? 0 : 1 << (Int.bitWidth - 1 - count.leadingZeroBitCount)
  }

  /// Returns the number that was inserted with `hash`; rarely one that was inserted with another
  /// hash.
  package func number(_ hash: UInt64) -> UInt64? {
    guard setCount > 0 else { return nil }
    let ways = entries.span.extracting(places(ofSet: setIndex(of: hash)))
    let wanted = Entry(hash: hash, number: 0)
    for way in ways.indices {
      let entry = ways[unchecked: way]
      if entry.hasHash(of: wanted), !entry.isEmpty { return entry.number }
    }
    return nil
  }

  /// Keeps a document's number. One of more than 36 bits isn't kept.
  package mutating func insert(_ number: UInt64, _ hash: UInt64) {
    guard number <= Entry.numberLimit else { return }
    // When seven sixteenths are full, one name in two hundred has no room in its set. Such names
    // displace each other.
    if count >= setCount * 7 / 2 { grow() }
    guard setCount > 0 else { return }
    place(Entry(hash: hash, number: number), inSet: setIndex(of: hash))
  }

  private func setIndex(of hash: UInt64) -> Int {
    Int(truncatingIfNeeded: hash) & (setCount &- 1)
  }

  private func places(ofSet index: Int) -> Range<Int> {
    let first = start &+ index &* NameTable.wayCount
    return first..<(first &+ NameTable.wayCount)
  }

  private mutating func place(_ entry: Entry, inSet index: Int) {
    let places = places(ofSet: index)
    let own = places.first { entries[$0].isEmpty || entries[$0].hasHash(of: entry) }
    let place = own ?? places.upperBound - 1
    if entries[place].isEmpty { count += 1 }
    for newer in (places.lowerBound..<place).reversed() { entries[newer + 1] = entries[newer] }
    entries[places.lowerBound] = entry
  }

  /// Makes the first sets or doubles their number, if the memory has room.
  private mutating func grow() {
    let newCount = min(setCountLimit, max(NameTable.firstSetCount, 2 * setCount))
    guard newCount > setCount else { return }
    let old = self
    setCount = newCount
    count = 0
    entries = Array(repeating: .none, count: (setCount + 1) * NameTable.wayCount)
    start = NameTable.firstLine(of: entries)
    for index in 0..<old.setCount {
      for entry in old.entries[old.places(ofSet: index)].reversed() where !entry.isEmpty {
        place(entry, inSet: entry.isInUpperHalf(of: setCount) ? index + old.setCount : index)
      }
    }
  }

  /// Returns the index of the first entry that begins a line of the processor's cache. An array
  /// begins at any multiple of 16 bytes.
  private static func firstLine(of entries: [Entry]) -> Int {
    entries.withUnsafeBytes { bytes in
      let excess = Int(UInt(bitPattern: bytes.baseAddress) % UInt(lineByteCount))
      return (lineByteCount - excess) / MemoryLayout<Entry>.stride % wayCount
    }
  }

  /// A name: 28 bits of its hash, and the number of its document. The set tells the bits before
  /// them, and with many sets some of them too.
  private struct Entry: BitwiseCopyable {
    static let none = Entry(bits: 0)
    static let numberBitCount: UInt64 = 36
    static let numberLimit: UInt64 = 1 << numberBitCount - 1

    /// Zero for an empty place.
    let bits: UInt64

    private init(bits: UInt64) {
      self.bits = bits
    }

    init(hash: UInt64, number: UInt64) {
      bits = (hash &>> NameTable.firstBitCount) &<< Entry.numberBitCount | number
    }

    var number: UInt64 { bits & Entry.numberLimit }
    /// No document has the number 0.
    var isEmpty: Bool { number == 0 }

    func hasHash(of other: Entry) -> Bool {
      bits &>> Entry.numberBitCount == other.bits &>> Entry.numberBitCount
    }

    /// Whether the name belongs to the upper half of the sets. The bit of its hash that tells this
    /// is in the entry, unless there are billions of sets.
    func isInUpperHalf(of setCount: Int) -> Bool {
      let hashBit = UInt64(setCount.trailingZeroBitCount) - 1
      return bits &>> (Entry.numberBitCount - NameTable.firstBitCount + hashBit) & 1 == 1
    }
  }
}
