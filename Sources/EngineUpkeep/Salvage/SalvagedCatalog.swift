import HearthDocumentEngine
import HearthDocumentModel
import HearthOrderedStore
import HearthQueryPlanning
import HearthReports
import HearthStorageFormat

/// The recoverable parts of a damaged database's identity, indexes, tunings and state.
struct SalvagedCatalog {
  private(set) var databaseID: DatabaseID
  /// The catalogue with which the new database is made. All builds and drops in it are settled.
  private(set) var catalog: Catalog
  /// The largest index id that may have been used.
  private(set) var lastIndexID: UInt64 = 0
  /// The last commit time that is known.
  private(set) var lastCommitTime = Timestamp.minimum
  private(set) var findings: [SalvageFinding] = []

  /// - Parameter fallbackID: the database's identity, if it can't be read.
  /// - Throws: `unimplemented` for a database that a later release has changed.
  init(_ store: any SalvagedStore, fallbackID: DatabaseID) throws {
    databaseID = fallbackID
    catalog = Catalog(Catalog.Contents(databaseID: fallbackID))
    try readIdentity(store)
    try readState(store)
    catalog = try settled(readRecords(store))
    noteDamage(store)
  }

  private mutating func readIdentity(_ store: any SalvagedStore) throws {
    let version = try store.newestVersion(of: StorageKey.identity)
    do {
      guard let bytes = version?.value else { throw CorruptBytes("identity", at: 0) }
      guard !IdentityRecord.isNewer(bytes.span.bytes) else {
        throw StoredCatalog.newerRelease
      }
      databaseID = try IdentityRecord(bytes.span.bytes).database
    } catch is CorruptBytes {
      add("the identity", "it can't be read; the new database is \(databaseID)")
    }
  }

  private mutating func readState(_ store: any SalvagedStore) throws {
    guard let bytes = try store.newestVersion(of: StorageKey.state)?.value else { return }
    // If the state can't be read, the documents tell the time, and the records the ids.
    guard let state = try? StateRecord(bytes.span.bytes) else { return }
    lastCommitTime = state.lastCommitTime
    lastIndexID = max(1, state.nextIndexID) - 1
  }

  /// Reads the records that are valid by themselves, each one with the records that every catalogue
  /// has.
  private mutating func readRecords(_ store: any SalvagedStore) throws -> Catalog {
    var good = StoreBatch()
    StoredCatalog.appendIdentity(databaseID, to: &good)
    let beginning = good
    let range = KeyRange.prefix(StorageKey.catalogPrefix)
    var findings: [SalvageFinding] = []
    try store.forEachVersion(from: range.lower, to: range.upper) { version in
      guard version.key != StorageKey.identity, let value = version.value else { return true }
      let subject = catalog.describe(version.key)
      var alone = beginning
      alone.put(version.key, value)
      do {
        _ = try Self.read(alone)
        good.put(version.key, value)
        if let doubt = version.doubt {
          let place = store.damage[doubt].place
          findings.append(.setting(subject, "a later change may have stood in \(place)"))
        }
      } catch is CorruptBytes {
        findings.append(.setting(subject, "it can't be read"))
      }
      return true
    }
    self.findings += findings
    return try Self.read(good)
  }

  private static func read(_ records: StoreBatch) throws -> Catalog {
    let store = MemoryStore()
    try store.write(records)
    return try StoredCatalog.read(store.makeSnapshot())
  }

  /// Returns the catalogue of a database in which everything is ready, since nothing is stored yet.
  private mutating func settled(_ old: Catalog) -> Catalog {
    for index in old.indexes.composites { lastIndexID = max(lastIndexID, index.id) }
    for id in old.droppedIDs { lastIndexID = max(lastIndexID, id) }
    for counts in old.tunings.counts { lastIndexID = max(lastIndexID, counts.id) }
    for policy in old.timesToLive { lastIndexID = max(lastIndexID, policy.index.id) }
    return old.with { contents in
      for place in contents.indexes.composites.indices {
        contents.indexes.composites[place].state = .ready
        contents.indexes.composites[place].isPaused = false
      }
      contents.indexes.overrides = contents.indexes.overrides
        .filter { old.changes[OverrideName($0)]?.isReverting != true }
        .map { override in
          FieldOverride(
            override.collectionGroup, override.field, override.indexes.mapValues { _ in .ready })
        }
      contents.timesToLive = contents.timesToLive.map { $0.with(.ready) }
      contents.droppedIDs = []
      contents.changes = [:]
      contents.tunings = old.tunings.settled
    }
  }

  private mutating func noteDamage(_ store: any SalvagedStore) {
    let range = KeyRange.prefix(StorageKey.catalogPrefix)
    for damage in store.damage where damage.touches(from: range.lower, to: range.upper) {
      add("indexes and other settings", "others may have stood in \(damage.place)")
    }
  }

  private mutating func add(_ subject: String, _ reason: String) {
    findings.append(.setting(subject, reason))
  }
}

extension SalvageFinding {
  fileprivate static func setting(_ subject: String, _ reason: String) -> SalvageFinding {
    SalvageFinding(kind: .setting, subject: subject, reason: reason)
  }
}
