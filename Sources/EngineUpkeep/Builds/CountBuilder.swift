import HearthDocumentEngine
import HearthDocumentModel
import HearthOrderedStore
import HearthStorageFormat

/// Counts the existing documents for new kept counts, chunk by chunk, while writers go on.
///
/// A chunk is read and counted in the committer, so that no write comes between. Writers update the
/// counts for documents before the position of the counting, and ignore those after it. So each
/// document is counted once, whenever it is written. The position is written in the batch of each
/// chunk.
struct CountBuilder {
  /// The documents in a chunk, for which a waiting writer has to wait.
  private static let chunkCount = 500

  let engine: Engine
  let counts: KeptCounts

  struct Chunk: Sendable {
    let documentCount: Int
    let isLast: Bool
  }

  /// Counts the next documents.
  func step() throws(DatabaseError) -> Chunk {
    try engine.commitExclusively { [counts] in try CountBuilder.count(counts, &$0) }
  }

  private static func count(_ counts: KeptCounts, _ group: inout CommitDraft) throws -> Chunk {
    let checkpointKey = StorageKey.checkpoint(countsID: counts.id)
    let names = KeyRange.prefix(
      StorageKey.groupNamePrefix(collectionID: counts.definition.collectionGroup))
    let view = group.view
    let start = try view.snapshot.value(of: checkpointKey) ?? names.lower
    let fetcher = DocumentFetcher(view)
    let encoder = ValueEncoder(own: view.databaseID)
    var count = 0
    var next: [UInt8]?
    try view.snapshot.forEachEntry(in: KeyRange(lower: start, upper: names.upper)) { key, value in
      guard count < chunkCount else {
        next = [UInt8](copying: key)
        return false
      }
      count += 1
      let number = try EntryValue.read(value).documentNumber
      let document = try fetcher.document(number).document()
      guard let collection = try view.collectionNumber(ofDocument: document.path) else {
        throw DatabaseError.damaged("The collection of \(document.path) has no number.")
      }
      let stored = StoredDocument(
        number: number, collectionNumber: collection, document: document)
      if let key = counts.key(of: stored, encoder) { group.derived.counts.add(1, to: key) }
      return true
    }
    // Until the counts are ready, writers must know which documents are counted: after the last
    // chunk, all of them.
    group.put(checkpointKey, next ?? names.upper)
    return Chunk(documentCount: count, isLast: next == nil)
  }
}

extension Engine {
  /// Makes a part of the counts, which are being built.
  ///
  /// - Returns: the number of documents counted.
  func step(_ counts: KeptCounts) throws(DatabaseError) -> Int {
    let chunk = try CountBuilder(engine: self, counts: counts).step()
    buildState.jobs.withLock { $0.countedDocuments[counts.id, default: 0] += chunk.documentCount }
    guard chunk.isLast else { return chunk.documentCount }
    try commitExclusively { group in
      group.delete(StorageKey.checkpoint(countsID: counts.id))
      group.updateTunings { $0.set(counts.with(.ready)) }
    }
    return chunk.documentCount
  }
}
