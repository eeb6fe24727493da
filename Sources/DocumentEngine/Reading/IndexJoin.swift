import DocumentModel

/// The entries that all scans of a plan agree on, in the order of the query.
///
/// One scan is read through. Several are joined by a zig-zag: whoever stands behind the furthest
/// suffix jumps to it, until all stand on the same one (§5.5). The cursor that the others jumped to
/// leads: it was the most selective one here, so it is the one to step to the next candidate.
struct IndexJoin {
  let cursors: [IndexCursor]
  private var suffixes: [[UInt8]]
  private var leader = 0
  private var isStarted = false

  init(_ cursors: [IndexCursor]) {
    self.cursors = cursors
    suffixes = Array(repeating: [], count: cursors.count)
  }

  /// Moves to the next entry that all agree on; `false` at the end.
  ///
  /// - Throws: `deadlineExceeded` too, however long no entry is agreed on.
  mutating func next(_ deadline: inout Deadline) throws -> Bool {
    guard !cursors.isEmpty else { return false }
    try deadline.check()
    if isStarted {
      guard cursors[leader].isValid else { return false }
      try cursors[leader].next(&deadline)
    } else {
      guard try start(&deadline) else { return false }
    }
    guard cursors[leader].isValid else { return false }
    return try cursors.count == 1 || meet(&deadline)
  }

  /// Replaces the contents of `suffix` by what the entries agree on.
  func readSuffix(into suffix: inout [UInt8]) throws {
    try cursors[leader].readSuffix(into: &suffix)
  }

  private mutating func start(_ deadline: inout Deadline) throws -> Bool {
    isStarted = true
    for cursor in cursors {
      try cursor.start(&deadline)
      guard cursor.isValid else { return false }
    }
    if cursors.count > 1 { for index in cursors.indices.dropFirst() { try readSuffix(index) } }
    return true
  }

  /// Moves the cursors on until they agree; `false` if one of them ends first.
  private mutating func meet(_ deadline: inout Deadline) throws -> Bool {
    try readSuffix(leader)
    var agreeing = 1
    var index = leader
    while agreeing < cursors.count {
      try deadline.check()
      index = (index + 1) % cursors.count
      if suffixes[index].byteCompare(suffixes[leader]) == .less {
        try cursors[index].seek(toSuffix: suffixes[leader], &deadline)
        guard cursors[index].isValid else { return false }
        try readSuffix(index)
      }
      if suffixes[index] == suffixes[leader] {
        agreeing += 1
      } else {
        leader = index
        agreeing = 1
      }
    }
    return true
  }

  private mutating func readSuffix(_ index: Int) throws {
    try cursors[index].readSuffix(into: &suffixes[index])
  }
}
