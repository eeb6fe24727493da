import DocumentModel
import StorageFormat

/// What a run of commits made of one document, whatever it was in between.
final class NetChange {
  /// `nil` if there was no such document.
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

  /// The changes of `commits`, each document once, in the order in which they were first written.
  static func merging(_ commits: ArraySlice<CommittedGroup>) -> [NetChange] {
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

  /// The stored bytes of what the document became, made once for all who list it.
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
  /// its names, with which queries find it.
  ///
  /// The entries are made here and not by the writer, who needs those alone that change.
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
