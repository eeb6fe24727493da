package import HearthDocumentModel
package import HearthOrderedStore
import HearthQueryPlanning
import HearthStorageFormat

/// The catalogue in the store: one record for the identity, and one for each composite index,
/// override, time to live and tuning.
package enum StoredCatalog {
  private static let formatVersion: UInt64 = 1

  /// Returns the state and catalogue of the database in `store`. Creates the database if the store
  /// is empty, and returns whether it did.
  static func open(
    _ store: any OrderedStore, databaseID: DatabaseID?
  ) throws -> (StateRecord, Catalog, isNew: Bool) {
    let snapshot = try store.makeSnapshot()
    guard let bytes = try snapshot.value(of: StorageKey.state) else {
      let (state, catalog) = try found(in: store, snapshot, databaseID: databaseID ?? .default)
      return (state, catalog, isNew: true)
    }
    let catalog = try read(snapshot)
    if let databaseID, databaseID != catalog.databaseID {
      throw DatabaseError(
        .failedPrecondition,
        "The database is \(catalog.databaseID), not \(databaseID). Its identity is set when it is "
          + "created; open it without one to use its own.")
    }
    return (try StateRecord(bytes.span.bytes), catalog, isNew: false)
  }

  private static func found(
    in store: any OrderedStore, _ snapshot: any StoreSnapshot, databaseID: DatabaseID
  ) throws -> (StateRecord, Catalog) {
    guard try snapshot.isEmpty(.all) else {
      throw DatabaseError.damaged(
        "The store holds keys, but not the state record that every database has.")
    }
    let state = StateRecord.initial
    let catalog = Catalog(Catalog.Contents(databaseID: databaseID))
    var batch = StoreBatch()
    appendIdentity(databaseID, to: &batch)
    batch.put(StorageKey.state, bytes(state.append))
    try store.write(batch)
    return (state, catalog)
  }

  /// Appends the record of the database's identity.
  package static func appendIdentity(_ databaseID: DatabaseID, to batch: inout StoreBatch) {
    let identity = IdentityRecord(formatVersion: formatVersion, database: databaseID)
    batch.put(StorageKey.identity, bytes(identity.append))
  }

  // MARK: Reading

  package static let newerRelease = DatabaseError(
    .unimplemented, "The database was made by a newer release; open it with that one.")

  package static func read(_ snapshot: any StoreSnapshot) throws -> Catalog {
    var contents = Catalog.Contents(databaseID: try identity(snapshot).database)
    try snapshot.forEachEntry(in: .prefix(StorageKey.compositesPrefix)) { _, bytes in
      let (id, index) = try CompositeIndex.read(record: bytes)
      if let index {
        contents.indexes.composites.append(index)
      } else {
        contents.droppedIDs.append(id)
      }
      return true
    }
    let hidden = try hiddenIDs(snapshot)
    for index in contents.indexes.composites.indices {
      let id = contents.indexes.composites[index].id
      contents.indexes.composites[index].isHidden = hidden.contains(id)
    }
    try snapshot.forEachEntry(in: .prefix(StorageKey.overridesPrefix)) { _, bytes in
      let (override, change) = try FieldOverride.read(record: bytes)
      contents.set(override, named: OverrideName(override), change)
      return true
    }
    try snapshot.forEachEntry(in: .prefix(StorageKey.timesToLivePrefix)) { _, bytes in
      contents.timesToLive.append(try TimeToLive(record: bytes))
      return true
    }
    contents.tunings = try tunings(snapshot)
    return Catalog(contents)
  }

  /// - Throws: `unimplemented` for a database that a later release has changed.
  private static func identity(_ snapshot: any StoreSnapshot) throws -> IdentityRecord {
    guard let bytes = try snapshot.value(of: StorageKey.identity) else {
      throw DatabaseError.damaged("The record of the database's identity is missing.")
    }
    guard !IdentityRecord.isNewer(bytes.span.bytes) else { throw newerRelease }
    let identity = try IdentityRecord(bytes.span.bytes)
    guard identity.formatVersion <= formatVersion else { throw newerRelease }
    return identity
  }

  private static func hiddenIDs(_ snapshot: any StoreSnapshot) throws -> Set<UInt64> {
    var ids: Set<UInt64> = []
    try snapshot.forEachEntry(in: .prefix(StorageKey.hiddenPrefix)) { key, _ in
      ids.insert(try StorageKey.compositeID(ofHidden: key))
      return true
    }
    return ids
  }

  private static func tunings(_ snapshot: any StoreSnapshot) throws -> Tunings {
    var tunings = Tunings()
    try snapshot.forEachEntry(in: .prefix(StorageKey.coveringsPrefix)) { key, bytes in
      let id = try StorageKey.compositeID(ofCovering: key)
      tunings.setCovering(try TuningState(record: bytes), ofIndex: id)
      return true
    }
    try snapshot.forEachEntry(in: .prefix(StorageKey.countsPrefix)) { _, bytes in
      tunings.set(try KeptCounts(record: bytes))
      return true
    }
    if let bytes = try snapshot.value(of: StorageKey.sumsRecord) {
      try Tunings.checkSumsRecord(bytes.span.bytes)
      tunings.keepsSums = true
    }
    return tunings
  }

  // MARK: Writing

  /// Puts the records that differ between two catalogues, and deletes those that are gone, in the
  /// order of their keys.
  static func appendChanges(from old: Catalog, to new: Catalog, into batch: inout StoreBatch) {
    let (oldRecords, newRecords) = (records(old), records(new))
    let keys = Set(oldRecords.keys).union(newRecords.keys)
      .filter { oldRecords[$0] != newRecords[$0] }
    for key in keys.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
      if let bytes = newRecords[key] { batch.put(key, bytes) } else { batch.delete(key) }
    }
  }

  private static func records(_ catalog: Catalog) -> [[UInt8]: [UInt8]] {
    var records: [[UInt8]: [UInt8]] = [:]
    let identity = IdentityRecord(
      formatVersion: formatVersion, database: catalog.databaseID,
      isTuned: !catalog.tunings.isEmpty || !catalog.timesToLive.isEmpty
        || catalog.changes.values.contains { $0.earlier != nil })
    records[StorageKey.identity] = bytes(identity.append)
    for (id, state) in catalog.tunings.covering {
      records[StorageKey.covering(compositeID: id)] = bytes(state.appendRecord)
    }
    for counts in catalog.tunings.counts {
      records[StorageKey.counts(id: counts.id)] = bytes(counts.appendRecord)
    }
    if catalog.tunings.keepsSums {
      records[StorageKey.sumsRecord] = bytes(Tunings.appendSumsRecord)
    }
    for policy in catalog.timesToLive {
      records[StorageKey.timeToLive(indexID: policy.index.id)] = bytes(policy.appendRecord)
    }
    for index in catalog.indexes.composites {
      records[StorageKey.composite(id: index.id)] = bytes(index.appendRecord)
      if index.isHidden { records[StorageKey.hidden(compositeID: index.id)] = [] }
    }
    for id in catalog.droppedIDs {
      records[StorageKey.composite(id: id)] = bytes {
        CompositeIndex.appendRecord(ofDropped: id, to: &$0)
      }
    }
    for override in catalog.indexes.overrides {
      let change = catalog.changes[OverrideName(override)] ?? OverrideChange()
      records[
        StorageKey.override(collectionGroup: override.collectionGroup, field: override.field)] =
        bytes { override.appendRecord(change, to: &$0) }
    }
    return records
  }

  private static func bytes(_ append: (inout [UInt8]) -> Void) -> [UInt8] {
    var bytes: [UInt8] = []
    append(&bytes)
    return bytes
  }
}
