import HearthOrderedStore

/// The versions in tables in key order: all tables of a level, or one table of level 0.
///
/// Blocks that can't be read are passed over. The first error is kept as `damage`.
final class TableRun: VersionRun {
  private enum Direction {
    case forwards
    case backwards
  }

  private let tables: [OpenTable]
  private let cache: BlockCache
  /// Index in `tables` of the table of `index`; outside of `tables` at an end.
  private var place = -1
  private var index: BlockCursor?
  /// The block that the entry of `index` names.
  private var block: BlockCursor?
  private(set) var damage: StoreError?

  /// - Parameter tables: the tables in the order of their keys.
  init(_ tables: [OpenTable], _ cache: BlockCache) {
    self.tables = tables
    self.cache = cache
  }

  var isValid: Bool { block?.isValid ?? false }
  var key: InternalKey { block?.key ?? InternalKey(beginning: []) }
  var value: ArraySlice<UInt8> { block?.value ?? [] }

  func seek(to key: InternalKey) throws(StoreError) {
    let target = tables.firstIndex(endingAtOrAfter: key)
    try open(target)
    try passingDamage { () throws(MalformedBlock) in try index?.seek(to: key) }
    try openBlock()
    try passingDamage { () throws(MalformedBlock) in try block?.seek(to: key) }
    if !isValid { try move(.forwards) }
  }

  func seek(before key: InternalKey) throws(StoreError) {
    let target = tables.firstIndex(beginningAtOrAfter: key)
    try open(target - 1)
    try passingDamage { () throws(MalformedBlock) in
      try index?.seek(to: key)
      // All blocks come before the key.
      if index?.isValid == false { try index?.seekToLast() }
    }
    try openBlock()
    try passingDamage { () throws(MalformedBlock) in try block?.seek(before: key) }
    if !isValid { try move(.backwards) }
  }

  func next() throws(StoreError) { try move(.forwards) }
  func previous() throws(StoreError) { try move(.backwards) }

  /// Moves to the next version in a direction, even in another block or table.
  private func move(_ direction: Direction) throws(StoreError) {
    while true {
      try passingDamage { () throws(MalformedBlock) in try step(&block, direction) }
      if isValid { return }
      block = nil
      try passingDamage { () throws(MalformedBlock) in try step(&index, direction) }
      if index?.isValid == true {
        try openBlock()
      } else {
        let target = direction == .forwards ? place + 1 : place - 1
        guard tables.indices.contains(target) else { return end() }
        try open(target)
      }
    }
  }

  private func step(
    _ cursor: inout BlockCursor?, _ direction: Direction
  ) throws(MalformedBlock) {
    switch direction {
    case .forwards: try cursor?.next()
    case .backwards: try cursor?.previous()
    }
  }

  private func end() {
    index = nil
    block = nil
  }

  /// Goes to a table, and to no block of it yet.
  private func open(_ target: Int) throws(StoreError) {
    place = target
    end()
    guard tables.indices.contains(target) else { return }
    do throws(StoreError) {
      index = try tables[target].makeIndexCursor(cache)
    } catch {
      try pass(error)
    }
  }

  /// Opens the block that the index stands on, if any.
  private func openBlock() throws(StoreError) {
    block = nil
    guard let index, index.isValid else { return }
    do throws(StoreError) {
      block = try tables[place].makeCursor(under: index, cache)
    } catch {
      try pass(error)
    }
  }

  private func passingDamage(
    _ body: () throws(MalformedBlock) -> Void
  ) throws(StoreError) {
    do {
      try body()
    } catch {
      try pass(tables[place].damage("has a block that is none"))
      // The index or the block is malformed. In both cases the rest of the table is given up.
      end()
    }
  }

  private func pass(_ error: StoreError) throws(StoreError) {
    guard error.code == .corrupt else { throw error }
    damage = damage ?? error
  }
}
