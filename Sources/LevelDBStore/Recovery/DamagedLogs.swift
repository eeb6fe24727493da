import OrderedStore

/// The puts and deletes of live logs that can be read, and what lies between them.
///
/// Batches are numbered without gaps, so that what is missing is known by its numbers, though not
/// by its keys.
struct DamagedLogs {
  struct Operation {
    let key: [UInt8]
    let sequence: UInt64
    /// `nil` for a delete.
    let value: [UInt8]?
  }

  /// A part that can't be read.
  struct Gap {
    let place: String
    /// What was lost had lower numbers; 0 where nothing was.
    let end: UInt64
  }

  private(set) var operations: [Operation] = []
  private(set) var gaps: [Gap] = []
  /// The number that the next batch must have; `nil` before the first.
  private var expected: UInt64?
  /// Where damage began behind which no batch has come yet.
  private var openGap: (place: String, isTorn: Bool)?

  mutating func read(_ bytes: [UInt8], name: String) {
    // A log is begun only when the one before has been closed: nothing was being written there.
    openGap?.isTorn = false
    var reader = LogRecordReader(bytes)
    while let element = reader.next() {
      switch element {
      case .damage(let offset): begin(at: offset, of: name, in: bytes)
      case .record(let range):
        guard let batch = LoggedBatch(reader.payload.span.bytes) else {
          begin(at: range.lowerBound, of: name, in: bytes)
          continue
        }
        if batch.firstSequence != expected ?? batch.firstSequence {
          begin(at: range.lowerBound, of: name, in: bytes)
        }
        close(at: batch.firstSequence)
        append(batch, reader.payload)
        expected = batch.nextSequence
      }
    }
  }

  /// Adds a log that is not there.
  mutating func addMissing(_ name: String) {
    openGap = openGap ?? ("\(name), which is missing", false)
  }

  /// Ends the reading: what is behind the last batch that can be read.
  mutating func finish() {
    guard let gap = openGap else { return }
    // A write that was cut short was never acknowledged.
    gaps.append(Gap(place: gap.place, end: gap.isTorn ? 0 : .max))
    openGap = nil
  }

  /// Sorts the operations by keys, the newest of each first.
  mutating func sort() {
    operations.sort { left, right in
      left.key == right.key ? left.sequence > right.sequence : left.key.precedes(right.key)
    }
  }

  private mutating func begin(at offset: Int, of name: String, in bytes: [UInt8]) {
    guard openGap == nil else { return }
    openGap = ("\(name) from byte \(offset) on", Self.isTorn(bytes, at: offset))
  }

  private mutating func close(at sequence: UInt64) {
    guard let gap = openGap else { return }
    gaps.append(Gap(place: gap.place, end: expected == sequence ? 0 : sequence))
    openGap = nil
  }

  private mutating func append(_ batch: LoggedBatch, _ payload: [UInt8]) {
    batch.forEachOperation(in: payload.span.bytes) { sequence, key, value in
      operations.append(
        Operation(
          key: Array(payload[key]), sequence: sequence, value: value.map { Array(payload[$0]) }))
    }
  }

  /// Whether the log ends there as a writer leaves it that was interrupted: in zeros, or before the
  /// end that the last fragment tells of.
  static func isTorn(_ bytes: [UInt8], at offset: Int) -> Bool {
    if bytes[offset...].allSatisfy({ $0 == 0 }) { return true }
    let header = LogRecordReader.headerByteCount
    var start = offset
    // The fragments of a long record, of which some may be whole.
    while true {
      let left = LogRecordReader.blockByteCount - start % LogRecordReader.blockByteCount
      if left < header { start += left }
      guard start + header <= bytes.count else { return true }
      guard let end = LogRecordReader.endOfFragment(at: start, in: bytes) else {
        return !LogRecordReader.holdsWholeFragment(bytes, at: start)
      }
      let isContinued = bytes[start + 6] == 2 || bytes[start + 6] == 3
      guard isContinued, LogRecordReader.isWhole(bytes, start..<end) else { return false }
      start = end
    }
  }
}
