import HearthDocumentModel
import HearthStorageFormat

/// The change that a run of commits made to one document, without the versions in between.
final class NetChange {
  /// The version before the commits; `nil` if there was none.
  private(set) var old: StoredDocument?
  private(set) var new: StoredDocument?
  private let oldCatalog: Catalog
  private var newCatalog: Catalog
  private var newRecord: DocumentRecord?

  private init(_ change: DocumentChange, _ catalog: Catalog) {
    old = change.old
    new = change.new
    oldCatalog = catalog
    newCatalog = catalog
  }

  /// Returns the changes of `commits`, each document once, in the order in which they were first
  /// written.
  static func merging(_ commits: ArraySlice<Commit>) -> [NetChange] {
    var positions: [ResourcePath: Int] = [:]
    var merged: [NetChange] = []
    for commit in commits {
      for change in commit.changes {
        if let position = positions[change.path] {
          merged[position].new = change.new
          merged[position].newCatalog = commit.catalog
        } else {
          positions[change.path] = merged.count
          merged.append(NetChange(change, commit.catalog))
        }
      }
    }
    return merged.filter { $0.old != nil || $0.new != nil }
  }

  /// Returns the stored bytes of the new version, made once for all results that list it.
  func record(in database: DatabaseID) throws -> DocumentRecord {
    if let newRecord { return newRecord }
    guard let new else { throw DatabaseError(.internal, "A deleted document has no record.") }
    var bytes: [UInt8] = []
    DocumentRecord.append(new.document, own: database, to: &bytes)
    let record = try DocumentRecord(bytes, own: database)
    newRecord = record
    return record
  }

  /// Calls `body` with the keys that the document had before and has now: those of its entries and
  /// names, by which queries find it.
  ///
  /// The entries are made here and not by the writer, which needs only those that change.
  func forEachKey(_ body: (RawSpan) -> Void) {
    if let old { NetChange.forEachKey(of: old, oldCatalog, .present, body) }
    if let new { NetChange.forEachKey(of: new, newCatalog, .maintained, body) }
  }

  private static func forEachKey(
    of document: StoredDocument, _ catalog: Catalog, _ selection: EntrySelection,
    _ body: (RawSpan) -> Void
  ) {
    let id = document.path.lastSegment ?? ""
    body(StorageKey.name(collection: document.collectionNumber, id: id).span.bytes)
    body(StorageKey.groupName(of: document.path).span.bytes)
    let entries = IndexEntries(of: document, catalog: catalog, selection).list()
    for index in 0..<entries.count { body(entries.key(index).span.bytes) }
  }
}
