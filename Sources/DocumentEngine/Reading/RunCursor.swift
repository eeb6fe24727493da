import DocumentModel
import StorageFormat

/// Walks the entries of one scan that are kept in memory, in the order of the query. Stops at those
/// whose documents the other scans of the join have too.
///
/// It takes some entries at a time and tests one scan after the other for all of them. That is
/// quicker than testing all scans for one entry after the other.
struct RunCursor {
  /// The number of entries taken at a time. It is small at first, since one page may need no more.
  private static let turnSizes = 16...256

  private let entries: ScanEntries
  private let isReversed: Bool
  private let others: [ScanContent]
  /// The ranges of positions that are left, in reverse: the next one is the last element.
  private var ranges: [Range<Int>]
  /// The positions of the taken entries that all scans have.
  private var matches: [Int] = []
  private var matchIndex = 0
  private var turnSize = RunCursor.turnSizes.lowerBound
  private var entriesTaken = 0
  /// The number of entries that each other scan was tested for.
  private(set) var testCounts: [Int]
  /// The position of the last entry that was taken.
  private(set) var lastPosition: Int?

  /// - Parameter others: the kept contents of the other scans of the join.
  init(_ entries: ScanEntries, of scan: ScanBytes, joining others: [ScanContent]) {
    self.entries = entries
    self.others = others
    isReversed = scan.isReversed
    testCounts = Array(repeating: 0, count: others.count)
    ranges = scan.ranges.map { range in
      entries.position(
        of: range.lower, behind: scan.prefix)..<entries.position(
          of: range.upper, behind: scan.prefix)
    }
    ranges.reverse()
  }

  /// Moves to the next match. Returns `false` at the end.
  mutating func next(_ deadline: inout Deadline) throws -> Bool {
    matchIndex += 1
    while matchIndex >= matches.count {
      try deadline.check()
      guard take() else { return false }
    }
    return true
  }

  /// Number of entries that were looked at. Without other scans, those after the match don't count.
  var entriesRead: Int {
    guard others.isEmpty, matchIndex < matches.count else { return entriesTaken }
    return entriesTaken - (matches.count - 1 - matchIndex)
  }

  /// The document number of the match. Requires that `next(_:)` has found one.
  var documentNumber: UInt64 { entries.documents[matches[matchIndex]] }

  /// Appends the bytes of the match's key after the prefix.
  func appendStoredSuffix(to bytes: inout [UInt8]) {
    entries.appendSuffix(at: matches[matchIndex], to: &bytes)
  }

  /// Appends the bytes after the prefix of the last taken entry's key.
  func appendLastSuffix(to bytes: inout [UInt8]) {
    if let lastPosition { entries.appendSuffix(at: lastPosition, to: &bytes) }
  }

  // MARK: Turns

  /// Takes the next entries. Returns `false` if there are none.
  private mutating func take() -> Bool {
    while let range = ranges.last, range.isEmpty { ranges.removeLast() }
    guard let range = ranges.last else { return false }
    let count = min(range.count, turnSize)
    turnSize = min(turnSize * 2, RunCursor.turnSizes.upperBound)
    matches.removeAll(keepingCapacity: true)
    matchIndex = 0
    if isReversed {
      let rest = range.lowerBound..<(range.upperBound - count)
      ranges[ranges.count - 1] = rest
      matches.append(contentsOf: (rest.upperBound..<range.upperBound).reversed())
    } else {
      let rest = (range.lowerBound + count)..<range.upperBound
      ranges[ranges.count - 1] = rest
      matches.append(contentsOf: range.lowerBound..<rest.lowerBound)
    }
    entriesTaken += count
    lastPosition = matches.last
    for index in others.indices {
      testCounts[index] += matches.count
      keepMatches(in: others[index])
    }
    return true
  }

  private mutating func keepMatches(in other: ScanContent) {
    var count = 0
    switch other {
    case .documents(let bitmap):
      for match in matches where bitmap.contains(entries.documents[match]) {
        matches[count] = match
        count += 1
      }
    case .entries(let run):
      for match in matches where run.contains(entries.documents[match]) {
        matches[count] = match
        count += 1
      }
    }
    matches.removeLast(matches.count - count)
  }
}

// MARK: - Without other scans

extension RunCursor {
  /// Appends the document numbers of the next `count` entries, or fewer at the end.
  mutating func readNumbers(_ count: Int, into numbers: inout [UInt64]) {
    var left = count
    while left > 0, let positions = takeRange(left) {
      left -= positions.count
      if isReversed {
        for position in positions.reversed() { numbers.append(entries.documents[position]) }
      } else {
        numbers += entries.documents[positions]
      }
    }
  }

  /// Skips the next `count` entries, or fewer at the end, and returns their number.
  ///
  /// - Complexity: no entry is looked at.
  mutating func skip(_ count: Int) -> Int {
    var left = count
    while left > 0, let positions = takeRange(left) { left -= positions.count }
    return count - left
  }

  /// Returns the positions of the next entries in one range, at most `count`.
  private mutating func takeRange(_ count: Int) -> Range<Int>? {
    while let range = ranges.popLast() {
      guard !range.isEmpty else { continue }
      let taken = min(count, range.count)
      entriesTaken += taken
      let middle = isReversed ? range.upperBound - taken : range.lowerBound + taken
      ranges.append(isReversed ? range.lowerBound..<middle : middle..<range.upperBound)
      return isReversed ? middle..<range.upperBound : range.lowerBound..<middle
    }
    return nil
  }
}

extension ScanEntries {
  /// Returns the number of entries with keys before `bound`, which may lie before or after all keys
  /// with the prefix.
  fileprivate func position(of bound: [UInt8], behind prefix: [UInt8]) -> Int {
    guard bound.starts(with: prefix) else {
      return bound.byteCompare(prefix) == .less ? 0 : count
    }
    let suffix = bound[prefix.count...]
    return endIndex(before: suffix.span.bytes)
  }
}
