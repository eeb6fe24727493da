/// A part of the cache of names: sets of eight names. It grows with its contents up to its memory.
/// Then a new name takes the place of the oldest one in its set.
package struct NameTable: Sendable {
  /// The names of one set, the newest first.
  private typealias Ways = SIMD8<UInt64>

  /// The number of sets at first, if the memory has room for them.
  private static let firstSetCount = 1 << Int(firstBitCount)
  private static let firstBitCount: UInt64 = 5

  private let setCountLimit: Int
  // Their number is a power of two, or 0.
  private var sets: [Ways] = []
  private var count = 0

  package init(byteCountLimit: Int) {
    setCountLimit = max(0, byteCountLimit) / MemoryLayout<Ways>.stride
  }

  /// Returns the number that was inserted with `hash`; rarely one that was inserted with another
  /// hash.
  package func number(_ hash: UInt64) -> UInt64? {
    guard !sets.isEmpty else { return nil }
    let ways = sets[setIndex(of: hash)]
    let wanted = Entry(hash: hash, number: 0)
    for way in ways.indices {
      let entry = Entry(bits: ways[way])
      if entry.hasHash(of: wanted), !entry.isEmpty { return entry.number }
    }
    return nil
  }

  /// Keeps a document's number. One of more than 36 bits isn't kept.
  package mutating func insert(_ number: UInt64, _ hash: UInt64) {
    guard number <= Entry.numberLimit else { return }
    // When seven sixteenths are full, one name in two hundred has no room in its set. Such names
    // displace each other.
    if count >= sets.count * 7 / 2 { sets.isEmpty ? begin() : grow() }
    guard !sets.isEmpty else { return }
    place(Entry(hash: hash, number: number), inSet: setIndex(of: hash))
  }

  private func setIndex(of hash: UInt64) -> Int {
    Int(truncatingIfNeeded: hash) & (sets.count &- 1)
  }

  private mutating func place(_ entry: Entry, inSet index: Int) {
    var ways = sets[index]
    let last =
      ways.indices.first { way in
        let other = Entry(bits: ways[way])
        return other.isEmpty || other.hasHash(of: entry)
      } ?? ways.scalarCount - 1
    if Entry(bits: ways[last]).isEmpty { count += 1 }
    for way in (0..<last).reversed() { ways[way + 1] = ways[way] }
    ways[0] = entry.bits
    sets[index] = ways
  }

  private mutating func begin() {
    var setCount = NameTable.firstSetCount
    while setCount > setCountLimit { setCount /= 2 }
    sets = Array(repeating: Ways(), count: setCount)
  }

  /// Doubles the number of sets, if the memory has room.
  private mutating func grow() {
    guard sets.count <= setCountLimit / 2 else { return }
    let old = sets
    sets = Array(repeating: Ways(), count: old.count * 2)
    count = 0
    for (index, ways) in old.enumerated() {
      for way in ways.indices.reversed() where !Entry(bits: ways[way]).isEmpty {
        let entry = Entry(bits: ways[way])
        place(entry, inSet: entry.isInUpperHalf(of: sets.count) ? index + old.count : index)
      }
    }
  }

  /// A name: 28 bits of its hash, and the number of its document. The set tells the bits before
  /// them, and with many sets some of them too.
  private struct Entry {
    static let numberBitCount: UInt64 = 36
    static let numberLimit: UInt64 = 1 << numberBitCount - 1

    /// Zero for an empty place.
    let bits: UInt64

    init(bits: UInt64) {
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
