package import HearthDocumentEngine
package import HearthDocumentModel
import HearthOrderedStore
import HearthStorageFormat

/// Notes the documents that are in memory when the database is closed, and reads them back after it
/// was opened.
///
/// A note has the numbers of documents and nothing of their contents. So it can't be wrong, only
/// out of date: a number without a document is passed over.
package final class WarmStart: Sendable {
  private struct Progress {
    /// The record that is read next.
    var part: UInt64 = 0
    /// The documents of earlier records that are still to be read.
    var documents: ArraySlice<HotDocument> = []
    /// Whether the note has been read back as far as the memory allows.
    var isThrough = false
  }

  /// Number of documents in one record.
  private static let partDocumentCount = 16_384
  /// Number of documents that a step reads.
  private static let stepDocumentCount = 64
  private static let batchByteCount = 1 << 20

  private let engine: Engine
  private let progress = Lock(Progress())

  package init(_ engine: Engine) {
    self.engine = engine
  }

  /// Reads some of the noted documents into memory; none while an import's entries are missing.
  ///
  /// - Complexity: at most 64 point reads.
  /// - Returns: whether there may be more to read.
  /// - Throws: errors of the store; `dataLoss` for a damaged note. No step is to follow, and
  ///   ``note()`` replaces the note.
  package func step() throws(DatabaseError) -> Bool {
    // A view would have the entries put that an import deferred.
    guard engine.latest.state.unindexedStart == nil else { return false }
    var isThrough = true
    defer { if isThrough { progress.withLock { $0.isThrough = true } } }
    let view = try engine.readView()
    try reportingErrors {
      guard let documents = try nextDocuments(view) else { return }
      isThrough = try !view.warm(documents)
    }
    return !isThrough
  }

  /// Returns the documents of the next step; `nil` if there are no more.
  private func nextDocuments(_ view: ReadView) throws -> ArraySlice<HotDocument>? {
    let (waiting, part) = progress.withLock { ($0.documents, $0.part) }
    var documents = waiting
    if documents.isEmpty {
      guard let bytes = try view.snapshot.value(of: StorageKey.hotDocuments(part: part)) else {
        return nil
      }
      documents = try HotDocument.documents(in: bytes.span.bytes)[...]
      progress.withLock { $0.part += 1 }
    }
    let step = documents.prefix(WarmStart.stepDocumentCount)
    progress.withLock { [documents] in $0.documents = documents.dropFirst(step.count) }
    return step
  }

  /// Notes the documents that are in memory now. An earlier note that hasn't been read back yet
  /// stays, since memory doesn't have all of its documents.
  ///
  /// - Complexity: a few bytes for each document; nothing is written if the note stays the same.
  /// - Throws: errors of the store.
  package func note() throws(DatabaseError) {
    guard engine.documentCacheStatistics != nil, engine.latest.state.unindexedStart == nil
    else { return }
    let view = try engine.readView()
    let isThrough = progress.withLock { $0.isThrough }
    if !isThrough, try WarmStart.isNoted(in: view) { return }
    let documents = view.hotDocuments()
    try engine.commitExclusively { [store = engine.store] draft in
      try WarmStart.put(documents, over: draft.view.snapshot, write: store.write)
    }
  }

  private static func isNoted(in view: ReadView) throws(DatabaseError) -> Bool {
    try reportingErrors { try view.snapshot.value(of: StorageKey.hotDocuments(part: 0)) != nil }
  }

  private static func put(
    _ documents: [HotDocument], over old: any StoreSnapshot,
    write: (StoreBatch) throws(StoreError) -> Void
  ) throws {
    var batch = StoreBatch()
    var part: UInt64 = 0
    for start in stride(from: 0, to: documents.count, by: partDocumentCount) {
      var value: [UInt8] = []
      HotDocument.append(documents[start...].prefix(partDocumentCount), to: &value)
      let key = StorageKey.hotDocuments(part: part)
      if try old.value(of: key) != value { batch.put(key, value) }
      if batch.byteCount >= batchByteCount {
        try write(batch)
        batch.removeAll()
      }
      part += 1
    }
    while try old.value(of: StorageKey.hotDocuments(part: part)) != nil {
      batch.delete(StorageKey.hotDocuments(part: part))
      part += 1
    }
    if !batch.isEmpty { try write(batch) }
  }
}
