import HearthDocumentModel
import HearthStorageFormat

/// The entries that all scans of a branch have, in the order of the query.
///
/// Some scans are walked in the store, by a zig-zag. The others, which are kept in memory, are
/// asked for the documents that the walk finds.
final class Intersection: EntryCursor {
  @exclusivity(unchecked) private var walk: ZigZag
  /// The scans of the walk.
  @exclusivity(unchecked) private var walked: [StoreScan]
  @exclusivity(unchecked) private var kept: Membership
  /// The smallest kept scan, and the number of entries that the walk may read before this scan is
  /// walked too. The walked one might be far larger.
  @exclusivity(unchecked) private var reserve: (scan: Int, entryCount: Int)?
  /// Whether a recorder wants the keys that the result depends on.
  private let isRecording: Bool
  @exclusivity(unchecked) private var suffix: [UInt8] = []
  /// The cache that is told the cost of the walk.
  private var lender: ScanCache?
  let mayRecheck: Bool

  /// - Parameters:
  ///   - walked: the scans that are walked.
  ///   - kept: the branch with the scans that are kept.
  init(
    walking walked: [StoreScan], asking kept: Membership,
    reserve: (scan: Int, entryCount: Int)?, lendingTo lender: ScanCache?
  ) {
    walk = ZigZag(walked)
    self.walked = walked
    self.kept = kept
    self.reserve = reserve
    self.lender = lender
    isRecording = kept.view.recorder != nil
    mayRecheck = walked.contains(where: \.mayRecheck)
  }

  // MARK: Moving

  func next(_ deadline: inout Deadline) throws -> Bool {
    while try walk.next(&deadline) {
      guard kept.isAsked else { return true }
      if isRecording { try readSuffix(into: &suffix) }
      let document = try walk.current.documentNumber()
      if try kept.contains(document, at: isRecording ? suffix : nil) { return true }
      if let reserve, walk.current.entriesRead > reserve.entryCount {
        try enlist(reserve.scan, &deadline)
      }
    }
    return false
  }

  /// Walks a scan that was only asked so far.
  private func enlist(_ index: Int, _ deadline: inout Deadline) throws {
    reserve = nil
    let scan = try kept.release(index)
    walked.append(scan)
    try walk.add(scan, &deadline)
  }

  // MARK: The entry

  func documentNumber() throws -> UInt64 { try walk.current.documentNumber() }

  func readSuffix(into suffix: inout [UInt8]) throws {
    try walk.current.readSuffix(into: &suffix)
  }

  func needsRecheck() throws -> Bool { try mayRecheck && walked.contains { try $0.isCut() } }

  func value(of field: FieldPath) throws -> (isHeld: Bool, value: Value?) {
    for scan in walked where scan.column(of: field) != nil { return try scan.value(of: field) }
    guard kept.isAsked else { return (false, nil) }
    try readSuffix(into: &suffix)
    return try kept.value(of: field, at: suffix)
  }

  func coveredRecord(notingFields: Bool) throws -> DocumentRecord? {
    for scan in walked {
      if let record = try scan.coveredRecord(notingFields: notingFields) { return record }
    }
    return nil
  }

  // MARK: The end

  func checkReads() throws {
    for scan in walked { try scan.checkReads() }
    try kept.checkReads()
  }

  func appendReads(to reads: inout ReadSet) {
    for scan in walked { scan.appendReads(to: &reads) }
    kept.appendReads(to: &reads)
  }

  func forEachWork(_ body: (ScanPlace, ScanStatistics) -> Void) {
    for scan in walked { scan.forEachWork(body) }
    kept.forEachWork(body)
  }

  func finish() {
    lender?.lend(walked, in: kept.view)
    lender = nil
  }
}

/// A walk through several scans in the store, which stops at the entries that all have (§5.5).
///
/// A scan before the furthest suffix jumps to it, until all stand on the same one. The *driver* is
/// the scan that seems to have the fewest entries in this part. It goes first, by steps, and the
/// others are moved to its suffix.
private struct ZigZag {
  private struct Member {
    /// The largest number of steps to try before a seek.
    private static let stepLimit = 8
    /// The number of seeks after which a step is tried again.
    private static let retryInterval = 16

    let scan: StoreScan
    /// The suffix of the entry that the scan stands on.
    var suffix: [UInt8] = []
    private var stepAllowance = 1
    private var seeksSinceStep = 0

    init(_ scan: StoreScan) {
      self.scan = scan
    }

    mutating func readSuffix() throws { try scan.readSuffix(into: &suffix) }

    /// Moves to the first entry at or after `target`.
    ///
    /// - Parameter isDriver: whether a step is always tried.
    /// - Returns: whether a few steps were enough.
    mutating func advance(
      to target: [UInt8], isDriver: Bool, _ deadline: inout Deadline
    ) throws -> Bool {
      var stepLimit = stepAllowance
      if stepLimit == 0, isDriver || seeksSinceStep >= Member.retryInterval { stepLimit = 1 }
      let isEnough = try scan.advance(toSuffix: target, stepLimit: stepLimit, &deadline)
      stepAllowance =
        isEnough ? min(max(stepAllowance * 2, 1), Member.stepLimit) : stepAllowance / 2
      seeksSinceStep = stepLimit > 0 ? 0 : seeksSinceStep + 1
      if scan.isValid { try readSuffix() }
      return isEnough
    }
  }

  private var members: [Member]
  private var driver = 0
  private var isStarted = false
  private var isAtEnd = false

  init(_ scans: [StoreScan]) {
    members = scans.map { Member($0) }
  }

  /// The driver, which stands on the common entry.
  var current: StoreScan { members[driver].scan }

  /// Moves to the next entry that all scans have; `false` at the end.
  mutating func next(_ deadline: inout Deadline) throws -> Bool {
    guard !isAtEnd else { return false }
    if try isStarted ? current.next(&deadline) : start(&deadline), try meet(&deadline) {
      return true
    }
    isAtEnd = true
    return false
  }

  /// Adds a scan, which goes to its first entry.
  mutating func add(_ scan: StoreScan, _ deadline: inout Deadline) throws {
    members.append(Member(scan))
    guard try scan.next(&deadline) else { return isAtEnd = true }
    try members[members.count - 1].readSuffix()
  }

  private mutating func start(_ deadline: inout Deadline) throws -> Bool {
    isStarted = true
    for member in members {
      guard try member.scan.next(&deadline) else { return false }
    }
    guard members.count > 1 else { return true }
    for index in members.indices {
      try members[index].readSuffix()
      // The member that begins furthest on has the fewest entries up to there.
      if isBehind(driver, index) { driver = index }
    }
    return true
  }

  private func isBehind(_ index: Int, _ other: Int) -> Bool {
    members[index].suffix.byteCompare(members[other].suffix) == .less
  }

  /// Moves the scans on until they agree; `false` if one of them ends first.
  private mutating func meet(_ deadline: inout Deadline) throws -> Bool {
    guard members.count > 1 else { return true }
    try members[driver].readSuffix()
    var leader = driver
    for index in members.indices where isBehind(leader, index) { leader = index }
    while let index = firstBehind(leader) {
      try deadline.check()
      let target = members[leader].suffix
      let isEnough = try members[index].advance(to: target, isDriver: index == driver, &deadline)
      guard members[index].scan.isValid else { return false }
      // If a few steps don't bring the driver there, it has more entries here than the leader.
      if index == driver, !isEnough { driver = leader }
      if isBehind(leader, index) { leader = index }
    }
    return true
  }

  /// Returns the next member to move to the position of `leader`, the driver before all others.
  private func firstBehind(_ leader: Int) -> Int? {
    if isBehind(driver, leader) { return driver }
    return members.indices.first { isBehind($0, leader) }
  }
}
