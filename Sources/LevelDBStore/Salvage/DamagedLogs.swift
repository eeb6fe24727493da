import HearthOrderedStore

/// The readable puts and deletes of live logs, and the gaps between them.
///
/// Batches are numbered without gaps. So the numbers of missing operations are known, though their
/// keys are not.
struct DamagedLogs {
  /// A part that can't be read.
  struct Gap {
    let place: String
    /// Number that is higher than those of the lost operations; 0 if none were lost.
    let end: UInt64
  }

  private(set) var versions = LoggedVersionList()
  /// Number of the puts and deletes that were read.
  private(set) var operationCount = 0
  private(set) var gaps: [Gap] = []
  /// Number that the next batch must have; `nil` before the first.
  private var expected: UInt64?
  /// Place of damage that no batch has followed yet; `nil` if there is none.
  private var openGap: (place: String, isTorn: Bool)?

  mutating func read(_ bytes: [UInt8], name: String) {
    // A log begins only after the one before was closed, so no write was interrupted there.
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
        versions.append(batch, reader.payload)
        expected = batch.nextSequence
      }
    }
  }

  /// Adds a log that is missing.
  mutating func addMissing(_ name: String) {
    openGap = openGap ?? ("\(name), which is missing", false)
  }

  /// Ends the reading, sorts the versions, and records damage after the last readable batch.
  mutating func finish() {
    operationCount = versions.entries.count
    versions.sort()
    guard let gap = openGap else { return }
    // A write that was cut short was never acknowledged.
    gaps.append(Gap(place: gap.place, end: gap.isTorn ? 0 : .max))
    openGap = nil
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

  /// Whether the log ends as an interrupted writer leaves it: in zeros, or before the end that the
  /// last fragment's header gives.
  static func isTorn(_ bytes: [UInt8], at offset: Int) -> Bool {
    if bytes[offset...].allSatisfy({ $0 == 0 }) { return true }
    let header = LogRecordReader.headerByteCount
    var start = offset
    // The fragments of a long record, some of which may be whole.
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
