package import HearthDocumentModel
import HearthStorageFormat

extension Engine {
  /// Returns the current document at `path`; `nil` if there is none.
  ///
  /// - Complexity: two point reads; none if the document is cached.
  /// - Throws: `dataLoss`; errors of the store.
  package func document(at path: ResourcePath) throws(DatabaseError) -> FetchedDocument? {
    try process.check()
    // A cached document was changed by no commit whose caller has an answer yet.
    if let number = caches.names?.number(of: path),
      let record = caches.documents?.latestRecord(number), record.isDocument(at: path)
    {
      return FetchedDocument(record)
    }
    return try readView().document(at: path)
  }
}

extension Engine {
  /// The statistics of the document cache; `nil` if there is none.
  package var documentCacheStatistics: DocumentCacheStatistics? { caches.documents?.statistics }
}
