import DocumentModel

/// The intersection of all scans of a plan, in the order of the query.
///
/// A single scan is read through. If there are several, one is walked, and the scans that are kept
/// in memory are tested for its documents. The walked one is a kept scan only if all are kept. If
/// several aren't kept, they are joined by a zig-zag: a member before the furthest suffix jumps to
/// it, until all stand on the same one (§5.5). The *driver* is the member that seems to have the
/// fewest entries in this part. It goes first, by steps, and the others are moved to its suffix.
struct IndexJoin {
  /// The number of steps that cost about as much as a seek.
  private static let entriesPerSeek = 8

  private let view: ReadView?
  private var members: [JoinMember] = []
  /// The indices of the members that are walked.
  private var walkers: [Int] = []
  /// The smallest kept member, and the number of entries that the walk may read before this member
  /// is walked too. The walked one might be far larger.
  private var reserve: (member: Int, entryCount: Int)?
  private var driver = 0
  /// The cursor over the driver's entries, if all scans are kept in memory.
  private var run: RunCursor?
  private var isStarted = false
  private var isAtEnd = false
  /// Whether a recorder wants the keys that the result depends on.
  private let isRecording: Bool
  /// Whether the join needs only the existence of an entry and not its content.
  private let usesMemory: Bool
  private var suffix: [UInt8] = []

  /// Creates a join of no scans, which is at its end.
  init() {
    view = nil
    isRecording = false
    usesMemory = false
  }

  /// - Parameter usesMemory: whether the join needs only the existence of an entry and not its
  ///   content.
  init(_ scans: [ScanBytes], in view: ReadView, usingMemory usesMemory: Bool) throws {
    self.view = view
    isRecording = view.recorder != nil
    self.usesMemory = usesMemory
    members = scans.map { JoinMember($0) }
    if usesMemory, let cache = view.caches.scans { remember(cache, at: view.commitNumber) }
    walkers = members.indices.filter { members[$0].content == nil }
    driver = walkers.first ?? 0
    guard run == nil else { return }
    for index in walkers { try members[index].open(in: view) }
  }

  /// Finds the kept contents of the scans, and the members to walk.
  private mutating func remember(_ cache: ScanCache, at commitNumber: UInt64) {
    for index in members.indices {
      members[index].content = cache.content(
        of: members[index].scan.prefix, at: commitNumber)
    }
    let kept = members.indices.filter { members[$0].content != nil }
    guard let smallest = kept.min(by: { size(of: $0) < size(of: $1) }) else { return }
    guard kept.count == members.count else {
      return reserve = (smallest, size(of: smallest))
    }
    let content = members[smallest].content
    members[smallest].content = nil
    if case .entries(let entries)? = content, members[smallest].scan.filter == nil {
      run = RunCursor(
        entries, of: members[smallest].scan, joining: members.compactMap(\.content))
    }
  }

  private func size(of index: Int) -> Int { members[index].content?.count ?? .max }

  // MARK: Moving

  /// Moves to the next entry that all scans have. Returns `false` at the end.
  ///
  /// - Throws: `deadlineExceeded` too, even while no common entry is found.
  mutating func next(_ deadline: inout Deadline) throws -> Bool {
    guard !walkers.isEmpty, !isAtEnd else { return false }
    if try run == nil ? walk(&deadline) : walkRun(&deadline) { return true }
    isAtEnd = true
    return false
  }

  private mutating func walkRun(_ deadline: inout Deadline) throws -> Bool {
    try run?.next(&deadline) ?? false
  }

  private mutating func walk(_ deadline: inout Deadline) throws -> Bool {
    try deadline.check()
    if isStarted {
      guard members[driver].isValid else { return false }
      try members[driver].next(&deadline)
    } else {
      guard try start(&deadline) else { return false }
    }
    while members[driver].isValid {
      guard try walkers.count == 1 || meet(&deadline) else { return false }
      if try areAllThere() { return true }
      try deadline.check()
      if let reserve, members[driver].entriesRead > reserve.entryCount {
        guard try enlist(reserve.member, &deadline) else { return false }
      }
      try members[driver].next(&deadline)
    }
    return false
  }

  private mutating func start(_ deadline: inout Deadline) throws -> Bool {
    isStarted = true
    for index in walkers {
      try members[index].start(&deadline)
      guard members[index].isValid else { return false }
    }
    guard walkers.count > 1 else { return true }
    for index in walkers {
      try members[index].readSuffix()
      // The member that begins furthest on has the fewest entries up to there.
      if isBehind(driver, index) { driver = index }
    }
    return true
  }

  // MARK: Zig-zag

  private func isBehind(_ index: Int, _ other: Int) -> Bool {
    members[index].suffix.byteCompare(members[other].suffix) == .less
  }

  /// Moves the walked members on until they agree. Returns `false` if one of them ends first.
  private mutating func meet(_ deadline: inout Deadline) throws -> Bool {
    try members[driver].readSuffix()
    var leader = driver
    for index in walkers where isBehind(leader, index) { leader = index }
    while let index = firstBehind(leader) {
      try deadline.check()
      let target = members[leader].suffix
      let isEnough = try members[index].advance(to: target, isDriver: index == driver, &deadline)
      guard members[index].isValid else { return false }
      // If a few steps don't bring the driver there, it has more entries here than the leader.
      if index == driver, !isEnough { driver = leader }
      if isBehind(leader, index) { leader = index }
    }
    return true
  }

  /// Returns the next member to move to the position of `leader`, the driver before all others.
  private func firstBehind(_ leader: Int) -> Int? {
    if isBehind(driver, leader) { return driver }
    return walkers.first { isBehind($0, leader) }
  }

  /// Walks a member that was only tested so far. Returns `false` if it has no entries.
  private mutating func enlist(_ index: Int, _ deadline: inout Deadline) throws -> Bool {
    reserve = nil
    guard let view else { return false }
    members[index].forget()
    try members[index].open(in: view)
    try members[index].start(&deadline)
    walkers.append(index)
    guard members[index].isValid else { return false }
    try members[index].readSuffix()
    return true
  }

  // MARK: Memory

  /// Whether the entry's document is in every scan that is tested in memory.
  private mutating func areAllThere() throws -> Bool {
    guard walkers.count < members.count else { return true }
    let number = try documentNumber()
    if isRecording { try readSuffix(into: &suffix) }
    for index in members.indices where members[index].content != nil {
      if isRecording { try members[index].note(suffix) }
      guard members[index].contains(number) else { return false }
    }
    return true
  }
}

// MARK: - The entry

extension IndexJoin {
  /// The cursor of a join with only one scan.
  var single: IndexCursor? { members.count == 1 ? members[0].cursor : nil }

  func documentNumber() throws -> UInt64 {
    if let run { return run.documentNumber }
    return try standing(driver).readEntry().documentNumber
  }

  /// Whether an entry of a walked scan holds only a part of a value.
  func isAnyCut() throws -> Bool {
    try walkers.contains { try standing($0).readEntry().anyCut }
  }

  /// Replaces the contents of `suffix` by the common suffix of the entries.
  func readSuffix(into suffix: inout [UInt8]) throws {
    guard let run else { return try standing(driver).readSuffix(into: &suffix) }
    suffix.removeAll(keepingCapacity: true)
    run.appendStoredSuffix(to: &suffix)
    try members[driver].scan.makeJoined(stored: &suffix)
  }

  private func standing(_ index: Int) throws -> IndexCursor {
    guard let cursor = members[index].cursor else {
      throw DatabaseError(.failedPrecondition, "The join stands on no entry.")
    }
    return cursor
  }

  /// Returns the entry of one of the scans.
  ///
  /// - Complexity: a seek for a scan that was only tested in memory so far.
  mutating func entry(ofScan index: Int) throws -> IndexCursor {
    guard run != nil || members[index].content != nil, let view else { return try standing(index) }
    var suffix: [UInt8] = []
    try readSuffix(into: &suffix)
    members[index].suffix = suffix
    return try members[index].seekEntry(in: view)
  }

  /// Returns the entry of a scan that is walked in the store; `nil` for one that is kept in memory.
  func walkedEntry(ofScan index: Int) throws -> IndexCursor? {
    run != nil || members[index].content != nil ? nil : try standing(index)
  }
}

// MARK: - Many entries

extension IndexJoin {
  /// Whether the join walks one kept scan alone, and no recorder wants its reads.
  private var isKept: Bool { members.count == 1 && run != nil && !isRecording }

  /// Appends the document numbers of the next `count` entries, or fewer at the end. Returns `false`
  /// if the scan isn't kept in memory.
  mutating func readKeptNumbers(_ count: Int, into numbers: inout [UInt64]) -> Bool {
    guard isKept else { return false }
    run?.readNumbers(count, into: &numbers)
    return true
  }

  /// Skips the next `count` entries, or fewer at the end. Returns their number; `nil` if the scan
  /// isn't kept in memory.
  mutating func skipKept(_ count: Int) -> Int? {
    isKept ? run?.skip(count) : nil
  }
}

// MARK: - What was done

extension IndexJoin {
  var statistics: [ScanStatistics] {
    var statistics = members.map(\.statistics)
    guard let run else { return statistics }
    statistics[driver].entriesRead += run.entriesRead
    statistics[driver].entriesCached = run.entriesRead
    let others = members.indices.filter { members[$0].content != nil }
    for (index, count) in zip(others, run.testCounts) { statistics[index].testCount = count }
    return statistics
  }

  /// Throws if anything could not be read. Must be called before results are final.
  mutating func checkReads() throws {
    for member in members { try member.cursor?.checkReads() }
    lend()
  }

  /// Adds the keys on which the result depends. A walk in memory depends on all scans up to the
  /// last entry that it has reached.
  func appendReads(to reads: inout ReadSet) throws {
    guard let run else { return members.forEach { $0.appendReads(to: &reads) } }
    guard isAtEnd else { return try appendReads(of: run, to: &reads) }
    for member in members {
      for range in member.scan.ranges { reads.insertScan(of: range) }
    }
  }

  private func appendReads(of run: RunCursor, to reads: inout ReadSet) throws {
    guard run.lastPosition != nil else { return }
    var suffix: [UInt8] = []
    run.appendLastSuffix(to: &suffix)
    try members[driver].scan.makeJoined(stored: &suffix)
    for member in members {
      member.scan.appendReads(through: try member.scan.key(ofJoined: suffix), to: &reads)
    }
  }

  /// Tells the cache the cost of the scans. In return the cache makes a part of their kept
  /// contents: those of the cheapest scan for walking, those of the others for testing.
  private mutating func lend() {
    guard usesMemory, run == nil, let view, let cache = view.caches.scans else { return }
    let costs = walkers.map { members[$0].cost(entriesPerSeek: IndexJoin.entriesPerSeek) }
    guard let least = costs.indices.min(by: { costs[$0] < costs[$1] }) else { return }
    for (index, cost) in zip(walkers, costs) {
      let newCost = cost - members[index].lentCost
      members[index].lentCost = cost
      let isLeast = index == walkers[least]
      guard newCost > 0, !isLeast || newCost <= 2 * ScanEntries.countLimit else { continue }
      cache.lend(
        newCost, toScanOf: members[index].scan.prefix, for: isLeast ? .walking : .testing,
        in: view)
    }
  }
}
