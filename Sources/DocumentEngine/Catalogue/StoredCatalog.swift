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
    let identity = CatalogRecord.Identity(formatVersion: formatVersion, database: databaseID)
    batch.put(StorageKey.identity, bytes(identity.append))
  }

  // MARK: Reading

  package static let newerRelease = DatabaseError(
    .unimplemented, "The database was made by a newer release; open it with that one.")

  package static func read(_ snapshot: any StoreSnapshot) throws -> Catalog {
    var contents = Catalog.Contents(databaseID: try identity(snapshot).database)
    try snapshot.forEachEntry(in: .prefix(StorageKey.compositesPrefix)) { _, bytes in
      let record = try CatalogRecord.Composite(bytes)
      if let index = try record.index() {
        contents.indexes.composites.append(index)
        if record.isPaused { contents.pausedIDs.insert(index.id) }
      } else {
        contents.droppedIDs.append(record.id)
      }
      return true
    }
    let hidden = try hiddenIDs(snapshot)
    for index in contents.indexes.composites.indices {
      let id = contents.indexes.composites[index].id
      contents.indexes.composites[index].isHidden = hidden.contains(id)
    }
    try snapshot.forEachEntry(in: .prefix(StorageKey.overridesPrefix)) { _, bytes in
      let record = try CatalogRecord.Override(bytes)
      let (override, spaces) = try record.override()
      let name = OverrideName(override)
      contents.indexes.overrides.append(override)
      if !spaces.isEmpty { contents.retiring[name] = spaces }
      if record.isReverting { contents.reverting.insert(name) }
      contents.earlier[name] = try record.earlierOverride()
      return true
    }
    try snapshot.forEachEntry(in: .prefix(StorageKey.timesToLivePrefix)) { _, bytes in
      contents.timesToLive.append(try CatalogRecord.TimeToLive(bytes).timeToLive())
      return true
    }
    contents.tunings = try tunings(snapshot)
    return Catalog(contents)
  }

  /// - Throws: `unimplemented` for a database that a later release has changed.
  private static func identity(_ snapshot: any StoreSnapshot) throws -> CatalogRecord.Identity {
    guard let bytes = try snapshot.value(of: StorageKey.identity) else {
      throw DatabaseError.damaged("The record of the database's identity is missing.")
    }
    guard !CatalogRecord.Identity.isNewer(bytes.span.bytes) else { throw newerRelease }
    let identity = try CatalogRecord.Identity(bytes.span.bytes)
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
      tunings.setCovering(try CatalogRecord.Covering(bytes).tuningState(), ofIndex: id)
      return true
    }
    try snapshot.forEachEntry(in: .prefix(StorageKey.countsPrefix)) { _, bytes in
      tunings.set(try CatalogRecord.Counts(bytes).counts())
      return true
    }
    if let bytes = try snapshot.value(of: StorageKey.sumsRecord) {
      _ = try CatalogRecord.Sums(bytes.span.bytes)
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
    let identity = CatalogRecord.Identity(
      formatVersion: formatVersion, database: catalog.databaseID,
      isTuned: !catalog.tunings.isEmpty || !catalog.timesToLive.isEmpty
        || !catalog.earlier.isEmpty)
    records[StorageKey.identity] = bytes(identity.append)
    for (id, state) in catalog.tunings.covering {
      records[StorageKey.covering(compositeID: id)] = bytes(CatalogRecord.Covering(state).append)
    }
    for counts in catalog.tunings.counts {
      records[StorageKey.counts(id: counts.id)] = bytes(CatalogRecord.Counts(counts).append)
    }
    if catalog.tunings.keepsSums {
      records[StorageKey.sumsRecord] = bytes(CatalogRecord.Sums().append)
    }
    for policy in catalog.timesToLive {
      records[StorageKey.timeToLive(indexID: policy.index.id)] = bytes(
        CatalogRecord.TimeToLive(policy).append)
    }
    for index in catalog.indexes.composites {
      records[StorageKey.composite(id: index.id)] = bytes(
        CatalogRecord.Composite(index, isPaused: catalog.pausedIDs.contains(index.id)).append)
      if index.isHidden { records[StorageKey.hidden(compositeID: index.id)] = [] }
    }
    for id in catalog.droppedIDs {
      records[StorageKey.composite(id: id)] = bytes(CatalogRecord.Composite(droppedID: id).append)
    }
    for override in catalog.indexes.overrides {
      let name = OverrideName(override)
      let record = CatalogRecord.Override(
        override, retiring: catalog.retiring[name] ?? [],
        isReverting: catalog.reverting.contains(name), earlier: catalog.earlier[name])
      records[
        StorageKey.override(collectionGroup: override.collectionGroup, field: override.field)] =
        bytes(record.append)
    }
    return records
  }

  private static func bytes(_ append: (inout [UInt8]) -> Void) -> [UInt8] {
    var bytes: [UInt8] = []
    append(&bytes)
    return bytes
  }
}
