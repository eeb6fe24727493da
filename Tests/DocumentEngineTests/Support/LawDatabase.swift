import HearthDocumentEngine
import HearthDocumentModel
import HearthEngineUpkeep
import HearthOrderedStore
import HearthQueryPlanning
import TestSupport

/// The failure of a law, with all data that shows it.
struct LawBroken: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

extension EngineSettings {
  /// Settings that keep scans from the second query on.
  static var keepingScansAtOnce: EngineSettings {
    var settings = EngineSettings()
    settings.scanCacheThreshold = 1
    return settings
  }

  /// Settings that keep no scans: every query reads as much as the first one.
  static var keepingNoScans: EngineSettings {
    var settings = EngineSettings()
    settings.scanCacheByteCount = 0
    return settings
  }

  /// Settings that keep nothing in memory, and use no technique that has a switch.
  static var withoutCaches: EngineSettings {
    var settings = EngineSettings()
    settings.documentCacheByteCount = 0
    settings.nameCacheByteCount = 0
    settings.scanCacheByteCount = 0
    settings.countCacheByteCount = 0
    settings.emptyRangeInterval = nil
    settings.usesKeptCounts = false
    settings.usesCoveringEntries = false
    settings.reusesCursors = false
    settings.cachesPlans = false
    return settings
  }

  /// Returns one of three settings with which a law runs its databases in turn.
  static func turn(_ number: Int) -> EngineSettings {
    switch number % 3 {
    case 0: EngineSettings()
    case 1: keepingScansAtOnce
    default: withoutCaches
    }
  }
}

/// A database whose documents and indexes change between the queries of a law, with its documents
/// for the reference.
struct LawDatabase {
  let engine: Engine
  let generator = QueryGenerator()
  var random: SplitMix64
  private var fields: [ResourcePath: MapValue] = [:]

  init(
    seed: UInt64, over store: any OrderedStore = MemoryStore(),
    settings: EngineSettings = EngineSettings()
  ) throws {
    random = SplitMix64(seed: seed)
    engine = try Engine(store, settings: settings)
    for document in generator.documents(count: 40, using: &random) {
      try set(document.path, document.fields)
    }
  }

  var documents: [Document] {
    fields.map {
      Document(path: $0.key, fields: $0.value, createTime: .minimum, updateTime: .minimum)
    }
  }

  mutating func changeDocuments() throws {
    for _ in 0..<random.pick([0, 1, 2]) {
      let path = generator.path(using: &random)
      if random.oneIn(3) {
        _ = try engine.commit([.delete(path)])
        fields[path] = nil
      } else {
        try set(path, generator.fields(using: &random))
      }
    }
  }

  private mutating func set(_ path: ResourcePath, _ new: MapValue) throws {
    do {
      _ = try engine.commit([.set(path, new)])
      fields[path] = new
    } catch {
      // Several long values make an entry too large, which is refused and changes nothing.
      guard error.code == .invalidArgument else { throw error }
    }
  }

  /// Returns the result of `body` once every index that it lacks exists; `nil` if such an index
  /// can't hold one of the documents.
  mutating func served<Result>(
    _ body: (ReadView) throws(DatabaseError) -> Result
  ) throws -> Result? {
    while true {
      do {
        return try body(engine.readView())
      } catch {
        guard let missing = error.missingIndex else { throw error }
        do {
          try create(random.oneIn(5) ? missing.index : missing.smaller ?? missing.index)
        } catch let error as DatabaseError {
          guard error.message.hasSuffix("Index entry is too large.") else { throw error }
          return nil
        }
      }
    }
  }

  private func create(_ definition: IndexDefinition) throws {
    guard let single = definition.singleField else { return try engine.createIndex(definition) }
    let indexes = try engine.readView().catalog.indexes
    let present = indexes.singleFieldIndexes(of: single.field, in: definition.collectionGroup)
    try engine.setOverride(
      definition.collectionGroup, single.field, Array(Set(present.keys).union([single.index])))
  }
}
