import DocumentModel
import OrderedStore
import QueryPlanning
import StorageFormat

/// The catalogue in the store: one record for the identity, one per composite index, one per
/// override.
enum StoredCatalog {
  /// The state and catalogue of the database in `store`, which is founded if the store is empty,
  /// and whether it was.
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
    let catalog = Catalog(databaseID: databaseID)
    var batch = StoreBatch()
    let identity = CatalogRecord.Identity(formatVersion: 1, database: databaseID)
    batch.put(StorageKey.identity, bytes(identity.append))
    batch.put(StorageKey.state, bytes(state.append))
    try store.write(batch)
    return (state, catalog)
  }

  // MARK: Reading

  private static func read(_ snapshot: any StoreSnapshot) throws -> Catalog {
    guard let identity = try snapshot.value(of: StorageKey.identity) else {
      throw DatabaseError.damaged("The record of the database's identity is missing.")
    }
    var indexes = IndexSet()
    var droppedIDs: [UInt64] = []
    var retiring: [OverrideName: AutomaticSpaces] = [:]
    var reverting: Set<OverrideName> = []
    try snapshot.forEachEntry(in: .prefix(StorageKey.compositesPrefix)) { _, bytes in
      let record = try CatalogRecord.Composite(bytes)
      if let index = try record.index() {
        indexes.composites.append(index)
      } else {
        droppedIDs.append(record.id)
      }
      return true
    }
    try snapshot.forEachEntry(in: .prefix(StorageKey.overridesPrefix)) { _, bytes in
      let record = try CatalogRecord.Override(bytes)
      let (override, spaces) = try record.override()
      indexes.overrides.append(override)
      if !spaces.isEmpty { retiring[OverrideName(override)] = spaces }
      if record.isReverting { reverting.insert(OverrideName(override)) }
      return true
    }
    return Catalog(
      databaseID: try CatalogRecord.Identity(identity.span.bytes).database, indexes: indexes,
      droppedIDs: droppedIDs, retiring: retiring, reverting: reverting)
  }

  // MARK: Writing

  /// Puts the records that differ between two catalogues, and deletes those that went.
  static func appendChanges(from old: Catalog, to new: Catalog, into batch: inout StoreBatch) {
    let (oldRecords, newRecords) = (records(old), records(new))
    for (key, bytes) in newRecords where oldRecords[key] != bytes { batch.put(key, bytes) }
    for key in oldRecords.keys where newRecords[key] == nil { batch.delete(key) }
  }

  private static func records(_ catalog: Catalog) -> [[UInt8]: [UInt8]] {
    var records: [[UInt8]: [UInt8]] = [:]
    for index in catalog.indexes.composites {
      records[StorageKey.composite(id: index.id)] = bytes(CatalogRecord.Composite(index).append)
    }
    for id in catalog.droppedIDs {
      records[StorageKey.composite(id: id)] = bytes(CatalogRecord.Composite(droppedID: id).append)
    }
    for override in catalog.indexes.overrides {
      let name = OverrideName(override)
      let record = CatalogRecord.Override(
        override, retiring: catalog.retiring[name] ?? [],
        isReverting: catalog.reverting.contains(name))
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
