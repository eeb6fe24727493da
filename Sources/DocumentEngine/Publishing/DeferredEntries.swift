import HearthDocumentModel
import HearthOrderedStore
import HearthStorageFormat

/// The index entries of documents that loads have written without them, gathered in memory and in
/// scratch room, so that they can be put in the order of their keys.
struct DeferredEntries: Sendable {
  /// The number from which on documents may lack entries.
  private let start: UInt64
  private var sorter: EntrySorter

  init(from start: UInt64, _ sorter: EntrySorter) {
    self.start = start
    self.sorter = sorter
  }

  /// Adds the entries that a commit has deferred.
  ///
  /// - Returns: whether the gathered entries are still those of all documents that lack theirs.
  mutating func gather(_ draft: CommitDraft) -> Bool {
    guard draft.newCatalog == nil else { return false }
    for change in draft.changes {
      if change.defersEntries, let new = change.new {
        do throws(StoreError) {
          try append(change.newEntries, of: new)
        } catch {
          // The entries are made anew from the documents.
          return false
        }
      } else if let old = change.old, old.number >= start {
        return false
      }
    }
    return true
  }

  private mutating func append(
    _ list: EntryList, of document: StoredDocument
  ) throws(StoreError) {
    sorter.append(of: document.number, document.appendGroupName)
    try sorter.append(list, of: document.number)
  }

  /// Calls `body` with all entries in the order of their keys. The spans are valid during the call.
  mutating func forEach(_ body: (_ key: RawSpan, _ value: RawSpan) throws -> Void) throws {
    try sorter.forEach(body)
  }
}

extension DeferredEntries {
  /// Makes the entries of the documents from `start` on anew, in the indexes of the draft.
  init(from start: UInt64, in draft: CommitDraft, _ sorter: EntrySorter) throws {
    self.init(from: start, sorter)
    let (view, catalog) = (draft.view, draft.catalog)
    let documents = KeyRange(
      lower: StorageKey.document(start), upper: KeyRange.prefix(StorageKey.documentsPrefix).upper)
    try view.snapshot.forEachEntry(in: documents) { key, record in
      let number = try StorageKey.documentNumber(of: key)
      let document = try DocumentRecord(record, own: catalog.databaseID).document()
      guard let collection = try view.collectionNumber(ofDocument: document.path) else {
        throw DatabaseError.damaged("The collection \(document.path.parent) has no number.")
      }
      let stored = StoredDocument(
        number: number, collectionNumber: collection, document: document)
      try append(IndexEntries(of: stored, catalog: catalog).list(), of: stored)
      return true
    }
  }
}
