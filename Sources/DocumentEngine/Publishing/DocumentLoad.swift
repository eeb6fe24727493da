package import HearthDocumentModel

/// A load: writes of many documents, in commits that are durable and visible one by one.
///
/// New documents get their index entries at the end, or when a reader needs them. So it must be
/// ended by ``finish()``. If it isn't, the next reader pays for it.
package struct DocumentLoad: Sendable {
  private let writer: CommitWriter
  private var documentCount = 0

  init(_ writer: CommitWriter) { self.writer = writer }

  /// Applies `writes` in order, all or none, as ``Engine/commit(_:judging:)`` does.
  package mutating func commit(_ writes: [Write]) throws(DatabaseError) -> CommitResult {
    let tuning = writer.publication.caches.settings.load
    let isDeferring = documentCount >= tuning.promptDocumentCount
    let result = try writer.commit(writes, deferringEntries: isDeferring)
    documentCount += writes.count
    if documentCount >= tuning.documentCount {
      try finish()
      documentCount = tuning.promptDocumentCount
    }
    return result
  }

  /// Puts the index entries that are still missing.
  ///
  /// - Parameter progress: a closure that receives the number of entries that are put so far.
  package func finish(progress: @escaping @Sendable (Int) -> Void = { _ in }) throws(DatabaseError)
  {
    try writer.completeEntries(progress: progress)
  }
}
