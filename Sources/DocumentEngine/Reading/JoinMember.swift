import DocumentModel
import StorageFormat

/// One scan of a join. The join walks it, in the store or in memory, or asks it for documents.
struct JoinMember {
  /// The largest number of steps to try before a seek.
  private static let stepLimit = 8
  /// The number of seeks after which a step is tried again.
  private static let retryInterval = 16

  let scan: ScanBytes
  /// The kept scan; `nil` if the member isn't asked for documents.
  var content: ScanContent?
  /// The cursor that walks the scan in the store.
  private(set) var cursor: IndexCursor?
  /// The suffix of the entry that the cursor stands on.
  var suffix: [UInt8] = []
  var testCount = 0
  /// The key of the last entry that memory was asked for, if reads are recorded.
  private var lastKey: [UInt8] = []
  /// The part of the cursor's cost that was already lent to the scan cache.
  var lentCost = 0
  private var stepAllowance = 1
  private var seeksSinceStep = 0

  init(_ scan: ScanBytes) {
    self.scan = scan
  }

  /// Whether the cursor stands on an entry.
  var isValid: Bool { cursor?.isValid ?? false }
  var entriesRead: Int { cursor?.entriesRead ?? 0 }

  var statistics: ScanStatistics {
    var statistics = ScanStatistics(
      entriesRead: cursor?.entriesRead ?? 0, seekCount: cursor?.seekCount ?? 0,
      testCount: testCount)
    statistics.entriesPassed = cursor?.entriesPassed ?? 0
    statistics.deletedEntriesPassed = cursor?.deletedEntriesPassed ?? 0
    return statistics
  }

  /// Returns the approximate number of entries that could have been read at the same cost.
  func cost(entriesPerSeek: Int) -> Int {
    (cursor?.entriesRead ?? 0) + (cursor?.seekCount ?? 0) * entriesPerSeek
  }

  // MARK: Walking

  mutating func open(in view: ReadView) throws {
    cursor = try IndexCursor(scan, in: view)
  }

  func start(_ deadline: inout Deadline) throws { try cursor?.start(&deadline) }

  func next(_ deadline: inout Deadline) throws { try cursor?.next(&deadline) }

  mutating func readSuffix() throws { try cursor?.readSuffix(into: &suffix) }

  /// Moves to the first entry at or after `target`.
  ///
  /// - Parameter isDriver: whether a step is always tried.
  /// - Returns: whether a few steps were enough.
  mutating func advance(
    to target: [UInt8], isDriver: Bool, _ deadline: inout Deadline
  ) throws -> Bool {
    guard let cursor else { return true }
    var stepLimit = stepAllowance
    if stepLimit == 0, isDriver || seeksSinceStep >= JoinMember.retryInterval { stepLimit = 1 }
    let isEnough = try cursor.advance(toSuffix: target, stepLimit: stepLimit, &deadline)
    if isEnough {
      stepAllowance = min(max(stepAllowance * 2, 1), JoinMember.stepLimit)
    } else {
      stepAllowance /= 2
    }
    seeksSinceStep = stepLimit > 0 ? 0 : seeksSinceStep + 1
    if cursor.isValid { try cursor.readSuffix(into: &suffix) }
    return isEnough
  }

  // MARK: Memory

  /// Stops using memory. The member is then walked from its beginning.
  mutating func forget() {
    content = nil
    lastKey = []
  }

  /// Whether the document has an entry here.
  mutating func contains(_ document: UInt64) -> Bool {
    testCount += 1
    return content?.contains(document) ?? false
  }

  /// Records that the answer depends on whether there is an entry with this suffix.
  mutating func note(_ suffix: [UInt8]) throws {
    lastKey = try scan.key(ofJoined: suffix)
  }

  /// Returns a cursor on the entry with the member's suffix, which exists according to memory.
  mutating func seekEntry(in view: ReadView) throws -> IndexCursor {
    var deadline = Deadline(nil)
    if cursor == nil {
      try open(in: view)
      try start(&deadline)
    }
    var standing: [UInt8] = []
    if isValid { try cursor?.readSuffix(into: &standing) }
    if standing != suffix { try cursor?.seek(toSuffix: suffix, &deadline) }
    if isValid { try cursor?.readSuffix(into: &standing) }
    guard let cursor, standing == suffix else {
      throw DatabaseError.damaged("An index entry that is kept in memory is not in the store.")
    }
    return cursor
  }

  // MARK: Reads

  /// Adds the keys that the member's part in the answer depends on. If memory was asked, these are
  /// the scan's keys up to the last entry that it was asked for.
  func appendReads(to reads: inout ReadSet) {
    if lastKey.isEmpty {
      cursor?.appendReads(to: &reads)
    } else {
      scan.appendReads(through: lastKey, to: &reads)
    }
  }
}

extension ScanBytes {
  /// Adds the scan's keys up to `key`, which is one of them or lies between them.
  func appendReads(through key: [UInt8], to reads: inout ReadSet) {
    for range in ranges {
      let isReached =
        isReversed
        ? key.byteCompare(range.upper) == .less : key.byteCompare(range.lower) != .less
      guard isReached else { return }
      if isReversed {
        let lower = key.byteCompare(range.lower) == .greater ? key : range.lower
        reads.insertScan(of: KeyRange(lower: lower, upper: range.upper))
      } else if key.byteCompare(range.upper) == .less {
        reads.insertScan(from: range.lower, through: key.span.bytes)
      } else {
        reads.insertScan(of: range)
      }
    }
  }

  /// Returns the key of the entry with this suffix of a join.
  func key(ofJoined suffix: [UInt8]) throws -> [UInt8] {
    let bytes = try self.suffix(ofJoined: suffix)
    return prefix + (isReversed ? bytes.inverted : bytes)
  }

  /// Turns the bytes that a stored key has after the prefix into a suffix of a join.
  func makeJoined(stored suffix: inout [UInt8]) throws {
    if isReversed { for index in suffix.indices { suffix[index] = ~suffix[index] } }
    try makeJoined(&suffix)
  }
}
