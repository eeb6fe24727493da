package import HearthDocumentModel
import HearthOrderedStore
import HearthStorageFormat

extension ReadView {
  /// Returns the document at `path`; `nil` if there is none.
  ///
  /// - Complexity: two point reads.
  /// - Throws: `dataLoss`; errors of the store.
  package func document(at path: ResourcePath) throws(DatabaseError) -> FetchedDocument? {
    try process.check()
    return try reportingErrors {
      let located = try StoredDocuments(self).located(path)
      try recordRead(of: path, located?.number)
      return located.map { FetchedDocument($0.record) }
    }
  }

  /// Returns the documents at `paths`, with `nil` for those that don't exist. Every path comes
  /// once, in the order of the first occurrences (§7.5).
  ///
  /// - Complexity: two point reads per document.
  /// - Throws: `dataLoss`; errors of the store.
  package func documents(
    at paths: [ResourcePath]
  ) throws(DatabaseError) -> [(path: ResourcePath, record: FetchedDocument?)] {
    try process.check()
    var seen: Set<ResourcePath> = []
    let paths = paths.filter { seen.insert($0).inserted }
    return try reportingErrors {
      let located = try StoredDocuments(self).located(paths)
      return try zip(paths, located).map { path, located in
        try recordRead(of: path, located?.number)
        return (path, located.map { FetchedDocument($0.record) })
      }
    }
  }

  /// Returns the stored record of a document; `nil` if there is none.
  ///
  /// - Parameter notingFields: whether the record will be kept, and read often.
  /// - Throws: ``CorruptBytes``; errors of the store.
  func storedRecord(_ number: UInt64, notingFields: Bool) throws -> DocumentRecord? {
    let key = DocumentKey(number)
    return try read(key.bytes) { bytes throws(CorruptBytes) in
      try DocumentRecord(bytes, own: databaseID, notingFields: notingFields)
    }
  }

  /// Returns what `body` reads from the value of `key`; `nil` if there is none.
  ///
  /// - Throws: ``CorruptBytes``; errors of the store.
  func read<Output>(
    _ key: RawSpan, _ body: (RawSpan) throws(CorruptBytes) -> Output
  ) throws -> Output? {
    var output: Output?
    var failure: CorruptBytes?
    try snapshot.withValue(of: key) { value in
      do throws(CorruptBytes) { output = try body(value) } catch { failure = error }
    }
    if let failure { throw failure }
    return output
  }

  /// Records the key on which a read of the document at `path` depends.
  ///
  /// The record of a document is put and deleted with its other keys, so it stands for all of them.
  /// A missing document is created under its name. The key of the name has the number of its
  /// collection, which is given with the collection's first document.
  ///
  /// - Parameter number: the document's number; `nil` if there is no document.
  func recordRead(of path: ResourcePath, _ number: UInt64?) throws {
    guard let recorder else { return }
    let key: [UInt8]
    if let number {
      key = StorageKey.document(number)
    } else if let collection = try collectionNumber(ofDocument: path) {
      key = StorageKey.name(collection: collection, id: path.lastSegment ?? "")
    } else {
      key = StorageKey.collection(path.parent)
    }
    recorder.record { $0.insert(key) }
  }
}
