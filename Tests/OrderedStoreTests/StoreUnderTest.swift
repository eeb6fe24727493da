import HearthLevelDBStore
import HearthOrderedStore
import TestSupport
import Testing

/// The implementations that the contract suite runs on.
enum StoreKind: CaseIterable, Sendable {
  case memory, levelDB, mirror, readOnly
}

/// An empty store of one kind, in a folder of its own where it needs one.
final class StoreUnderTest {
  let store: any OrderedStore
  private let folder: TemporaryFolder

  init(_ kind: StoreKind) throws {
    folder = try TemporaryFolder()
    var options = LevelDBOptions()
    // Small, so that the suite also reads tables, and several levels of them.
    options.writeBufferByteCount = 64 << 10
    options.isDurable = false
    let path = folder.path(of: "database")
    switch kind {
    case .memory: store = MemoryStore()
    case .levelDB: store = try LevelDBStore.open(folder: path, options: options).store
    case .readOnly: store = try ReopenedStore(folder: path, options: options)
    case .mirror:
      // Too few for what a run deletes.
      options.deadKeyByteCount = 2048
      store = MirrorStore(
        MemoryStore(), try LevelDBStore.open(folder: path, options: options).store)
    }
  }

  deinit {
    for difference in (store as? MirrorStore)?.differences ?? [] {
      Issue.record("\(difference)")
    }
  }

  func put(_ entries: ([UInt8], [UInt8])...) throws {
    var batch = StoreBatch()
    for (key, value) in entries { batch.put(key, value) }
    try store.write(batch)
  }

  func delete(_ keys: [UInt8]...) throws {
    var batch = StoreBatch()
    for key in keys { batch.delete(key) }
    try store.write(batch)
  }
}

/// An entry as a test compares it.
struct Entry: Equatable, CustomStringConvertible {
  var key: [UInt8]
  var value: [UInt8]

  init(_ key: [UInt8], _ value: [UInt8]) {
    self.key = key
    self.value = value
  }

  var description: String { "\(key): \(value.count < 20 ? "\(value)" : "\(value.count) bytes")" }
}

extension StoreCursor {
  /// The entry under the cursor, `nil` where there is none.
  func entry() -> Entry? {
    isValid ? Entry([UInt8](copying: key), [UInt8](copying: value)) : nil
  }
}

extension StoreSnapshot {
  /// All entries from the first on, read forwards and to the end.
  func entries() throws -> [Entry] {
    let cursor = try makeCursor()
    var entries: [Entry] = []
    try cursor.seek(to: [])
    while let entry = cursor.entry() {
      entries.append(entry)
      try cursor.next()
    }
    return entries
  }

  /// All entries from the last on, read backwards.
  func entriesBackwards() throws -> [Entry] {
    let cursor = try makeCursor()
    var entries: [Entry] = []
    try cursor.seek(before: [UInt8](repeating: 0xff, count: 40))
    while let entry = cursor.entry() {
      entries.append(entry)
      try cursor.previous()
    }
    return entries
  }
}

/// A generator whose runs can be repeated from their printed seed.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  /// SplitMix64.
  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ mixed >> 27) &* 0x94d0_49bb_1331_11eb
    return mixed ^ mixed >> 31
  }
}
