import HearthDocumentEngine
import HearthDocumentModel
import HearthEngineUpkeep
import HearthOrderedStore
import HearthQueryPlanning
import HearthReports
import HearthStorageFormat
import TestSupport
import Testing

/// Builds whose steps are shared by two threads.
@Suite struct SharedBuildTests {
  /// The behaviour of the other thread.
  enum Help: CaseIterable {
    case none, never, atOnce, late
  }

  private static let definitions = [
    IndexDefinition("c", [column("a"), column("b")]),
    IndexDefinition("c", [column("b", .descending), column("a")]),
    IndexDefinition("d", [column("a"), column("b")], scope: .collectionGroup),
  ]

  private static func column(_ name: String, _ mode: IndexMode = .ascending) -> IndexColumn {
    IndexColumn(FieldPath(unchecked: [name]), mode)
  }

  private func settings(_ help: Help) -> EngineSettings {
    var settings = EngineSettings.building(5_000)
    settings.build.stepDocumentCount = 100
    settings.startWork =
      switch help {
      case .none: nil
      case .never: { _ in }
      case .atOnce: { $0() }
      case .late: startThread
      }
    return settings
  }

  /// Fills a store with documents whose numbers have gaps.
  private func filled(count: Int = 9_000) throws -> MemoryStore {
    let store = MemoryStore()
    let engine = try Engine(store)
    for start in stride(from: 0, to: count, by: 500) {
      let numbers = start..<start + 500
      _ = try engine.commit(numbers.map { .set(path($0), fields($0)) })
      _ = try engine.commit(numbers.filter { $0 % 11 < 3 }.map { .delete(path($0)) })
    }
    return store
  }

  private func path(_ number: Int) -> ResourcePath {
    ResourcePath(unchecked: [number % 5 == 0 ? "d" : "c", "\(number)"])
  }

  private func fields(_ number: Int) -> MapValue {
    ["a": .integer(Int64(number % 7)), "b": .string("\(number &* 7919 % 10_007)")]
  }

  private func compositeEntries(of store: MemoryStore) throws -> [[UInt8]: [UInt8]] {
    var entries: [[UInt8]: [UInt8]] = [:]
    let cursor = try store.makeCursor()
    try cursor.seek(to: [])
    while cursor.isValid {
      if try StorageKey.compositeID(ofEntry: cursor.key) != nil {
        entries[[UInt8](copying: cursor.key)] = [UInt8](copying: cursor.value)
      }
      try cursor.next()
    }
    return entries
  }

  @Test(arguments: Help.allCases)
  func aBuildIsTheSameWithAnyHelp(_ help: Help) throws {
    let store = try filled()
    let engine = try Engine(store, settings: settings(help))
    _ = try engine.builds.begin(Self.definitions)
    while try engine.builds.step() != nil {}
    #expect(try engine.verify().isClean)
    let entries = try compositeEntries(of: store)
    let count = (0..<9_000).count { $0 % 11 >= 3 }
    let rest = (0..<9_000).count { $0 % 11 >= 3 && $0 % 5 == 0 }
    #expect(entries.count == 2 * (count - rest) + rest)
    #expect(
      try engine.builds.list().map(\.entriesWritten) == [count - rest, count - rest, rest])
  }

  @Test(arguments: Help.allCases)
  func theFirstDamagedDocumentStopsABuild(_ help: Help) throws {
    let store = try filled(count: 1_000)
    var batch = StoreBatch()
    for number in [150, 250, 260] { batch.put(StorageKey.document(UInt64(number)), [1, 2]) }
    try store.write(batch)
    let engine = try Engine(store, settings: settings(help))
    _ = try engine.builds.begin(Self.definitions)
    let error = #expect(throws: DatabaseError.self) {
      while try engine.builds.step() != nil {}
    }
    #expect(error?.code == .dataLoss)
    #expect(error?.message.contains("Document 150") ?? false)
  }
}
