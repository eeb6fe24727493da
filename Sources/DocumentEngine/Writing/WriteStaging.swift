import DocumentModel
import StorageFormat

/// Applies the writes of one request to a group: documents first, then the difference that they
/// make to the indexes. Several writes of one document see each other (§7.1).
struct WriteStaging {
  /// A document that the request touches: as it is stored, and as the request leaves it.
  private struct Touched {
    let path: ResourcePath
    let stored: StoredDocument?
    var document: Document?
  }

  private var touched: [Touched] = []
  private var positions: [ResourcePath: Int] = [:]

  static func stage(_ writes: [Write], in group: inout CommitGroup) throws -> [WriteResult] {
    var staging = WriteStaging()
    let results = try writes.map { try staging.apply($0, in: group) }
    for document in staging.touched { try WriteStaging.append(document, to: &group) }
    return results
  }

  private mutating func apply(_ write: Write, in group: CommitGroup) throws -> WriteResult {
    let position = try position(of: write.path, in: group)
    let application = WriteApplication(
      old: touched[position].document, write: write, commitTime: group.commitTime,
      databaseID: group.catalog.databaseID)
    let outcome = try application.outcome()
    touched[position].document = outcome.document
    return WriteResult(
      updateTime: outcome.document?.updateTime ?? group.commitTime,
      transformResults: outcome.transformResults)
  }

  private mutating func position(of path: ResourcePath, in group: CommitGroup) throws -> Int {
    if let position = positions[path] { return position }
    let stored = try WriteStaging.stored(path, in: group)
    positions[path] = touched.count
    touched.append(Touched(path: path, stored: stored, document: stored?.document))
    return touched.count - 1
  }

  private static func stored(
    _ path: ResourcePath, in group: CommitGroup
  ) throws -> StoredDocument? {
    guard let collectionNumber = try group.view.collectionNumber(of: path.parent) else {
      return nil
    }
    guard let located = try StoredDocuments(group.view).located(path) else { return nil }
    return StoredDocument(
      number: located.number, collectionNumber: collectionNumber,
      document: try located.record.document())
  }

  private static func append(_ touched: Touched, to group: inout CommitGroup) throws {
    guard touched.document != touched.stored?.document else { return }
    guard let document = touched.document else {
      if let stored = touched.stored { try delete(stored, from: &group) }
      return
    }
    if let stored = touched.stored {
      try replace(stored, by: document, in: &group)
    } else {
      try create(document, in: &group)
    }
  }

  private static func create(_ document: Document, in group: inout CommitGroup) throws {
    let collection = try group.foundCollection(document.path.parent)
    let new = StoredDocument(
      number: group.takeDocumentNumber(), collectionNumber: collection, document: document)
    let entries = try IndexEntries(of: new, catalog: group.catalog).checkedList()
    let number = EntryValue.name(of: new.number)
    group.put(StorageKey.name(collection: collection, id: document.path.lastSegment ?? ""), number)
    group.put(StorageKey.groupName(of: document.path), number)
    putRecord(of: new, in: &group)
    group.append(
      DocumentChange(
        path: new.path, old: nil, new: new, oldEntries: EntryList(), newEntries: entries))
  }

  private static func replace(
    _ old: StoredDocument, by document: Document, in group: inout CommitGroup
  ) throws {
    let new = StoredDocument(
      number: old.number, collectionNumber: old.collectionNumber, document: document)
    let oldEntries = IndexEntries(of: old, catalog: group.catalog, .present).list()
    let newEntries = try IndexEntries(of: new, catalog: group.catalog).checkedList()
    putRecord(of: new, in: &group)
    group.append(
      DocumentChange(
        path: new.path, old: old, new: new, oldEntries: oldEntries, newEntries: newEntries))
  }

  private static func delete(_ old: StoredDocument, from group: inout CommitGroup) throws {
    let entries = IndexEntries(of: old, catalog: group.catalog, .present).list()
    group.delete(
      StorageKey.name(collection: old.collectionNumber, id: old.path.lastSegment ?? ""))
    group.delete(StorageKey.groupName(of: old.path))
    group.delete(StorageKey.document(old.number))
    group.append(
      DocumentChange(
        path: old.path, old: old, new: nil, oldEntries: entries, newEntries: EntryList()))
  }

  private static func putRecord(of document: StoredDocument, in group: inout CommitGroup) {
    var bytes: [UInt8] = []
    DocumentRecord.append(document.document, own: group.catalog.databaseID, to: &bytes)
    group.put(StorageKey.document(document.number), bytes)
  }
}
