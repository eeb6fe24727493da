package import HearthDocumentEngine
package import HearthDocumentModel

extension Engine {
  /// Deletes a document with everything below it, or a collection with its documents and everything
  /// below them.
  ///
  /// It makes many commits. A reader may see a part of it, and an interrupted call has deleted a
  /// part. Documents that are written meanwhile may stay.
  ///
  /// - Complexity: every deleted document is read once; if there are many, the ranges in
  ///   which they lay are rewritten.
  /// - Parameter progress: receives the number of documents deleted so far, after each commit.
  /// - Returns: the number of deleted documents.
  /// - Throws: `cancelled` once its caller has left; `dataLoss`; errors of the store.
  package func recursiveDelete(
    _ path: ResourcePath, progress: (Int) -> Void = { _ in }
  ) throws(DatabaseError) -> Int {
    try checkWritable()
    let view = try readView()
    var batch: [Write] = []
    var count = 0
    func flush() throws(DatabaseError) {
      guard !batch.isEmpty else { return }
      try Audience.check()
      _ = try commit(batch)
      count += batch.count
      batch.removeAll(keepingCapacity: true)
      progress(count)
    }
    func delete(_ path: ResourcePath) throws(DatabaseError) {
      batch.append(.delete(path))
      if batch.count == 500 { try flush() }
    }
    if path.isDocument, try view.document(at: path) != nil { try delete(path) }
    try view.forEachCollection(from: path) { collection in
      try view.forEachDocumentPath(in: collection) { path in
        try delete(path)
        return true
      }
      return true
    }
    try flush()
    try compactAllDeleted(afterDeleting: count)
    return count
  }

  /// Returns the number of documents at `path` and below it.
  ///
  /// - Complexity: one key for each document.
  /// - Parameter progress: receives the number of documents counted so far, now and then.
  /// - Throws: `cancelled` once its caller has left; `dataLoss`; errors of the store.
  package func countBelow(
    _ path: ResourcePath, progress: (Int) -> Void
  ) throws(DatabaseError) -> Int {
    let view = try readView()
    var count = 0
    if path.isDocument, try view.document(at: path) != nil { count += 1 }
    try view.forEachCollection(from: path) { collection in
      try view.forEachDocumentPath(in: collection) { _ in
        count += 1
        if count.isMultiple(of: 10_000) {
          try Audience.check()
          progress(count)
        }
        return true
      }
      return true
    }
    return count
  }
}
