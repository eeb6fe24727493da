package import HearthDocumentModel
import HearthOrderedStore
import HearthStorageFormat

extension ReadView {
  /// Returns the ids of the collections directly below a document or the root, sorted.
  ///
  /// A collection is listed if it holds a document, or if there is one anywhere below its documents
  /// (§1.1).
  ///
  /// - Parameters:
  ///   - last: the id after which to begin.
  ///   - limit: the largest number of ids to return.
  ///   - deadline: the moment at which the listing ends with an error; `nil` for none.
  /// - Complexity: a few keys for each collection below `parent`, at any depth, that holds no
  ///   document, and a few for each listed id. Documents are not read.
  /// - Throws: `invalidArgument` below a collection; with a deadline, `deadlineExceeded` and
  ///   `cancelled`; `dataLoss`; errors of the store.
  package func collectionIDs(
    below parent: ResourcePath, after last: String? = nil, limit: Int = .max,
    deadline: ContinuousClock.Instant? = nil
  ) throws(DatabaseError) -> [String] {
    guard parent.isRoot || parent.isDocument else {
      throw .invalidArgument("\"\(parent)\" is no document.")
    }
    return try reportingErrors {
      var deadline = Deadline(deadline)
      var ids: [String] = []
      let known = KeyRange.prefix(StorageKey.collectionsPrefix(below: parent))
      let cursor = try snapshot.makeCursor()
      try cursor.seek(
        to: last.map {
          KeyRange.prefix(StorageKey.collectionsPrefix(below: parent.appending(unchecked: $0)))
            .upper
        } ?? known.lower)
      while ids.count < limit, cursor.isValid, known.contains(cursor.key) {
        try deadline.check()
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
      recorder?.record { $0.insertScan(of: known) }
      return ids
    }
  }

  /// Returns one page of the ids of the collections directly below a document or the root.
  ///
  /// - Parameters:
  ///   - pageSize: the number of ids on a page; 0 for the engine's default.
  ///   - pageToken: the token that the page before returned; empty for the first page.
  ///   - deadline: the moment at which the listing ends with an error; `nil` for none.
  /// - Returns: the ids, and the token of the next page; `nil` on the last one.
  /// - Throws: `invalidArgument` for a negative page size or a token of another listing; the errors
  ///   of `collectionIDs`.
  package func listCollectionIDs(
    below parent: ResourcePath, pageSize: Int = 0, pageToken: String = "",
    deadline: ContinuousClock.Instant? = nil
  ) throws(DatabaseError) -> (ids: [String], nextPageToken: String?) {
    let pageSize = try pageSize.checkedPageSize()
    let listing = "collections below \(parent)"
    let last =
      try pageToken.isEmpty
      ? nil : String(decoding: PageToken(pageToken, of: listing).position, as: UTF8.self)
    var ids = try collectionIDs(
      below: parent, after: last, limit: pageSize == .max ? .max : pageSize + 1,
      deadline: deadline)
    guard ids.count > pageSize, pageSize > 0 else { return (ids, nil) }
    ids.removeLast()
    let position = Array((ids.last ?? "").utf8)
    return (ids, PageToken(position: position).text(of: listing))
  }

  /// Calls `body` with each collection at or below `path` that holds a document, in the order of
  /// paths, until `body` returns `false`.
  ///
  /// - Complexity: a few keys for each collection.
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

  /// Calls `body` with the path of each document of a collection, in their order, until `body`
  /// returns `false`. Documents are not read.
  ///
  /// - Complexity: one key for each document.
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

  /// Whether any collection below `path`, at any depth, holds a document.
  ///
  /// - Complexity: a few keys for each collection that holds none.
  func holdsDocuments(below path: ResourcePath, _ deadline: inout Deadline) throws -> Bool {
    var holdsDocuments = false
    let range = KeyRange.prefix(StorageKey.collectionsPrefix(below: path))
    try snapshot.forEachEntry(in: range) { _, value in
      try deadline.check()
      holdsDocuments = try self.holdsDocuments(StorageKey.number(of: value))
      return !holdsDocuments
    }
    return holdsDocuments
  }

  private func holdsDocuments(_ number: UInt64) throws -> Bool {
    let names = KeyRange.prefix(StorageKey.namePrefix(collection: number))
    recorder?.record { $0.insertScan(of: names) }
    return try !snapshot.isEmpty(names)
  }
}
