package import HearthDocumentModel
package import HearthOrderedStore
package import HearthQueryPlanning
package import HearthStorageFormat

/// The use of indexes by queries, and their cost to writes.
///
/// It is counted in memory, where a query pays for an addition and a look at the clock, and is
/// saved now and then. Counts since the last save are lost with the process. No result of the
/// database depends on them.
package final class IndexUsage: Sendable {
  /// The largest number of single-field indexes that are counted because of writes, and again
  /// because of queries. There may be as many fields as documents have map keys.
  private static let fieldLimit = 4096

  /// The reason for counting an index.
  fileprivate enum Occasion: Sendable {
    case query, write
  }

  fileprivate struct State {
    var counters: [IndexName: IndexCounter] = [:]
    /// The number of counters made for writes and for queries.
    var counterCounts: [Occasion: Int] = [:]
    /// Whether a query had an index that was not counted because too many others were.
    var missesQueries = false
    /// The records in the store.
    var saved: [IndexName: UsageRecord] = [:]
    var isStartSaved: Bool
    /// The error of the last save; `nil` if it succeeded.
    var failure: DatabaseError?
  }

  /// Time since which use is recorded. An index without a record was not used since.
  package let start: Timestamp
  private let clock: any EngineClock
  private let state: Lock<State>

  /// Continues with the records of the store.
  init(
    _ snapshot: any StoreSnapshot, _ catalog: Catalog, clock: any EngineClock
  ) throws {
    self.clock = clock
    let now = clock.now()
    var start: Timestamp?
    var saved: [IndexName: UsageRecord] = [:]
    try snapshot.forEachEntry(in: .prefix(StorageKey.usage)) { key, value in
      if let name = try StorageKey.indexName(ofUsage: key) {
        saved[name] = try UsageRecord(value)
      } else {
        start = try UsageRecord.start(value)
      }
      return true
    }
    self.start = start ?? now
    var state = State(saved: saved, isStartSaved: start != nil)
    state.counters = saved.mapValues(IndexCounter.init)
    let ids = Set(catalog.indexes.composites.map(\.id))
    for name in saved.keys {
      if case .composite(let id) = name, !ids.contains(id) { state.counters[name] = nil }
    }
    for id in ids where state.counters[.composite(id: id)] == nil {
      state.counters[.composite(id: id)] = IndexCounter(UsageRecord(since: now))
    }
    state.counterCounts[.query] = saved.values.count { $0.queryCount > 0 }
    state.counterCounts[.write] = saved.values.count { $0.queryCount == 0 }
    state.missesQueries = state.counterCounts[.query, default: 0] >= IndexUsage.fieldLimit
    // Overrides choose these fields, so no other field takes their place.
    let since = state.missesQueries ? now : self.start
    for name in catalog.indexes.overrideNames where state.counters[name] == nil {
      state.counters[name] = IndexCounter(UsageRecord(since: since))
    }
    self.state = Lock(state)
  }

  // MARK: Counting

  /// Counts a query that has begun and that these indexes serve.
  func countQuery(_ counters: [IndexCounter]) {
    let time = clock.coarseMicroseconds
    for counter in counters { counter.countQuery(atMicroseconds: time) }
  }

  /// Returns the counters of the indexes that a plan reads, each once.
  func counters(of plan: Plan) -> [IndexCounter] {
    var names: [IndexName] = []
    for scan in plan.branches.lazy.flatMap(\.scans) {
      guard let name = IndexName(scan.index, from: scan.source), !names.contains(name) else {
        continue
      }
      names.append(name)
    }
    return state.withLock { [names, start] state in
      names.compactMap { name in
        state.counter(of: name, since: start, for: .query, limit: IndexUsage.fieldLimit)
      }
    }
  }

  /// Returns the counter of an index to which a commit has written; `nil` if it isn't counted.
  func writeCounter(of name: IndexName) -> IndexCounter? {
    let now = clock.now()
    return state.withLock { [start] state in
      // Some of its queries up to now may have been missed.
      let since = state.missesQueries ? now : start
      return state.counter(of: name, since: since, for: .write, limit: IndexUsage.fieldLimit)
    }
  }

  /// Begins to count the indexes that a commit at `time` has created, and stops counting those that
  /// it has dropped.
  func follow(from old: Catalog, to new: Catalog, at time: Timestamp) {
    let oldIDs = Set(old.indexes.composites.map(\.id))
    let newIDs = Set(new.indexes.composites.map(\.id))
    let enabled = new.indexes.singleFieldNames(notIn: old.indexes)
    guard oldIDs != newIDs || !enabled.isEmpty else { return }
    state.withLock { state in
      for id in oldIDs.subtracting(newIDs) { state.counters[.composite(id: id)] = nil }
      for name in newIDs.subtracting(oldIDs).map({ .composite(id: $0) }) + enabled {
        state.counters[name] = IndexCounter(UsageRecord(since: time))
      }
    }
  }

  // MARK: Reading

  /// The counts so far of each index that was used or written to, and of each composite index.
  package var records: [IndexName: UsageRecord] {
    state.withLock { $0.counters }.mapValues(\.record)
  }

  /// Whether there may have been queries that no counter has counted.
  package var missesQueries: Bool { state.withLock { $0.missesQueries } }

  /// The error of the last save; `nil` if it succeeded.
  package var failure: DatabaseError? { state.withLock { $0.failure } }

  // MARK: Saving

  /// Returns the counts since the last save as writes for the store; `nil` if there are none.
  package func unsaved() -> Unsaved? {
    let records = records
    return state.withLock { [start] state in
      let changed = records.filter { state.saved[$0.key] != $0.value }
      let gone = state.saved.keys.filter { records[$0] == nil }
      guard !changed.isEmpty || !gone.isEmpty else { return nil }
      return Unsaved(start: state.isStartSaved ? nil : start, changed: changed, gone: gone)
    }
  }

  package func didSave(_ saved: Unsaved) {
    state.withLock { state in
      state.isStartSaved = true
      state.saved.merge(saved.changed) { _, new in new }
      for name in saved.gone { state.saved[name] = nil }
      state.failure = nil
    }
  }

  package func didFail(_ error: DatabaseError) { state.withLock { $0.failure = error } }

  /// The changes that the store lacks.
  package struct Unsaved: Sendable {
    /// Time since which use is recorded, if it isn't stored yet.
    let start: Timestamp?
    let changed: [IndexName: UsageRecord]
    let gone: [IndexName]

    package var batch: StoreBatch {
      var batch = StoreBatch()
      func put(_ key: [UInt8], _ append: (inout [UInt8]) -> Void) {
        batch.put { bytes in
          bytes += key
          let keyEnd = bytes.count
          append(&bytes)
          return keyEnd
        }
      }
      if let start { put(StorageKey.usage) { UsageRecord.append(start: start, to: &$0) } }
      for (name, record) in changed { put(StorageKey.usage(of: name), record.append) }
      for name in gone { batch.delete(StorageKey.usage(of: name)) }
      return batch
    }
  }
}

extension IndexUsage.State {
  /// Returns the counter of an index, and makes one if needed; `nil` for a field beyond the limit,
  /// or for a composite index that is gone.
  fileprivate mutating func counter(
    of name: IndexName, since time: Timestamp, for occasion: IndexUsage.Occasion, limit: Int
  ) -> IndexCounter? {
    if let counter = counters[name] { return counter }
    if case .composite = name { return nil }
    guard counterCounts[occasion, default: 0] < limit else {
      if occasion == .query { missesQueries = true }
      return nil
    }
    let counter = IndexCounter(UsageRecord(since: time))
    counters[name] = counter
    counterCounts[occasion, default: 0] += 1
    return counter
  }
}

extension IndexName {
  /// Returns `nil` for a scan of every collection, which belongs to no index.
  fileprivate init?(_ index: IndexDefinition, from source: IndexSource) {
    let isGroup = index.scope == .collectionGroup
    let group = UTF8Key(index.collectionGroup)
    switch source {
    case .composite(let id): self = .composite(id: id)
    case .key:
      guard !group.string.isEmpty else { return nil }
      self = .names(collectionGroup: group, scopeIsGroup: isGroup)
    case .automatic:
      guard let (field, single) = index.singleField else { return nil }
      self.init(field, single, in: group)
    }
  }

  package init(_ field: FieldPath, _ index: SingleFieldIndex, in group: UTF8Key) {
    self = .field(
      field, mode: index.mode.byte, collectionGroup: group,
      scopeIsGroup: index.scope == .collectionGroup)
  }
}

extension IndexSet {
  /// The single-field indexes that overrides give to fields.
  fileprivate var overrideNames: [IndexName] {
    overrides.flatMap { override in
      override.indexes.keys.compactMap { index in
        override.field.map { IndexName($0, index, in: UTF8Key(override.collectionGroup)) }
      }
    }
  }

  /// Returns the single-field indexes that overrides give to fields that didn't have them in `old`.
  fileprivate func singleFieldNames(notIn old: IndexSet) -> [IndexName] {
    guard overrides != old.overrides else { return [] }
    return overrides.flatMap { override in
      override.indexes.keys.compactMap { index in
        guard let field = override.field,
          old.state(of: index, field: field, in: override.collectionGroup) == nil
        else { return nil }
        return IndexName(field, index, in: UTF8Key(override.collectionGroup))
      }
    }
  }
}
