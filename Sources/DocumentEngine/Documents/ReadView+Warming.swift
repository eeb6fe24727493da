import HearthOrderedStore
package import HearthStorageFormat

extension ReadView {
  /// Returns the documents that the caches keep, in the order of their numbers.
  package func hotDocuments() -> [HotDocument] {
    var documents: [HotDocument] = []
    caches.documents?.forEach { number, record in
      let isNamed = caches.names?.number(of: record.path) == number
      documents.append(HotDocument(number: number, isNamed: isNamed))
    }
    documents.sort { $0.number < $1.number }
    return documents
  }

  /// Reads documents into the caches, without displacing others. Those that no longer exist, and
  /// those that can't be decoded, are passed over.
  ///
  /// - Complexity: one point read per document that isn't kept yet.
  /// - Returns: whether the cache may take more.
  /// - Throws: errors of the store.
  package func warm(_ documents: some Collection<HotDocument>) throws -> Bool {
    guard let cache = caches.documents else { return false }
    var reads: [DocumentCache.StoredRead] = []
    for document in documents where !cache.keeps(document.number) {
      let bytes = try snapshot.value(of: StorageKey.document(document.number))
      guard let bytes,
        let record = try? DocumentRecord(bytes, own: databaseID, notingFields: true)
      else { continue }
      reads.append(.init(record: record, number: document.number, isDisplacing: false))
      if document.isNamed { caches.names?.insert(document.number, of: record.path) }
    }
    guard !reads.isEmpty else { return true }
    let countBefore = cache.statistics.documentCount
    cache.insert(reads, readAt: commitNumber)
    return cache.statistics.documentCount > countBefore
  }
}
