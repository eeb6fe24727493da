import HearthDocumentModel
import HearthStorageFormat

/// A cursor over the documents that a node of a plan finds, in the order of the query.
///
/// `CursorBuilder` makes the cursor of each node. A new cursor stands before its first entry, and
/// reads nothing until it moves.
protocol EntryCursor: DocumentCarrier {
  /// Whether documents may have to decide on entries, since a bound of a scan is cut. If no operand
  /// is cut, even the entries that are cut stand on the right side of all operands (§3.6).
  var mayRecheck: Bool { get }

  /// Moves to the next entry; `false` at the end.
  ///
  /// - Throws: `deadlineExceeded` too, even while no entry is found.
  func next(_ deadline: inout Deadline) throws -> Bool

  /// Appends the document numbers of the next entries: `count`, or fewer at the end.
  func readNumbers(
    _ count: Int, into numbers: inout [UInt64], _ deadline: inout Deadline) throws

  /// Moves past the next `count` entries.
  ///
  /// - Returns: the number of entries passed, which is less than `count` only at the end.
  func skip(_ count: Int, _ deadline: inout Deadline) throws -> Int

  // MARK: The entry

  /// Returns the number of the entry's document.
  func documentNumber() throws -> UInt64

  /// Replaces the contents of `suffix` with the entry's suffix: bytes that ascend in the order of
  /// the query, and that are the same in all indexes.
  func readSuffix(into suffix: inout [UInt8]) throws

  /// Whether the document must decide the match, since the entry holds too little of a value.
  func needsRecheck() throws -> Bool

  /// Returns whether the entry has a column for the field, and the field's value if the column has
  /// all of it.
  ///
  /// - Complexity: a seek if the entry is known from memory only.
  func value(of field: FieldPath) throws -> (isHeld: Bool, value: Value?)

  /// The scan of a vector index that stands on the entry; `nil` for other entries.
  var vectorEntry: StoreScan? { get }

  // MARK: The end

  /// The stamps of the kept scans in which all entries are found; `nil` if some aren't found there.
  var stamps: [ScanStamp]? { get }

  /// Throws if anything could not be read. It is called before results are final.
  func checkReads() throws

  /// Adds the keys on which the entries so far depend.
  func appendReads(to reads: inout ReadSet) throws

  /// Calls `body` with the work of scans. A scan may come several times.
  func forEachWork(_ body: (ScanPlace, ScanStatistics) -> Void)

  /// Lends the caches the cost of the query, which is over. It does nothing the second time.
  func finish()
}

extension EntryCursor {
  var mayRecheck: Bool { false }
  var vectorEntry: StoreScan? { nil }
  var stamps: [ScanStamp]? { nil }

  func needsRecheck() throws -> Bool { false }
  func coveredRecord(notingFields: Bool) throws -> DocumentRecord? { nil }
  func finish() {}

  func readNumbers(
    _ count: Int, into numbers: inout [UInt64], _ deadline: inout Deadline
  ) throws {
    for _ in 0..<count {
      guard try next(&deadline) else { return }
      numbers.append(try documentNumber())
    }
  }

  func skip(_ count: Int, _ deadline: inout Deadline) throws -> Int {
    var passed = 0
    while passed < count, try next(&deadline) { passed += 1 }
    return passed
  }
}
