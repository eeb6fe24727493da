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

  /// Reads documents into the caches, without making room for them. Those that no longer exist are
  /// passed over, and so are those that can't be decoded, of which their readers will be told.
  ///
  /// - Complexity: one point read per document that isn't kept yet.
  /// - Returns: whether there was room for all of them.
  /// - Throws: errors of the store.
  package func warm(_ documents: some Collection<HotDocument>) throws -> Bool {
    guard let cache = caches.documents else { return false }
    var reads: [DocumentCache.StoredRead] = []
    for document in documents where !cache.keeps(document.number) {
      do {
        guard let record = try storedRecord(document.number, notingFields: true) else { continue }
        reads.append(.init(record: record, number: document.number, isDisplacing: false))
        if document.isNamed { caches.names?.insert(document.number, of: record.path) }
      } catch is CorruptBytes {
        continue
      }
    }
    return cache.insert(reads, readAt: commitNumber)
  }
}
