import HearthDocumentModel
import HearthQueryPlanning
import HearthStorageFormat

/// The entries of several branches as one ordered list, in which a document of several branches
/// appears once (§4.3).
///
/// A branch that hasn't been read yet stands at a lower bound of its keys, and is opened when the
/// bound comes first. So a page that ends before the bound costs the branch nothing.
final class Union: EntryCursor {
  @exclusivity(unchecked) private var walk: UnionWalk
  let mayRecheck: Bool

  /// - Parameters:
  ///   - keys: the keys of each branch.
  ///   - open: makes the cursor of the branch at this position of `keys`.
  init(
    _ keys: [UnionKeys], mayRecheck: Bool, open: @escaping (Int) throws -> any EntryCursor
  ) {
    walk = UnionWalk(keys, open)
    self.mayRecheck = mayRecheck
  }

  func next(_ deadline: inout Deadline) throws -> Bool {
    guard try walk.next(&deadline) else { return false }
    if mayRecheck { try walk.preferDecided() }
    return true
  }

  private func entry() throws -> any EntryCursor {
    guard let entry = walk.standing else {
      throw DatabaseError(.failedPrecondition, "The query stands on no entry.")
    }
    return entry
  }

  func documentNumber() throws -> UInt64 { try entry().documentNumber() }
  func readSuffix(into suffix: inout [UInt8]) throws { try entry().readSuffix(into: &suffix) }
  func needsRecheck() throws -> Bool { try entry().needsRecheck() }
  func value(of field: FieldPath) throws -> (isHeld: Bool, value: Value?) {
    try entry().value(of: field)
  }
  func coveredRecord(notingFields: Bool) throws -> DocumentRecord? {
    try entry().coveredRecord(notingFields: notingFields)
  }
  var vectorEntry: StoreScan? { walk.standing?.vectorEntry }

  // MARK: The end

  private func forEachOpen(_ body: (any EntryCursor) throws -> Void) rethrows {
    for case let cursor? in walk.opened { try body(cursor) }
  }

  func checkReads() throws { try forEachOpen { try $0.checkReads() } }

  func appendReads(to reads: inout ReadSet) throws {
    try forEachOpen { try $0.appendReads(to: &reads) }
  }

  func forEachWork(_ body: (ScanPlace, ScanStatistics) -> Void) {
    forEachOpen { $0.forEachWork(body) }
  }

  func finish() { forEachOpen { $0.finish() } }
}

/// The branches of a union, in the order of their current keys.
private struct UnionWalk {
  private let branches: [UnionKeys]
  private let open: (Int) throws -> any EntryCursor
  /// The entries of each branch; `nil` before it is opened.
  private(set) var opened: [(any EntryCursor)?]
  /// The key of each branch's entry; a lower bound of all keys before it is opened.
  private var keys: [[UInt8]]
  /// The branches that have entries left, as a binary heap with the first branch on top.
  private var heap: [Int] = []
  /// The branches that stand on the current entry's document.
  private var current: [Int] = []
  /// The branch whose entry is the current one.
  private var match = 0
  private var suffix: [UInt8] = []

  init(_ branches: [UnionKeys], _ open: @escaping (Int) throws -> any EntryCursor) {
    self.branches = branches
    self.open = open
    opened = branches.map { _ in nil }
    keys = branches.map(\.lowest)
    for index in branches.indices { push(index) }
  }

  /// The entry of the current document; `nil` if there is none.
  var standing: (any EntryCursor)? { current.isEmpty ? nil : opened[match] }

  /// Moves to the next document; `false` at the end.
  mutating func next(_ deadline: inout Deadline) throws -> Bool {
    for index in current { try advance(index, &deadline) }
    current.removeAll(keepingCapacity: true)
    while let first = heap.first {
      pop()
      if isOpen(first) {
        current.append(first)
        match = first
        while let other = heap.first, keys[other] == keys[first] {
          current.append(other)
          pop()
        }
        return true
      }
      try advance(first, &deadline)
    }
    return false
  }

  /// Prefers a branch whose entry decides the match, since one is enough.
  mutating func preferDecided() throws {
    match = try current.first { try !(opened[$0]?.needsRecheck() ?? true) } ?? match
  }

  private mutating func advance(_ index: Int, _ deadline: inout Deadline) throws {
    let cursor = try opened[index] ?? opening(index)
    guard try cursor.next(&deadline) else { return }
    if branches[index].areSuffixes {
      try cursor.readSuffix(into: &keys[index])
    } else {
      try cursor.readSuffix(into: &suffix)
      try branches[index].readKey(of: suffix, into: &keys[index])
    }
    push(index)
  }

  private mutating func opening(_ index: Int) throws -> any EntryCursor {
    let cursor = try open(index)
    opened[index] = cursor
    return cursor
  }

  private func isOpen(_ index: Int) -> Bool {
    if case nil = opened[index] { false } else { true }
  }

  // MARK: The heap

  /// Whether one branch comes before another. If their keys are equal, an unopened branch comes
  /// first, since it may have the same document.
  private func precedes(_ left: Int, _ right: Int) -> Bool {
    switch keys[left].byteCompare(keys[right]) {
    case .less: true
    case .greater: false
    case .equal: !isOpen(left) && isOpen(right)
    }
  }

  private mutating func push(_ index: Int) {
    var child = heap.count
    heap.append(index)
    while child > 0, precedes(heap[child], heap[(child - 1) / 2]) {
      heap.swapAt(child, (child - 1) / 2)
      child = (child - 1) / 2
    }
  }

  private mutating func pop() {
    heap.swapAt(0, heap.count - 1)
    heap.removeLast()
    var parent = 0
    while true {
      var first = parent
      for child in [2 * parent + 1, 2 * parent + 2]
      where child < heap.count && precedes(heap[child], heap[first]) {
        first = child
      }
      guard first != parent else { return }
      heap.swapAt(parent, first)
      parent = first
    }
  }
}

/// The values by which a branch's entries are ordered in a union, as bytes that ascend in the order
/// of the query. Entries of one document have the same key in all branches.
struct UnionKeys {
  /// A lower bound of the keys.
  let lowest: [UInt8]
  /// Whether keys are the suffixes themselves.
  let areSuffixes: Bool
  /// The parts of a key: a column of the suffix, or else the bytes of a constant.
  private let parts: [(column: Int?, bytes: [UInt8])]
  /// The orders of the columns of a suffix before the name.
  private let columns: [ColumnOrder]

  /// - Parameters:
  ///   - orders: the orders of the plan.
  ///   - scans: the branch's scans.
  init(of branch: Plan.Branch, _ orders: [Order], _ encoder: ValueEncoder, _ scans: [ScanBytes]) {
    var parts: [(column: Int?, bytes: [UInt8])] = []
    var lowest: [UInt8] = []
    var isFixed = true
    for (column, order) in zip(branch.key, orders) {
      var bytes: [UInt8] = []
      let value = branch.value(of: column)
      if let value { encoder.append(value, ColumnOrder(order.direction), to: &bytes) }
      isFixed = isFixed && value != nil
      if isFixed { lowest += bytes }
      if case .suffix(let index) = column {
        parts.append((index, []))
      } else {
        parts.append((nil, bytes))
      }
    }
    areSuffixes = branch.isSortedBySuffix
    if areSuffixes, let scan = scans.first, scan.hasJoinedSuffix { lowest = scan.lowestSuffix }
    self.parts = parts
    self.lowest = lowest
    columns = branch.suffix.dropLast().map { ColumnOrder($0.direction) }
  }

  /// Replaces the contents of `key` with the key of the entry with this suffix.
  func readKey(of suffix: [UInt8], into key: inout [UInt8]) throws {
    var ends = [0]
    for order in columns {
      let start = ends[ends.count - 1]
      ends.append(try OrderedValue.endOfValue(in: suffix.span.bytes, at: start, order))
    }
    ends.append(suffix.count)
    key.removeAll(keepingCapacity: true)
    for part in parts {
      key += part.column.map { suffix[ends[$0]..<ends[$0 + 1]] } ?? part.bytes[...]
    }
  }
}

extension Plan.Branch {
  /// Whether results are ordered by the suffix itself.
  fileprivate var isSortedBySuffix: Bool {
    guard key.count == suffix.count else { return false }
    for (index, column) in key.enumerated() {
      guard case .suffix(index) = column else { return false }
    }
    return true
  }

  /// Returns the value of a column, if all keys of the branch have the same one; otherwise `nil`.
  fileprivate func value(of column: KeyColumn) -> Value? {
    switch column {
    case .constant(let value): return value
    case .suffix(let index):
      guard let ranges = ranges[index], ranges.count == 1, !suffix[index].field.isDocumentID else {
        return nil
      }
      return ranges[0].point
    }
  }
}
