import HearthDocumentModel
import HearthStorageFormat

/// The entries of one scan that are kept in memory, in the order of the query: those whose
/// documents the other scans of the branch have too.
///
/// It takes some entries at a time, for all of which it asks one scan after the other.
final class MemoryScan: EntryCursor {
  /// The number of entries taken at a time. It is small at first, since one page may need no more.
  private static let turnSizes = 16...256

  private let entries: ScanEntries
  private let scan: ScanBytes
  private let place: ScanPlace
  let stamps: [ScanStamp]?
  /// The branch, with its other scans.
  @exclusivity(unchecked) private var others: Membership
  /// Whether a recorder wants the keys that the result depends on.
  private let isRecording: Bool
  /// The ranges of positions that are left, in reverse: the next one is the last element.
  @exclusivity(unchecked) private var ranges: [Range<Int>]
  /// The positions of the taken entries that all scans have.
  @exclusivity(unchecked) private var matches: [Int] = []
  @exclusivity(unchecked) private var matchIndex = 0
  private var turnSize = MemoryScan.turnSizes.lowerBound
  private var entriesTaken = 0
  /// The position of the last entry that was taken.
  private var lastPosition: Int?
  private var isAtEnd = false

  /// - Parameters:
  ///   - entries: the entries of the scan at `place`.
  ///   - others: the branch, with its other scans.
  ///   - stamps: the stamps of all scans of the branch.
  init(
    _ entries: ScanEntries, at place: ScanPlace, asking others: Membership, stamps: [ScanStamp]
  ) {
    self.entries = entries
    self.place = place
    self.stamps = stamps
    self.others = others
    let scan = others.scans[place.scan]
    self.scan = scan
    isRecording = others.view.recorder != nil
    ranges = scan.ranges.reversed().map { range in
      let start = entries.position(of: range.lower, behind: scan.prefix)
      return start..<entries.position(of: range.upper, behind: scan.prefix)
    }
  }

  // MARK: Moving

  func next(_ deadline: inout Deadline) throws -> Bool {
    matchIndex += 1
    while matchIndex >= matches.count {
      try deadline.check()
      guard take() else {
        isAtEnd = true
        return false
      }
    }
    return true
  }

  /// Takes the next entries; `false` if there are none.
  private func take() -> Bool {
    guard let positions = takeRange(turnSize) else { return false }
    turnSize = min(turnSize * 2, MemoryScan.turnSizes.upperBound)
    matchIndex = 0
    matches.removeAll(keepingCapacity: true)
    if scan.isReversed {
      matches.append(contentsOf: positions.reversed())
    } else {
      matches.append(contentsOf: positions)
    }
    lastPosition = matches.last
    if others.isAsked { others.filter(&matches, of: entries) }
    return true
  }

  /// Returns the positions of the next entries in one range, at most `count`; `nil` at the end.
  private func takeRange(_ count: Int) -> Range<Int>? {
    while let range = ranges.popLast() {
      guard !range.isEmpty else { continue }
      let taken = min(count, range.count)
      entriesTaken += taken
      let middle = scan.isReversed ? range.upperBound - taken : range.lowerBound + taken
      ranges.append(scan.isReversed ? range.lowerBound..<middle : middle..<range.upperBound)
      return scan.isReversed ? middle..<range.upperBound : range.lowerBound..<middle
    }
    return nil
  }

  /// Whether entries need not be looked at one by one.
  private var isPlain: Bool { !others.isAsked && !isRecording }

  func readNumbers(
    _ count: Int, into numbers: inout [UInt64], _ deadline: inout Deadline
  ) throws {
    guard isPlain else {
      for _ in 0..<count {
        guard try next(&deadline) else { return }
        numbers.append(documentNumber())
      }
      return
    }
    try deadline.check()
    var left = count
    while left > 0, let positions = takeRange(left) {
      left -= positions.count
      if scan.isReversed {
        for position in positions.reversed() { numbers.append(entries.documents[position]) }
      } else {
        numbers += entries.documents[positions]
      }
    }
  }

  /// - Complexity: no entry is looked at, if no other scan is asked.
  func skip(_ count: Int, _ deadline: inout Deadline) throws -> Int {
    var left = count
    if isPlain {
      try deadline.check()
      while left > 0, let positions = takeRange(left) { left -= positions.count }
    } else {
      while left > 0, try next(&deadline) { left -= 1 }
    }
    return count - left
  }

  // MARK: The entry

  func documentNumber() -> UInt64 { entries.documents[matches[matchIndex]] }

  func readSuffix(into suffix: inout [UInt8]) throws {
    try readSuffix(at: matches[matchIndex], into: &suffix)
  }

  private func readSuffix(at position: Int, into suffix: inout [UInt8]) throws {
    suffix.removeAll(keepingCapacity: true)
    entries.appendSuffix(at: position, to: &suffix)
    try scan.makeJoined(stored: &suffix)
  }

  func value(of field: FieldPath) throws -> (isHeld: Bool, value: Value?) {
    var suffix: [UInt8] = []
    try readSuffix(into: &suffix)
    return try others.value(of: field, at: suffix)
  }

  // MARK: The end

  func checkReads() throws { try others.checkReads() }

  /// Adds the keys of all scans up to the last entry that was taken.
  func appendReads(to reads: inout ReadSet) throws {
    guard isAtEnd || lastPosition != nil else { return }
    var suffix: [UInt8] = []
    if let lastPosition { try readSuffix(at: lastPosition, into: &suffix) }
    for scan in others.scans {
      let last = try isAtEnd ? nil : scan.key(ofJoined: suffix)
      scan.appendReads(through: last, to: &reads)
    }
  }

  func forEachWork(_ body: (ScanPlace, ScanStatistics) -> Void) {
    // Without other scans, the entries after the match don't count.
    let unseenCount = others.isAsked ? 0 : max(matches.count - 1 - matchIndex, 0)
    let entriesRead = entriesTaken - unseenCount
    body(place, ScanStatistics(entriesRead: entriesRead, entriesCached: entriesRead))
    others.forEachWork(body)
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
