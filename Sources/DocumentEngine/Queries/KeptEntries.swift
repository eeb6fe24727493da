import HearthDocumentModel

/// The entries of a result that is kept: the numbers of its documents.
///
/// It is the cursor of a whole plan. No other cursor merges it, so its entries have no suffix.
final class KeptEntries: EntryCursor {
  private let result: KeptResult
  /// The number of entries that were passed, with the present one.
  private var position = 0

  init(_ result: KeptResult) {
    self.result = result
  }

  // MARK: Moving

  func next(_ deadline: inout Deadline) throws -> Bool {
    try deadline.check()
    guard position < result.documentNumbers.count else { return false }
    position += 1
    return true
  }

  func readNumbers(
    _ count: Int, into numbers: inout [UInt64], _ deadline: inout Deadline
  ) throws {
    try deadline.check()
    let end = position + min(count, result.documentNumbers.count - position)
    if numbers.isEmpty, position == 0, end == result.documentNumbers.count {
      numbers = result.documentNumbers
    } else {
      numbers += result.documentNumbers[position..<end]
    }
    position = end
  }

  func skip(_ count: Int, _ deadline: inout Deadline) throws -> Int {
    try deadline.check()
    let passed = min(count, result.documentNumbers.count - position)
    position += passed
    return passed
  }

  // MARK: The entry

  func documentNumber() throws -> UInt64 { result.documentNumbers[position - 1] }

  func readSuffix(into suffix: inout [UInt8]) throws { suffix.removeAll() }

  func value(of field: FieldPath) throws -> (isHeld: Bool, value: Value?) { (false, nil) }

  // MARK: The end

  func checkReads() throws {}

  func appendReads(to reads: inout ReadSet) throws {}

  /// Passes on the work of the query that found the entries, as far as they were asked for.
  func forEachWork(_ body: (ScanPlace, ScanStatistics) -> Void) {
    guard position < result.documentNumbers.count else {
      for work in result.work { body(work.place, work.statistics) }
      return
    }
    body(
      ScanPlace(branch: 0, scan: 0),
      ScanStatistics(entriesRead: position, entriesCached: position))
  }
}
