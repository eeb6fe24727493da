package import HearthDocumentModel
import HearthOrderedStore
import HearthQueryPlanning
import HearthStorageFormat

/// Applies the writes of one request to a group: first the documents, then the differences in their
/// index entries. Several writes of one document see each other (§7.1).
package struct WriteStaging {
  /// A document that the request touches: its stored version, and the version after the request.
  private struct Touched {
    let path: ResourcePath
    /// The number of its collection; `nil` if the collection has never had a document.
    let collectionNumber: UInt64?
    let stored: StoredDocument?
    var document: Document?
  }

  private var touched: [Touched] = []
  /// The positions of documents in `touched`, for a request of several writes.
  private var positions: [ResourcePath: Int] = [:]
  private let isSingle: Bool

  private init(_ writes: [Write]) {
    isSingle = writes.count == 1
    touched.reserveCapacity(writes.count)
  }

  package static func stage(_ writes: [Write], in group: inout CommitDraft) throws -> [WriteResult]
  {
    var staging = WriteStaging(writes)
    var results: [WriteResult] = []
    results.reserveCapacity(writes.count)
    for write in writes { results.append(try staging.apply(write, in: group)) }
    for document in staging.touched { try WriteStaging.append(document, to: &group) }
    return results
  }

  private mutating func apply(_ write: Write, in group: CommitDraft) throws -> WriteResult {
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

  private mutating func position(of path: ResourcePath, in group: CommitDraft) throws -> Int {
    if let position = positions[path] { return position }
    if !isSingle { positions[path] = touched.count }
    let collectionNumber = try group.view.collectionNumber(of: path.parent)
    let stored = try collectionNumber.flatMap { number in
      try StoredDocuments(group.view).located(path, inCollection: number).map { located in
        StoredDocument(
          number: located.number, collectionNumber: number,
          document: try located.record.document())
      }
    }
    touched.append(
      Touched(
        path: path, collectionNumber: collectionNumber, stored: stored,
        document: stored?.document))
    return touched.count - 1
  }

  private static func append(_ touched: Touched, to group: inout CommitDraft) throws {
    guard let document = touched.document else {
      if let stored = touched.stored { try delete(stored, from: &group) }
      return
    }
    guard let stored = touched.stored else {
      return try create(document, inCollection: touched.collectionNumber, in: &group)
    }
    // An unchanged document keeps its time. A changed one has the group's time, which is later.
    guard document.updateTime != stored.document.updateTime else { return }
    try replace(
      stored, by: document, ChangedFields(from: stored.fields, to: document.fields), in: &group)
  }

  private static func create(
    _ document: Document, inCollection number: UInt64?, in group: inout CommitDraft
  ) throws {
    let new = StoredDocument(
      number: group.takeDocumentNumber(),
      collectionNumber: try number ?? group.foundCollection(document.path.parent),
      document: document)
    let entries = try IndexEntries(of: new, catalog: group.catalog).checkedList()
    try append(new, entries, to: &group)
  }

  /// Puts a document that doesn't exist, with its old times. Its entries were within the limits
  /// when it was written.
  package static func restore(_ document: Document, in group: inout CommitDraft) throws {
    let new = StoredDocument(
      number: group.takeDocumentNumber(),
      collectionNumber: try group.foundCollection(document.path.parent), document: document)
    try append(new, IndexEntries(of: new, catalog: group.catalog).list(), to: &group)
  }

  private static func append(
    _ new: StoredDocument, _ entries: EntryList, to group: inout CommitDraft
  ) throws {
    group.putNames(of: new)
    group.putRecord(of: new)
    try group.append(
      DocumentChange(
        path: new.path, old: nil, new: new, oldEntries: EntryList(), newEntries: entries))
  }

  /// Replaces a document. Entries are made only for the changed fields. Those of the others stay as
  /// they are.
  private static func replace(
    _ old: StoredDocument, by document: Document, _ fields: ChangedFields,
    in group: inout CommitDraft
  ) throws {
    let new = StoredDocument(
      number: old.number, collectionNumber: old.collectionNumber, document: document)
    let catalog = group.catalog
    var oldEntries = IndexEntries(of: old, catalog: catalog, .present, changed: fields).list()
    var newEntries = try IndexEntries(of: new, catalog: catalog, changed: fields).checkedList()
    if document.mayReachEntryLimits(compositeCount: catalog.indexes.composites.count) {
      _ = try IndexEntries(of: new, catalog: catalog).checkedList()
    }
    group.putRecord(of: new)
    oldEntries.sort()
    newEntries.sort()
    try group.append(
      DocumentChange(
        path: new.path, old: old, new: new, oldEntries: oldEntries, newEntries: newEntries))
  }

  private static func delete(_ old: StoredDocument, from group: inout CommitDraft) throws {
    let entries = IndexEntries(of: old, catalog: group.catalog, .present).list()
    group.delete(
      StorageKey.name(collection: old.collectionNumber, id: old.path.lastSegment ?? ""))
    group.delete(StorageKey.groupName(of: old.path))
    group.delete(StorageKey.document(old.number))
    try group.append(
      DocumentChange(
        path: old.path, old: old, new: nil, oldEntries: entries, newEntries: EntryList()))
  }
}

extension Document {
  /// Whether the document may have more entries than §1.2 allows, or entries that are too large
  /// together. It is an estimate that makes no entries. `false` is certain if no single entry is
  /// too large.
  fileprivate func mayReachEntryLimits(compositeCount: Int) -> Bool {
    // Each value and each element has up to four automatic entries. A composite index has no more
    // entries than there are elements.
    let entryCount = fields.valueCount * (compositeCount + 4)
    return entryCount > Limits.indexEntriesByteCount / Limits.indexEntryByteCount
  }
}

extension MapValue {
  /// The number of values at all depths, those of arrays included.
  fileprivate var valueCount: Int {
    reduce(1) { count, field in
      switch field.value {
      case .map(let map): count + 1 + map.valueCount
      case .array(let elements): count + 1 + elements.count
      default: count + 1
      }
    }
  }
}

extension CommitDraft {
  fileprivate mutating func putNames(of document: StoredDocument) {
    let segments = document.path.segments
    let (collectionID, id) = (segments[segments.count - 2], segments[segments.count - 1])
    withBatch { batch in
      batch.put { bytes in
        StorageKey.appendName(collection: document.collectionNumber, id: id, to: &bytes)
        let keyEnd = bytes.count
        EntryValue.append(documentNumber: document.number, to: &bytes)
        return keyEnd
      }
      batch.put { bytes in
        StorageKey.appendGroupName(collectionID: collectionID, path: document.path, to: &bytes)
        let keyEnd = bytes.count
        EntryValue.append(documentNumber: document.number, to: &bytes)
        return keyEnd
      }
    }
  }

  fileprivate mutating func putRecord(of document: StoredDocument) {
    let own = catalog.databaseID
    withBatch { batch in
      batch.put { bytes in
        StorageKey.appendDocument(document.number, to: &bytes)
        let keyEnd = bytes.count
        DocumentRecord.append(document.document, own: own, to: &bytes)
        return keyEnd
      }
    }
  }
}
