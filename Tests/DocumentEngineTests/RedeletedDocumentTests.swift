import DocumentEngine
import DocumentModel
import OrderedStore
import QueryPlanning
import StorageFormat
import TestSupport
import Testing

/// What was deleted, comes back and is deleted again leaves nothing behind.
@Suite struct RedeletedDocumentTests {
  private let store = RelapsingStore()
  private let path = ResourcePath(unchecked: ["c", "deleted"])
  private let fixture: EngineFixture

  init() throws {
    var settings = Engine.Settings.building(3)
    settings.scanCacheThreshold = 1
    fixture = try EngineFixture(store, settings: settings)
    // Of the first chunk of a build, so that it is read before anything is written.
    try fixture.set(path.description, ["a": 1, "b": 8, "k": 1])
    for number: Int64 in 0..<8 {
      try fixture.set("c/\(number)", ["a": 1, "b": .integer(number), "k": 1])
    }
    _ = try fixture.engine.commit([.delete(path)])
  }

  @Test func aBuildLeavesThemOut() throws {
    let columns = ["a", "b"].map { IndexColumn(FieldPath(unchecked: [$0]), .ascending) }
    let builds = fixture.engine.builds
    _ = try builds.begin([IndexDefinition("c", columns)])
    try store.relapse()
    #expect(try fixture.engine.readView().document(at: path) != nil)
    while try builds.step() != nil {}
    #expect(store.hasRelapsed == false)
    #expect(try fixture.engine.readView().document(at: path) == nil)
    try fixture.expectClean()
  }

  @Test func theCacheGivesThemUp() throws {
    try store.relapse()
    let view = try fixture.engine.readView()
    #expect(try view.document(at: path) != nil)
    try fixture.set("c/other", [:])
    #expect(try fixture.engine.readView().document(at: path) == nil)
    // A view from before may bring it once more.
    #expect(try view.document(at: path) != nil)
    #expect(try fixture.engine.readView().document(at: path) == nil)
    try fixture.expectClean()
  }

  @Test func noScanIsKeptOfAViewFromBefore() throws {
    let query = StructuredQuery(
      collectionID: "c",
      filter: .and([
        .field(FieldPath(unchecked: ["a"]), .equal, 1),
        .field(FieldPath(unchecked: ["k"]), .equal, 1),
      ]))
    try store.relapse()
    let view = try fixture.engine.readView()
    _ = try fixture.engine.compactDeleted()
    for _ in 0..<5 {
      let execution = try view.run(query)
      var count = 0
      while try execution.nextDocument() != nil { count += 1 }
      #expect(count == 9)
    }
    #expect(try fixture.names(query).count == 8)
  }
}

/// A store that brings deleted keys back, as LevelDB does, until it is asked to keep them deleted.
private final class RelapsingStore: OrderedStore {
  private struct State {
    var deleted: [[UInt8]: [UInt8]] = [:]
    var hasRelapsed = false
  }

  private let store = MemoryStore()
  private let state = Lock(State())

  var hasRelapsed: Bool { state.withLock { $0.hasRelapsed } }

  /// Brings all back that was deleted so far.
  func relapse() throws(StoreError) {
    var batch = StoreBatch()
    for (key, value) in state.withLock({ $0.deleted }) { batch.put(key, value) }
    try store.write(batch)
    state.withLock { $0.hasRelapsed = true }
  }

  func keepDeleted() throws(StoreError) -> [[UInt8]] {
    guard hasRelapsed else { return [] }
    let keys = Array(state.withLock { $0.deleted.keys })
    var batch = StoreBatch()
    for key in keys { batch.delete(key) }
    try store.write(batch)
    state.withLock { $0.hasRelapsed = false }
    return keys
  }

  func write(_ batch: StoreBatch) throws(StoreError) {
    let before = try store.makeSnapshot()
    try state.withLock { state throws(StoreError) in
      var deleted: [[UInt8]] = []
      batch.forEach { operation, key, _ in
        state.deleted[[UInt8](copying: key)] = nil
        if operation == .delete { deleted.append([UInt8](copying: key)) }
      }
      for key in deleted { state.deleted[key] = try before.value(of: key) }
    }
    try store.write(batch)
  }

  var isDurable: Bool { store.isDurable }

  func makeSnapshot() throws(StoreError) -> any StoreSnapshot { try store.makeSnapshot() }

  func compact(from lower: [UInt8]?, to upper: [UInt8]?) throws(StoreError) {
    try store.compact(from: lower, to: upper)
  }

  func approximateByteCount(
    from lower: [UInt8], to upper: [UInt8]
  ) throws(StoreError) -> Int {
    try store.approximateByteCount(from: lower, to: upper)
  }

  func close() throws(StoreError) { try store.close() }
}
