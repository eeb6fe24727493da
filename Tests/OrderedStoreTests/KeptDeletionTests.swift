import LevelDBStore
import OrderedStore
import TestSupport
import Testing

/// LevelDB 1.23 brings deleted keys back, as `SplitKeys` tells; a store of Hearth's doesn't.
@Suite("Keys that stay deleted") struct KeptDeletionTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.path(of: "database")
  }

  private static var options: LevelDBStore.Options {
    var options = LevelDBStore.Options()
    options.isDurable = false
    options.isCompressed = false
    options.writeBufferByteCount = 16 << 20
    options.tableByteCount = 1 << 20
    return options
  }

  @Test func aDeleteIsKeptWhereATableEndsBehindIt() throws {
    let (store, _) = try LevelDBStore.open(folder: path, options: Self.options)
    try SplitKeyHistory.make(
      put: { try store.write(batch(put: $0)) }, delete: { try store.write(batch(delete: $0)) },
      compact: { try store.compact(from: $0, to: $1) }, makeSnapshot: { try store.makeSnapshot() })
    let found = try store.makeSnapshot().entries().map { $0.key.prefix(2) }
    #expect(found == SplitKeyHistory.otherKeys.map { $0.prefix(2) })
    // The writes and compactions have done it, and it is told once.
    #expect(try Set(store.keepDeleted()).isSuperset(of: SplitKeyHistory.splitKeys))
    #expect(try store.keepDeleted() == [])
  }

  /// LevelDB alone makes the history; then the store is opened.
  @Test func openingDeletesWhatCameBack() throws {
    try LevelDBStore.open(folder: path, options: Self.options).store.close()
    let raw = try RawLevelDB(path + "/store")
    try SplitKeyHistory.make(
      put: raw.put, delete: raw.delete, compact: raw.compact, makeSnapshot: raw.makeSnapshot)
    // Once LevelDB has been mended this fails, and there is nothing left to keep it from.
    for key in SplitKeyHistory.splitKeys { #expect(raw.holds(key)) }
    let (back, logged, stored) = (
      SplitKeyHistory.splitKeys[0], SplitKeyHistory.splitKeys[1], SplitKeyHistory.splitKeys[2]
    )
    // With the same value as before.
    raw.put(stored)
    raw.compact(stored, stored + [0])
    raw.put(logged)
    raw.close()

    do {
      let salvaged = try DamagedStore(folder: path)
      #expect(salvaged.damage.isEmpty)
      #expect(try salvaged.newestVersion(of: back)?.value == nil)
      #expect(try salvaged.newestVersion(of: logged)?.value == SplitKeyHistory.value)
      #expect(try salvaged.newestVersion(of: stored)?.value == SplitKeyHistory.value)
    }

    do {
      let snapshot = try ReadOnlyStore.open(folder: path).store.makeSnapshot()
      #expect(try snapshot.value(of: back) == nil)
      #expect(try snapshot.value(of: logged) == SplitKeyHistory.value)
      #expect(try snapshot.value(of: stored) == SplitKeyHistory.value)
      let forwards = try snapshot.entries().map(\.key)
      #expect(forwards.contains(stored) && !forwards.contains(back))
      #expect(try snapshot.entriesBackwards().map(\.key) == forwards.reversed())
    }

    for _ in 0..<2 {
      let (store, _) = try LevelDBStore.open(folder: path, options: Self.options)
      let snapshot = try store.makeSnapshot()
      #expect(try snapshot.value(of: back) == nil)
      #expect(try snapshot.value(of: logged) == SplitKeyHistory.value)
      #expect(try snapshot.value(of: stored) == SplitKeyHistory.value)
      try store.close()
    }
  }

  /// Long keys that come and go, views that come and go, and compactions of parts: with these seeds
  /// LevelDB alone brings some back.
  @Test func generatedDeletesAreKept() throws {
    for seed: UInt64 in 4...6 {
      let (store, _) = try LevelDBStore.open(
        folder: folder.path(of: "\(seed)"), options: Self.options)
      var run = DeletionRun(store: store, seed: seed)
      for _ in 0..<100 { try run.step() }
      #expect(run.broughtBack == [], "seed \(seed)")
    }
  }
}

private func batch(put key: [UInt8]) -> StoreBatch {
  var batch = StoreBatch()
  batch.put(key, SplitKeyHistory.value)
  return batch
}

private func batch(delete key: [UInt8]) -> StoreBatch {
  var batch = StoreBatch()
  batch.delete(key)
  return batch
}

/// Deleted keys that LevelDB brings back, by no chance.
///
/// Three versions fill a table, so after the deletes it has:
///
/// ```
/// 0 del, 0 put, 1 del | 1 put, 2 del, 2 put | 3 del, 3 put, 4 del | 4 put, …
/// ```
enum SplitKeyHistory {
  static let value: [UInt8] = [42]
  static let splitKeys = [1, 4, 7].map(longKey)
  /// Keys that are in the store at the end.
  static let otherKeys = [0, 3, 6].map { longKey($0) + [1] }

  private static func longKey(_ number: Int) -> [UInt8] {
    [UInt8(number), 7] + [UInt8](repeating: UInt8(number), count: 350_000)
  }

  static func make(
    put: ([UInt8]) throws -> Void, delete: ([UInt8]) throws -> Void,
    compact: ([UInt8]?, [UInt8]?) throws -> Void, makeSnapshot: () throws -> any AnyObject
  ) throws {
    let keys = (0..<10).map(longKey)
    for key in keys { try put(key) }
    try compact(nil, nil)
    try holding(makeSnapshot()) {
      for key in keys { try delete(key) }
      // Now the tables are split.
      try compact(nil, nil)
    }
    // With no snapshot any more each takes a left table along, and not the right one.
    for key in otherKeys {
      try put(key)
      try compact(key, key + [0])
    }
  }

  /// Calls `body` while there is the snapshot, and no longer.
  private static func holding(_ snapshot: any AnyObject, _ body: () throws -> Void) rethrows {
    try withExtendedLifetime(snapshot) { try body() }
  }
}

/// Random puts and deletes, compared with a set of keys.
private struct DeletionRun {
  private let store: LevelDBStore
  private var random: SplitMix64
  private let keyCount: UInt8 = 40
  private var present: Set<UInt8> = []
  private var snapshots: [any StoreSnapshot] = []
  /// The first bytes of keys that were there though they had been deleted.
  private(set) var broughtBack: Set<UInt8> = []

  init(store: LevelDBStore, seed: UInt64) {
    self.store = store
    random = SplitMix64(seed: seed)
  }

  private static func key(_ first: UInt8) -> [UInt8] {
    [first] + [UInt8](repeating: first, count: 60_000 + 1000 * Int(first))
  }

  /// Changes a few keys that lie together, so that tables of upper levels span few of the lower.
  mutating func step() throws {
    let band = UInt8.random(in: 0..<keyCount - 4, using: &random)
    var batch = StoreBatch()
    for first in band..<band + 4 {
      let key = Self.key(first)
      if present.remove(first) != nil {
        batch.delete(key)
      } else {
        batch.put(key, [1])
        present.insert(first)
      }
    }
    try store.write(batch)
    if random.oneIn(3) { snapshots.append(try store.makeSnapshot()) }
    if snapshots.count > 3 || random.oneIn(5) { snapshots.removeAll() }
    if random.oneIn(2) { try store.compact(from: [band], to: [band + 4]) }
    if random.oneIn(10) { try store.compact(from: nil, to: nil) }
    try compare()
  }

  private mutating func compare() throws {
    let cursor = try store.makeSnapshot().makeCursor()
    var found: Set<UInt8> = []
    try cursor.seek(to: [])
    while let first = cursor.entry()?.key.first {
      found.insert(first)
      try cursor.next()
    }
    #expect(present.subtracting(found) == [])
    broughtBack.formUnion(found.subtracting(present))
  }
}
