import DocumentModel
import StorageFormat

/// Walks the entries of one scan that are kept in memory, in the order of the query, and stops at
/// those whose documents the other scans of the join have too.
///
/// It takes some entries at a time and asks one scan after the other for all of them, which is
/// quicker than to ask all scans for one entry after the other.
struct RunCursor {
  /// Entries that are taken at a time: few at first, since one page may need no more.
  private static let turnSizes = 16...256

  private let entries: ScanEntries
  private let isReversed: Bool
  private let others: [ScanContent]
  /// What is still to be walked, as positions: the first is the last.
  private var ranges: [Range<Int>]
  /// Of the entries taken, the positions of those that all scans have.
  private var matches: [Int] = []
  private var matchIndex = 0
  private var turnSize = RunCursor.turnSizes.lowerBound
  private var entriesTaken = 0
  /// By other scan, how many entries it was asked for.
  private(set) var testCounts: [Int]
  /// The last entry that was taken.
  private(set) var lastPosition: Int?

  /// - Parameter others: what is kept of the other scans of the join.
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

  /// Moves to the next match; `false` at the end.
  mutating func next(_ deadline: inout Deadline) throws -> Bool {
    matchIndex += 1
    while matchIndex >= matches.count {
      try deadline.check()
      guard take() else { return false }
    }
    return true
  }

  /// Entries that were looked at. Without other scans, those behind the match don't count.
  var entriesRead: Int {
    guard others.isEmpty, matchIndex < matches.count else { return entriesTaken }
    return entriesTaken - (matches.count - 1 - matchIndex)
  }

  /// Requires that `next(_:)` has found a match.
  var documentNumber: UInt64 { entries.documents[matches[matchIndex]] }

  /// Appends what the match's key has behind the prefix.
  func appendStoredSuffix(to bytes: inout [UInt8]) {
    entries.appendSuffix(at: matches[matchIndex], to: &bytes)
  }

  /// Appends what the key of the last entry that was taken has behind the prefix.
  func appendLastSuffix(to bytes: inout [UInt8]) {
    if let lastPosition { entries.appendSuffix(at: lastPosition, to: &bytes) }
  }

  // MARK: Turns

  /// Takes the next entries; `false` if there are none.
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
  /// Appends the document numbers of the next entries: `count`, or fewer at the end.
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

  /// Passes over the next entries, and says how many there were: `count`, or fewer at the end.
  ///
  /// - Complexity: no entry is looked at.
  mutating func skip(_ count: Int) -> Int {
    var left = count
    while left > 0, let positions = takeRange(left) { left -= positions.count }
    return count - left
  }

  /// The positions of the next entries in one range, `count` at most.
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
  /// How many entries have keys before `bound`, which may lie before or behind all that begin with
  /// the prefix.
  fileprivate func position(of bound: [UInt8], behind prefix: [UInt8]) -> Int {
    guard bound.starts(with: prefix) else {
      return bound.byteCompare(prefix) == .less ? 0 : count
    }
    let suffix = bound[prefix.count...]
    return endIndex(before: suffix.span.bytes)
  }
}
