import HearthLevelDBStore
import HearthOrderedStore
import TestSupport
import Testing

/// The dead values that stand for deletes, and when LevelDB is given the deletes themselves.
@Suite("Dead keys") struct DeadKeyTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.path(of: "database")
  }

  private func open(
    queueByteCount: Int = 16 << 20, drainTime: Duration = .seconds(1)
  ) throws -> LevelDBStore {
    var options = LevelDBOptions()
    options.isDurable = false
    options.deadKeyByteCount = queueByteCount
    options.drainTime = drainTime
    return try LevelDBStore.open(folder: path, options: options).store
  }

  private func raw() throws -> RawLevelDB { try RawLevelDB(copying: path) }

  private static func key(_ number: Int) -> [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
  }

  private func write(_ store: LevelDBStore, _ body: (inout StoreBatch) -> Void) throws {
    var batch = StoreBatch()
    body(&batch)
    try store.write(batch)
  }

  private func put(_ numbers: Range<Int>, in store: LevelDBStore) throws {
    try write(store) { for number in numbers { $0.put(Self.key(number), [1]) } }
  }

  private func delete(_ numbers: Range<Int>, in store: LevelDBStore) throws {
    try write(store) { for number in numbers { $0.delete(Self.key(number)) } }
  }

  private func walk(_ snapshot: any StoreSnapshot) throws -> Int {
    let cursor = try snapshot.makeCursor()
    try cursor.seek(to: [])
    while cursor.isValid { try cursor.next() }
    return cursor.skippedCount
  }

  // MARK: The queue

  @Test func theNextWriteDeletesWhatNoViewIsOlderThan() throws {
    let store = try open()
    try put(0..<10, in: store)
    try delete(0..<10, in: store)
    #expect(store.deadKeys.count == 10)
    #expect(try raw().deadCount == 10)
    try put(20..<21, in: store)
    #expect(store.deadKeys.count == 0)
    #expect(try raw().deadCount == 0)
    try store.close()
  }

  @Test func aDeadValueWaitsForOlderViews() throws {
    let store = try open()
    try put(0..<10, in: store)
    var older: (any StoreSnapshot)? = try store.makeSnapshot()
    try delete(0..<5, in: store)
    let younger = try store.makeSnapshot()
    try delete(5..<10, in: store)
    try put(20..<21, in: store)
    #expect(store.deadKeys.count == 10)
    #expect(try older?.entries().count == 10)
    #expect(try younger.entries().count == 5)
    older = nil
    try put(21..<22, in: store)
    // The keys of the first delete are as old as the younger view.
    #expect(store.deadKeys.count == 5)
    #expect(try younger.entries().count == 5)
    #expect(try store.makeSnapshot().entries().count == 2)
    try store.close()
  }

  @Test func aWriteTakesAKeyOutOfTheQueue() throws {
    let store = try open()
    let view = try store.makeSnapshot()
    try put(0..<4, in: store)
    try delete(0..<4, in: store)
    try put(0..<1, in: store)
    try write(store) { $0.discard(Self.key(1)) }
    // A key that was dead already waits for its last delete.
    try delete(2..<3, in: store)
    // And one batch may do both.
    try write(store) {
      $0.delete(Self.key(5))
      $0.put(Self.key(5), [5])
    }
    #expect(try view.entries().isEmpty)
    withExtendedLifetime(view) {}
    try store.close()
    #expect(try raw().deadCount == 0)
    let reopened = try open()
    #expect(try reopened.makeSnapshot().entries().map(\.key) == [Self.key(0), Self.key(5)])
    try reopened.close()
  }

  @Test func aPurgeAddsAStatedNumberToACommit() throws {
    let store = try open()
    try put(0..<2000, in: store)
    var view: (any StoreSnapshot)? = try store.makeSnapshot()
    try delete(0..<2000, in: store)
    withExtendedLifetime(view) {}
    view = nil
    var counts: [Int] = []
    for number in 0..<8 {
      try put(3000 + number..<3001 + number, in: store)
      counts.append(store.deadKeys.count)
    }
    #expect(counts == (1...8).map { max(0, 2000 - 257 * $0) })
    try store.close()
  }

  /// A million, of which the queue has room for some: the others are found by the compaction.
  @Test func theQueueIsBoundedInBytes() throws {
    let store = try open()
    let (count, part) = (1_000_000, 10_000)
    for start in stride(from: 0, to: count, by: part) { try put(start..<start + part, in: store) }
    var view: (any StoreSnapshot)? = try store.makeSnapshot()
    for start in stride(from: 0, to: count, by: part) {
      try delete(start..<start + part, in: store)
      #expect(store.deadKeys.byteCount <= 16 << 20)
    }
    #expect((100_000..<count).contains(store.deadKeys.count))
    // While the view is held nothing goes.
    try store.compact(from: nil, to: nil)
    #expect((100_000..<count).contains(store.deadKeys.count))
    let cursor = try view?.makeCursor()
    view = nil
    try store.compact(from: nil, to: nil)
    #expect(store.deadKeys == (0, 0))
    #expect(try raw().deadCount == 0)
    #expect(try store.makeSnapshot().entries().isEmpty)
    // A cursor needs its view no more.
    try cursor?.seek(to: Self.key(count - 1))
    #expect(cursor?.entry() == Entry(Self.key(count - 1), [1]))
    try store.close()
  }

  /// Room that the drain has given back is used at once.
  @Test func deletesDuringADrainAreQueued() throws {
    let store = try open(queueByteCount: 1 << 20)
    try put(0..<31_000, in: store)
    try withExtendedLifetime(store.makeSnapshot()) {
      for part in 0..<300 { try delete(100 * part..<100 * (part + 1), in: store) }
    }
    let fullCount = store.deadKeys.count
    #expect((4000..<30_000).contains(fullCount))
    while store.deadKeys.count > fullCount / 2 { try put(40_000..<40_001, in: store) }
    let count = store.deadKeys.count
    try delete(30_000..<31_000, in: store)
    // The same batch deletes keys that are due.
    #expect(store.deadKeys.count == count - (1000 + 256) + 1000)
    try store.close()
  }

  /// With a known seed two words can be chosen that undo each other's effect on the hash.
  @Test func keysOfOneHashAreToldApart() {
    let seed: UInt64 = 7
    func mixed(_ word: UInt64) -> UInt64 {
      let (high, low) = (seed &+ 16 ^ word).multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
      return high ^ low
    }
    func key(_ word: UInt64) -> [UInt8] {
      [word, mixed(word)].flatMap { word in withUnsafeBytes(of: word) { [UInt8]($0) } }
    }
    let (first, second) = (key(1), key(2))
    #expect(KeySerials.hash(first, seed: seed) == KeySerials.hash(second, seed: seed))
    var queue = DeadKeys(byteCountLimit: 1 << 16, hashSeed: seed)
    queue.append(first.span.bytes, ordinal: 1)
    #expect(queue.contains(first.span.bytes) && !queue.contains(second.span.bytes))
    queue.append(second.span.bytes, ordinal: 1)
    queue.remove(second.span.bytes)
    #expect(queue.contains(first.span.bytes) && !queue.contains(second.span.bytes))
    queue.append(second.span.bytes, ordinal: 2)
    var taken: [[UInt8]] = []
    _ = queue.takeDue(through: 2, upTo: 10) { taken.append([UInt8](copying: $0)) }
    #expect(taken == [first, second])
  }

  @Test func aRefusedBatchLeavesTheQueueAsItIs() throws {
    let store = try open()
    try put(0..<10, in: store)
    try withExtendedLifetime(store.makeSnapshot()) {
      try delete(0..<10, in: store)
      #expect(throws: StoreError.self) {
        try write(store) {
          $0.put(Self.key(0), [2])
          $0.put(Self.key(1), [0xFF, 0xFF, 0xFF, 0xFF])
        }
      }
      #expect(store.deadKeys.count == 10)
    }
    try put(20..<21, in: store)
    #expect(try raw().deadCount == 0)
    try store.close()
  }

  // MARK: Dead values left in the store

  /// Leaves dead values in the store, as a crash does: closing has no time to delete them.
  private func leaveDead(_ numbers: Range<Int>) throws {
    let store = try open(drainTime: .zero)
    try put(numbers, in: store)
    try delete(numbers, in: store)
    try store.close()
    #expect(try raw().deadCount == numbers.count)
  }

  @Test func closingDeletesTheQueuedKeys() throws {
    let store = try open()
    try put(0..<10_000, in: store)
    let view = try store.makeSnapshot()
    try delete(0..<10_000, in: store)
    try store.close()
    withExtendedLifetime(view) {}
    #expect(try raw().deadCount == 0)
  }

  @Test func cursorsFindForgottenDeadValues() throws {
    try leaveDead(0..<300)
    let store = try open()
    #expect(try store.makeSnapshot().entries().isEmpty)
    #expect(try store.makeSnapshot().value(of: Self.key(0)) == nil)
    var skippedCounts: [Int] = []
    for _ in 0..<5 {
      skippedCounts.append(try walk(store.makeSnapshot()))
      try put(400..<401, in: store)
    }
    // So few are taken between two writes.
    #expect(skippedCounts == [300, 300 - 128, 300 - 256, 0, 0])
    #expect(try raw().deadCount == 0)
    try store.close()
  }

  @Test func cursorsFindForgottenDeadValuesWhileAViewIsHeld() throws {
    try leaveDead(0..<100)
    let store = try open()
    try put(200..<210, in: store)
    try withExtendedLifetime(store.makeSnapshot()) {
      try delete(200..<205, in: store)
      try delete(205..<210, in: store)
      try put(300..<301, in: store)
      #expect(try walk(store.makeSnapshot()) == 110)
      try put(300..<301, in: store)
      #expect(try raw().deadCount == 10)
    }
    try store.close()
  }

  /// Each fourth write forgets keys, and the oldest view is always older than the last of them.
  @Test func forgottenDeadValuesAreFoundUnderASteadyLoadWithViews() throws {
    let store = try open(queueByteCount: 16 << 10)
    var views = [try store.makeSnapshot()]
    try put(0..<1000, in: store)
    try delete(0..<1000, in: store)
    #expect((100..<500).contains(store.deadKeys.count))
    for number in 0..<60 {
      if views.count == 5 { views.removeFirst() }
      views.append(try store.makeSnapshot())
      _ = try walk(store.makeSnapshot())
      if number % 4 == 0 {
        try delete(2000..<2400, in: store)
      } else {
        try put(3000..<3001, in: store)
      }
    }
    // The dead keys of the last deletes are still there.
    #expect(try raw().deadCount <= 400)
    withExtendedLifetime(views) {}
    try store.close()
  }

  @Test func aHotKeyLeavesRoomForOthersThatAreFound() throws {
    try leaveDead(0..<100)
    let store = try open()
    let cursor = try store.makeSnapshot().makeCursor()
    for _ in 0..<200 { try cursor.seek(to: Self.key(99)) }
    #expect(cursor.skippedCount == 200)
    #expect(try walk(store.makeSnapshot()) == 100)
    try put(200..<201, in: store)
    #expect(try raw().deadCount == 0)
    try store.close()
  }

  @Test func compactionFindsForgottenDeadValuesInItsRange() throws {
    try leaveDead(0..<3000)
    let store = try open()
    try store.compact(from: Self.key(0), to: Self.key(1000))
    #expect(try raw().deadCount == 2000)
    try store.compact(from: nil, to: nil)
    #expect(try raw().deadCount == 0)
    try store.close()
  }

  @Test func onlyDeadValuesAreReaped() throws {
    // Nothing is queued.
    let store = try open(queueByteCount: 0)
    try put(0..<10, in: store)
    try delete(0..<10, in: store)
    let view = try store.makeSnapshot()
    try put(0..<5, in: store)
    // The view's dead values of five keys are not the newest versions.
    #expect(try walk(view) == 10)
    try put(20..<21, in: store)
    #expect(try store.makeSnapshot().entries().count == 6)
    #expect(try raw().deadCount == 0)
    try store.close()
  }

  @Test func forgottenDeadValuesWaitForOlderViewsToo() throws {
    let store = try open(queueByteCount: 0)
    try put(0..<10, in: store)
    var view: (any StoreSnapshot)? = try store.makeSnapshot()
    try delete(0..<10, in: store)
    #expect(try walk(store.makeSnapshot()) == 10)
    try put(20..<21, in: store)
    #expect(try store.compact(from: nil, to: nil) == false)
    #expect(try raw().deadCount == 10)
    #expect(try view?.entries().count == 10)
    view = nil
    #expect(try store.compact(from: nil, to: nil))
    #expect(try raw().deadCount == 0)
    try store.close()
  }

  // MARK: Readers

  @Test func allReadersTakeADeadValueForAbsent() throws {
    try leaveDead(1..<4)
    let store = try open(drainTime: .zero)
    try put(0..<1, in: store)
    try put(2..<3, in: store)
    try put(5..<6, in: store)
    try delete(6..<8, in: store)
    let expected = [0, 2, 5].map(Self.key)
    func check(_ snapshot: any StoreSnapshot) throws {
      #expect(try snapshot.entries().map(\.key) == expected)
      #expect(try snapshot.entriesBackwards().map(\.key) == expected.reversed())
      for number in 0..<9 {
        let key = Self.key(number)
        #expect(try (snapshot.value(of: key) != nil) == expected.contains(key))
        let cursor = try snapshot.makeCursor()
        try cursor.seek(to: key)
        #expect(cursor.entry()?.key == expected.first { !$0.precedes(key) })
        try cursor.seek(before: key)
        #expect(cursor.entry()?.key == expected.last { $0.precedes(key) })
        let passedOver = try cursor.seekReadable(to: key)
        #expect(!passedOver && cursor.entry()?.key == expected.first { !$0.precedes(key) })
      }
    }
    try check(store.makeSnapshot())
    try check(ReadOnlyStore.open(folder: path).store.makeSnapshot())
    try store.close()
    try check(ReadOnlyStore.open(folder: path).store.makeSnapshot())
    let damaged = try DamagedStore(folder: path)
    for number in 0..<9 {
      let version = try damaged.newestVersion(of: Self.key(number))
      #expect((version?.value != nil) == expected.contains(Self.key(number)))
    }
  }

  @Test func theDeadValueIsRefusedAsALiveOne() throws {
    let store = try open()
    try put(0..<2, in: store)
    do throws(StoreError) {
      var batch = StoreBatch()
      batch.delete(Self.key(0))
      batch.put(Self.key(1), [0xFF, 0xFF, 0xFF, 0xFF])
      try store.write(batch)
      Issue.record("the dead value was taken")
    } catch {
      #expect(error.code == .reservedValue && error.message.contains("four bytes FF"))
    }
    #expect(try store.makeSnapshot().entries().count == 2)
    // Nothing was written, and writing goes on.
    try put(2..<3, in: store)
    try put(3..<4, in: store)
    try store.close()
    #expect(try raw().value(of: Self.key(0)) == [1])
  }

  @Test func aDiscardIsLevelDBsOwnDelete() throws {
    let store = try open()
    try put(0..<2, in: store)
    let view = try store.makeSnapshot()
    try write(store) { $0.discard(Self.key(0)) }
    #expect(store.deadKeys.count == 0)
    #expect(try raw().value(of: Self.key(0)) == nil)
    #expect(try view.entries().count == 2)
    #expect(try store.makeSnapshot().entries().count == 1)
    try store.close()
  }
}
