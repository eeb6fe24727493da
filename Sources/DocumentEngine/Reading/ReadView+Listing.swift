package import DocumentModel
import OrderedStore
import StorageFormat

extension ReadView {
  /// The ids of the collections directly below a document or the root, sorted.
  ///
  /// A collection is listed if it, or anything below a document of its, holds a document (§1.1).
  ///
  /// - Complexity: a few keys per collection below `parent`, at any depth, that holds no document,
  ///   and a few per id that is listed; documents are not read.
  /// - Throws: `dataLoss`, or what the store reports.
  package func collectionIDs(below parent: ResourcePath) throws(DatabaseError) -> [String] {
    try reportingErrors {
      var ids: [String] = []
      let known = KeyRange.prefix(StorageKey.collectionsPrefix(below: parent))
      let cursor = try snapshot.makeCursor()
      try cursor.seek(to: known.lower)
      while cursor.isValid, known.contains(cursor.key) {
        let path = try StorageKey.collectionPath(of: cursor.key)
        let number = try StorageKey.number(of: cursor.value)
        guard try holdsDocuments(number) else {
          try cursor.next()
          continue
        }
        let id = path.segments[parent.segments.count]
        ids.append(id)
        let child = parent.appending(unchecked: id)
        try cursor.seek(to: KeyRange.prefix(StorageKey.collectionsPrefix(below: child)).upper)
      }
      try cursor.checkReads()
      return ids
    }
  }

  /// Calls `body` with each collection at or below `path` that holds a document, in the order of
  /// paths, until it returns `false`.
  ///
  /// - Complexity: a few keys per collection.
  package func forEachCollection(
    from path: ResourcePath, _ body: (ResourcePath) throws -> Bool
  ) throws(DatabaseError) {
    try reportingErrors {
      let range = KeyRange.prefix(StorageKey.collectionsPrefix(below: path))
      try snapshot.forEachEntry(in: range) { key, value in
        guard try holdsDocuments(StorageKey.number(of: value)) else { return true }
        return try body(StorageKey.collectionPath(of: key))
      }
    }
  }

  /// Calls `body` with the path of each document of a collection, in their order, until it returns
  /// `false`. Documents are not read.
  ///
  /// - Complexity: one key per document.
  package func forEachDocumentPath(
    in collection: ResourcePath, _ body: (ResourcePath) throws -> Bool
  ) throws(DatabaseError) {
    try reportingErrors {
      guard let number = try collectionNumber(of: collection) else { return }
      let prefix = StorageKey.namePrefix(collection: number)
      try snapshot.forEachEntry(in: .prefix(prefix)) { key, _ in
        var offset = prefix.count
        let id = try OrderedName.documentID(from: key, at: &offset, .ascending)
        return try body(collection.appending(unchecked: id))
      }
    }
  }

  private func holdsDocuments(_ number: UInt64) throws -> Bool {
    try !snapshot.isEmpty(.prefix(StorageKey.namePrefix(collection: number)))
  }
}
