import HearthLevelDBStore
import HearthOrderedStore
import TestSupport
import Testing

/// LevelDB 1.23 brings deleted keys back, in these histories by no chance. With `discard`, which is
/// LevelDB's own delete, they show it: once LevelDB has been mended they fail, and there is nothing
/// left to keep it from.
@Suite("Deletes of split keys") struct SplitKeyTests {
  private let folder: TemporaryFolder
  private let store: LevelDBStore

  init() throws {
    folder = try TemporaryFolder()
    var options = LevelDBOptions()
    options.isDurable = false
    options.isCompressed = false
    options.writeBufferByteCount = 16 << 20
    options.tableByteCount = 1 << 20
    store = try LevelDBStore.open(folder: folder.path(of: "database"), options: options).store
  }

  private func put(_ key: [UInt8], _ value: [UInt8] = [42]) throws {
    var batch = StoreBatch()
    batch.put(key, value)
    try store.write(batch)
  }

  private func remove(_ key: [UInt8], isPlain: Bool) throws {
    var batch = StoreBatch()
    if isPlain { batch.discard(key) } else { batch.delete(key) }
    try store.write(batch)
  }

  private func longKey(_ number: Int) -> [UInt8] {
    [UInt8(number), 7] + [UInt8](repeating: UInt8(number), count: 350_000)
  }

  /// Three versions fill a table, so after the deletes LevelDB has:
  ///
  /// ```
  /// 0 del, 0 put, 1 del | 1 put, 2 del, 2 put | 3 del, 3 put, 4 del | 4 put, …
  /// ```
  @Test(arguments: [true, false])
  func aDeleteOutlivesTheTableThatItIsIn(isPlain: Bool) throws {
    let keys = (0..<10).map(longKey)
    let others = [0, 3, 6].map { longKey($0) + [1] }
    for key in keys { try put(key) }
    try store.compact(from: nil, to: nil)
    try withExtendedLifetime(store.makeSnapshot()) {
      for key in keys { try remove(key, isPlain: isPlain) }
      try store.compact(from: nil, to: nil)
    }
    // With no snapshot any more each takes a left table along, and not the right one.
    for key in others {
      try put(key)
      try store.compact(from: key, to: key + [0])
    }
    let found = try store.makeSnapshot().entries().map(\.key)
    let back = [1, 4, 7].map(longKey)
    #expect(found == (others + (isPlain ? back : [])).sorted { $0.precedes($1) })
  }

  @Test(arguments: [true, false])
  func aViewThatIsYoungerThanADeleteNeverShowsTheKey(isPlain: Bool) throws {
    let neighbour = Array("j".utf8)
    let key = Array("k".utf8) + [UInt8](repeating: 0x2E, count: 5000)
    try put(neighbour, [UInt8](repeating: 0x6A, count: 1 << 20 - 3000))
    try put(key)
    try store.compact(from: nil, to: nil)
    var older: (any StoreSnapshot)? = try store.makeSnapshot()
    try remove(key, isPlain: isPlain)
    let view = try store.makeSnapshot()
    // Now the delete ends a table, and the put begins the next.
    try store.compact(from: nil, to: nil)
    #expect(try older?.value(of: key) == [42])
    older = nil
    var values: [[UInt8]?] = []
    for number: UInt8 in 0..<3 {
      try put(neighbour, [number])
      try store.compact(from: neighbour, to: neighbour + [0])
      values.append(try view.value(of: key))
    }
    try store.compact(from: nil, to: nil)
    values.append(try view.value(of: key))
    #expect(values.contains([42]) == isPlain)
    #expect((try store.makeSnapshot().value(of: key) == [42]) == isPlain)
  }
}
