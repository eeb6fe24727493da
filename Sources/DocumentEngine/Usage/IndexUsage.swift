package import DocumentModel
import OrderedStore
import QueryPlanning
import StorageFormat

/// Which indexes queries use, and which of them cost writes.
///
/// It is counted in memory, where a query pays for an addition and a look at the clock, and is
/// saved now and then: what was counted since is lost with the process. Nothing that the database
/// answers depends on it.
package final class IndexUsage: Sendable {
  /// So many indexes of fields are counted for what writes do to them, and as many more for the
  /// queries that they serve: fields may be as many as documents have keys of maps.
  private static let fieldLimit = 4096

  /// Who has an index counted.
  fileprivate enum Occasion: Sendable {
    case query, write
  }

  fileprivate struct State {
    var counters: [IndexName: IndexCounter] = [:]
    /// How many of them were made for writes, and for queries.
    var counterCounts: [Occasion: Int] = [:]
    /// Whether there was a query whose indexes were too many to be counted.
    var missesQueries = false
    /// What the store has.
    var saved: [IndexName: UsageRecord] = [:]
    var isStartSaved: Bool
    /// Why the last attempt to save was in vain.
    var failure: DatabaseError?
  }

  /// Since when anything is recorded: of an index that it knows nothing of, nothing was used since.
  package let start: Timestamp
  private let clock: any EngineClock
  private let state: Lock<State>
  /// Touched by the committer alone, but not by one thread.
  private let tally = Lock(WriteTally())

  /// Goes on with what the store has.
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
    // Somebody chose these: no other field takes their place.
    let since = state.missesQueries ? now : self.start
    for name in catalog.indexes.overrideNames where state.counters[name] == nil {
      state.counters[name] = IndexCounter(UsageRecord(since: since))
    }
    self.state = Lock(state)
  }

  // MARK: Counting

  /// A query has begun that these indexes serve.
  func countQuery(_ counters: [IndexCounter]) {
    let time = clock.coarseMicroseconds
    for counter in counters { counter.countQuery(atMicroseconds: time) }
  }

  /// The counters of the indexes that a plan reads, each once.
  func counters(of plan: Plan) -> [IndexCounter] {
    var names: [IndexName] = []
    for branch in plan.branches {
      for scan in branch.scans {
        guard let name = IndexName(scan), !names.contains(name) else { continue }
        names.append(name)
      }
    }
    return state.withLock { [names, start] state in
      names.compactMap { name in
        state.counter(of: name, since: start, for: .query, limit: IndexUsage.fieldLimit)
      }
    }
  }

  /// Counts the entries that a commit has put and deleted.
  func countWrites(_ changes: [DocumentChange]) {
    guard !changes.isEmpty else { return }
    tally.withLock { [changes] tally in
      for change in changes {
        tally.count(change) { name in
          let now = clock.now()
          return state.withLock { [start] state in
            // Of its queries up to now some may have been missed.
            let since = state.missesQueries ? now : start
            return state.counter(of: name, since: since, for: .write, limit: IndexUsage.fieldLimit)
          }
        }
      }
    }
  }

  /// Takes up the indexes that a commit at `time` has created, and gives up those that it has
  /// dropped.
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
    tally.withLock { $0 = WriteTally() }
  }

  // MARK: Reading

  /// What was counted so far of each index that was used or written to, and of each composite.
  var records: [IndexName: UsageRecord] {
    state.withLock { $0.counters }.mapValues(\.record)
  }

  /// Whether there may have been queries that no counter knows of.
  var missesQueries: Bool { state.withLock { $0.missesQueries } }

  /// Why the last attempt to save was in vain; `nil` if it wasn't.
  package var failure: DatabaseError? { state.withLock { $0.failure } }

  // MARK: Saving

  /// What was counted since the last save, as writes for the store; `nil` if there is nothing.
  func unsaved() -> Unsaved? {
    let records = records
    return state.withLock { [start] state in
      let changed = records.filter { state.saved[$0.key] != $0.value }
      let gone = state.saved.keys.filter { records[$0] == nil }
      guard !changed.isEmpty || !gone.isEmpty else { return nil }
      return Unsaved(start: state.isStartSaved ? nil : start, changed: changed, gone: gone)
    }
  }

  func didSave(_ saved: Unsaved) {
    state.withLock { state in
      state.isStartSaved = true
      state.saved.merge(saved.changed) { _, new in new }
      for name in saved.gone { state.saved[name] = nil }
      state.failure = nil
    }
  }

  func didFail(_ error: DatabaseError) { state.withLock { $0.failure = error } }

  /// What the store lacks.
  struct Unsaved: Sendable {
    /// Since when anything is recorded, if that is new.
    let start: Timestamp?
    let changed: [IndexName: UsageRecord]
    let gone: [IndexName]

    var batch: StoreBatch {
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
  /// The counter of an index, which is made if need be; `nil` for one of too many fields, or a
  /// composite index that is gone.
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
  /// The index of a scan; `nil` for that of a query of every collection, which is of none.
  init?(_ scan: Plan.Scan) {
    let isGroup = scan.index.scope == .collectionGroup
    let group = UTF8Key(scan.index.collectionGroup)
    switch scan.source {
    case .composite(let id): self = .composite(id: id)
    case .key:
      guard !group.string.isEmpty else { return nil }
      self = .names(collectionGroup: group, scopeIsGroup: isGroup)
    case .automatic:
      guard let (field, single) = scan.index.singleField else { return nil }
      self.init(field, single, in: group)
    }
  }

  init(_ field: FieldPath, _ index: SingleFieldIndex, in group: UTF8Key) {
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

  /// The single-field indexes that overrides give to fields which didn't have them in `old`.
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
