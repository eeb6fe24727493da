package import HearthOrderedStore

extension DamagedStore {
  /// - Complexity: the versions of these keys; the beginning takes one step per table.
  package func forEachVersion(
    from lower: [UInt8], to upper: [UInt8], _ body: (SalvagedVersion) throws -> Bool
  ) throws {
    var merge = VersionMerge()
    for table in tables {
      if let cursor = TableVersions(table, from: lower, to: upper) { merge.add(cursor) }
    }
    merge.add(LoggedVersions(logged, from: lower))
    var doubts = Doubts(self)
    var last: [UInt8]?
    while let cursor = try merge.next() {
      let head = cursor.head
      guard head.userKey.precedes(upper) else { return }
      // Older versions of a key follow its newest.
      guard head.userKey != last else { continue }
      last = head.userKey
      let doubt = doubts.doubt(of: head, in: cursor.table)
      let value = head.isDeletion ? nil : cursor.value
      let version = SalvagedVersion(
        key: head.userKey, value: value == DeadValue.bytes ? nil : value, sequence: head.sequence,
        doubt: doubt)
      guard try body(version) else { return }
    }
  }

  /// Whether an unreadable part may hold something newer than a version.
  ///
  /// - Parameter table: the table that holds the version; `nil` for a log.
  fileprivate func mayHide(
    _ damage: Int, than version: InternalKey, in table: (level: UInt64?, number: UInt64)?
  ) -> Bool {
    switch reaches[damage] {
    case .nothing: return false
    case .everything: return true
    case .before(let sequence): return version.sequence < sequence
    case .below(let level, let number):
      // Operations in the logs are in no table yet.
      guard let table else { return false }
      guard let versionLevel = table.level else { return true }
      if versionLevel != level { return versionLevel > level }
      return level > 0 || table.number <= number
    }
  }
}

/// A merge of the versions of several cursors into one order: a heap of cursors by their versions.
private struct VersionMerge {
  private var heap: [VersionCursor] = []
  /// Whether the cursor at the top was handed out and has to be moved.
  private var isTopTaken = false

  mutating func add(_ cursor: VersionCursor) {
    heap.append(cursor)
    var child = heap.count - 1
    while child > 0, heap[child].head.precedes(heap[(child - 1) / 2].head) {
      heap.swapAt(child, (child - 1) / 2)
      child = (child - 1) / 2
    }
  }

  /// Returns the cursor that stands on the next version. It stays there until the next call.
  mutating func next() throws(StoreError) -> VersionCursor? {
    if isTopTaken { try moveTop() }
    while let top = heap.first, top.isWaiting { try moveTop() }
    isTopTaken = true
    return heap.first
  }

  private mutating func moveTop() throws(StoreError) {
    guard let top = heap.first else { return }
    isTopTaken = false
    if try !top.next() {
      heap.swapAt(0, heap.count - 1)
      heap.removeLast()
    }
    var parent = 0
    while true {
      var least = parent
      for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count {
        if heap[child].head.precedes(heap[least].head) { least = child }
      }
      if least == parent { return }
      heap.swapAt(parent, least)
      parent = least
    }
  }
}

/// A search for the damage that matters for a version. Versions must come in order.
private struct Doubts {
  private let store: DamagedStore
  private var next = 0
  private var active: [Int] = []

  init(_ store: DamagedStore) {
    self.store = store
  }

  /// Returns the index of the first damage that may hold something newer than a version, or `nil`.
  mutating func doubt(
    of version: InternalKey, in table: (level: UInt64?, number: UInt64)?
  ) -> Int? {
    let key = version.userKey
    while next < store.damage.count, !key.precedes(store.damage[next].lower) {
      active.append(next)
      next += 1
    }
    active.removeAll { store.damage[$0].upper.map { !key.precedes($0) } ?? false }
    return active.first { store.mayHide($0, than: version, in: table) }
  }
}
