import HearthDocumentModel
import HearthOrderedStore
import HearthStorageFormat

/// The keys of documents: records, names and index entries. Each change puts and deletes its own,
/// beginning with the record, so that readers of a batch know whose the others are.
struct DocumentKeys: Derivation {
  mutating func note(
    _ change: DocumentChange, _ catalog: Catalog, into batch: inout StoreBatch,
    since start: StoreBatch.Mark
  ) {
    if let new = change.new {
      batch.put { bytes in
        StorageKey.appendDocument(new.number, to: &bytes)
        let keyEnd = bytes.count
        if let record = change.record {
          bytes += record
        } else {
          DocumentRecord.append(new.document, own: catalog.databaseID, to: &bytes)
        }
        return keyEnd
      }
      if change.old == nil {
        DocumentKeys.putName(of: new, into: &batch)
        if !change.defersEntries { batch.put { new.appendGroupName(to: &$0) } }
      }
    } else if let old = change.old {
      let id = old.path.lastSegment ?? ""
      batch.delete(StorageKey.document(old.number))
      batch.delete(StorageKey.name(collection: old.collectionNumber, id: id))
      batch.delete(StorageKey.groupName(of: old.path))
    }
    guard !change.defersEntries else { return }
    EntryList.appendDifference(from: change.oldEntries, to: change.newEntries, into: &batch)
  }

  private static func putName(of document: StoredDocument, into batch: inout StoreBatch) {
    batch.put { bytes in
      StorageKey.appendName(
        collection: document.collectionNumber, id: document.path.lastSegment ?? "", to: &bytes)
      let keyEnd = bytes.count
      EntryValue.appendName(documentNumber: document.number, to: &bytes)
      return keyEnd
    }
  }
}
