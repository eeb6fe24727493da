import HearthDocumentModel
import HearthOrderedStore
import HearthStorageFormat

/// Sorts any number of index entries in bounded memory: sorted runs of them go to scratch room, and
/// are merged at the end.
struct EntrySorter: Sendable {
  private let scratch: any StoreScratch
  /// The size at which a run is full.
  private let runByteCount: Int
  private var run = EntryRun()
  /// The places of full runs in the scratch room.
  private var runs: [Range<Int>] = []

  init(_ scratch: any StoreScratch, runByteCount: Int) {
    self.scratch = scratch
    self.runByteCount = runByteCount
  }

  /// Adds the entries of a document.
  ///
  /// - Throws: errors of the scratch room.
  mutating func append(_ list: EntryList, of documentNumber: UInt64) throws(StoreError) {
    run.append(list, of: documentNumber)
    if run.byteCount >= runByteCount { try spill() }
  }

  /// Adds an entry. `body` appends its key and then its value, and returns the number of bytes up
  /// to the key's end.
  mutating func append(of documentNumber: UInt64, _ body: (inout [UInt8]) -> Int) {
    run.append(of: documentNumber, body)
  }

  private mutating func spill() throws(StoreError) {
    run.sort()
    var end = runs.last?.upperBound ?? 0
    let start = end
    var bytes: [UInt8] = []
    bytes.reserveCapacity(2 * RunReader.windowByteCount)
    try run.forEach { entry, keyByteCount throws(StoreError) in
      RunReader.append(entry, keyByteCount, to: &bytes)
      guard bytes.count >= RunReader.windowByteCount else { return }
      try scratch.append(bytes)
      end += bytes.count
      bytes.removeAll(keepingCapacity: true)
    }
    try scratch.append(bytes)
    runs.append(start..<end + bytes.count)
    run.removeAll()
  }

  /// Calls `body` with all entries in the order of their keys. The spans are valid during the call.
  ///
  /// - Throws: errors of the scratch room and of `body`.
  mutating func forEach(_ body: (_ key: RawSpan, _ value: RawSpan) throws -> Void) throws {
    if !run.entries.isEmpty { try spill() }
    run = EntryRun()
    var merge = try RunMerge(
      runs.map { places throws(StoreError) in try RunReader(scratch, places) })
    while !merge.isAtEnd {
      try merge.visit(body)
      try merge.move()
    }
  }
}

/// Reads several runs as one sorted run.
private struct RunMerge {
  private var readers: [RunReader]
  /// A heap of the places of readers that aren't at their ends, by the keys on which they stand.
  private var heap: [Int]

  init(_ readers: [RunReader]) {
    self.readers = readers
    heap = Array(readers.indices)
    for place in heap.indices.reversed() { RunMerge.sink(in: &heap, from: place, of: readers) }
  }

  var isAtEnd: Bool { heap.isEmpty }

  func visit(_ body: (_ key: RawSpan, _ value: RawSpan) throws -> Void) throws {
    try readers.span[heap[0]].visit(body)
  }

  mutating func move() throws(StoreError) {
    if try !readers[heap[0]].move() {
      heap.swapAt(0, heap.count - 1)
      heap.removeLast()
    }
    RunMerge.sink(in: &heap, from: 0, of: readers)
  }

  /// Moves a reader down the heap to its place.
  private static func sink(in heap: inout [Int], from start: Int, of readers: [RunReader]) {
    let readers = readers.span
    var place = start
    while true {
      var least = place
      for child in 2 &* place &+ 1...2 &* place &+ 2 where child < heap.count {
        if readers[heap[child]].precedes(readers[heap[least]]) { least = child }
      }
      guard least != place else { return }
      heap.swapAt(place, least)
      place = least
    }
  }
}

// An entry in a run: the lengths of key and value, 4 bytes little-endian each; key; value.

/// Reads a sorted run, one window of its bytes at a time. It stands on an entry.
private struct RunReader {
  static let windowByteCount = 64 << 10
  private static let headByteCount = 8

  private let scratch: any StoreScratch
  /// The part of the run that isn't in the window.
  private var rest: Range<Int>
  private var window: [UInt8] = []
  private var keyStart = 0
  private var keyEnd = 0
  private var end = 0

  init(_ scratch: any StoreScratch, _ places: Range<Int>) throws(StoreError) {
    self.scratch = scratch
    rest = places
    _ = try move()
  }

  func visit(_ body: (_ key: RawSpan, _ value: RawSpan) throws -> Void) throws {
    let bytes = window.span.bytes
    try body(bytes.extracting(keyStart..<keyEnd), bytes.extracting(keyEnd..<end))
  }

  func precedes(_ other: RunReader) -> Bool {
    window.span.bytes.extracting(keyStart..<keyEnd)
      .compare(other.window.span.bytes.extracting(other.keyStart..<other.keyEnd)) == .less
  }

  /// Moves to the next entry; `false` at the end.
  mutating func move() throws(StoreError) -> Bool {
    if end + RunReader.headByteCount > window.count { try fill(RunReader.headByteCount) }
    guard end < window.count else { return false }
    let keyCount = length(at: end)
    let byteCount = RunReader.headByteCount + keyCount + length(at: end + 4)
    if end + byteCount > window.count { try fill(byteCount) }
    keyStart = end + RunReader.headByteCount
    keyEnd = keyStart + keyCount
    end += byteCount
    return true
  }

  private func length(at offset: Int) -> Int {
    Int(window.span.bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt32.self))
  }

  /// Reads on, so that the window has `byteCount` bytes after the present entry, if the run has.
  private mutating func fill(_ byteCount: Int) throws(StoreError) {
    let left = window.count - end
    let count = min(max(RunReader.windowByteCount, byteCount - left), rest.count)
    window.removeFirst(end)
    window += try scratch.bytes(in: rest.lowerBound..<rest.lowerBound + count)
    rest = rest.lowerBound + count..<rest.upperBound
    end = 0
  }

  static func append(_ entry: RawSpan, _ keyByteCount: Int, to bytes: inout [UInt8]) {
    let lengths = UInt64(keyByteCount) | UInt64(entry.byteCount - keyByteCount) << 32
    bytes.appendLittleEndian(lengths)
    bytes.append(entry)
  }
}
