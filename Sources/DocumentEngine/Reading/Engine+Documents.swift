package import DocumentModel
import StorageFormat

extension Engine {
  /// The document at `path` as it is now, or `nil`.
  ///
  /// - Complexity: two point reads; none if it is remembered.
  /// - Throws: `dataLoss`, or what the store reports.
  package func document(at path: ResourcePath) throws(DatabaseError) -> FetchedDocument? {
    try process.check()
    // What is remembered was changed by no commit that anybody has been told of.
    if let number = caches.names?.number(of: path),
      let record = caches.documents?.latestRecord(number), record.isDocument(at: path)
    {
      return FetchedDocument(record)
    }
    return try readView().document(at: path)
  }
}

extension Engine {
  /// What the cache of documents holds; `nil` where there is none.
  package var documentCacheStatistics: DocumentCacheStatistics? { caches.documents?.statistics }
}
