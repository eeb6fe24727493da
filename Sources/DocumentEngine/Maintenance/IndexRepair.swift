package import DocumentModel
import OrderedStore
import QueryPlanning
import StorageFormat

/// Puts the entries that documents lack and deletes those that no document accounts for.
///
/// Documents are what counts: entries follow them. It runs chunk by chunk in the committer, so
/// writers go on meanwhile.
struct IndexRepair {
  private static let chunkCount = 500

  let engine: Engine

  /// - Returns: how many entries were put or deleted.
  func run() throws(DatabaseError) -> Int {
    var changeCount = try eachChunk(of: StorageKey.documentsPrefix) { group, key, value in
      try IndexRepair.putEntries(ofDocumentAt: key, value, &group)
    }
    for prefix in StorageKey.entryPrefixes {
      changeCount += try eachChunk(of: prefix) { group, key, value in
        try IndexRepair.deleteIfStray(key, value, &group)
      }
    }
    return try changeCount + engine.repairCounts()
  }

  private struct Chunk: Sendable {
    let changeCount: Int
    let next: [UInt8]?
  }

  private func eachChunk(
    of prefix: [UInt8],
    _ body: @escaping @Sendable (inout CommitGroup, [UInt8], [UInt8]) throws -> Int
  ) throws(DatabaseError) -> Int {
    let range = KeyRange.prefix(prefix)
    var next: [UInt8]? = range.lower
    var changeCount = 0
    while let start = next {
      let chunk = try engine.commitExclusively { group in
        var (count, changes) = (0, 0)
        var next: [UInt8]?
        let rest = KeyRange(lower: start, upper: range.upper)
        try group.view.snapshot.forEachEntry(in: rest) { key, value in
          guard count < IndexRepair.chunkCount else {
            next = [UInt8](copying: key)
            return false
          }
          count += 1
          changes += try body(&group, [UInt8](copying: key), [UInt8](copying: value))
          return true
        }
        return Chunk(changeCount: changes, next: next)
      }
      changeCount += chunk.changeCount
      next = chunk.next
    }
    return changeCount
  }

  private static func putEntries(
    ofDocumentAt key: [UInt8], _ value: [UInt8], _ group: inout CommitGroup
  ) throws -> Int {
    let number = try StorageKey.documentNumber(of: key.span.bytes)
    let document = try DocumentRecord(value, own: group.catalog.databaseID).document()
    let collection = try group.foundCollection(document.path.parent)
    let stored = StoredDocument(
      number: number, collectionNumber: collection, document: document)
    var changeCount = 0
    for (key, value) in stored.expectedEntries(group.catalog, .maintained)
    where try group.view.snapshot.value(of: key) != value {
      group.put(key, value)
      changeCount += 1
    }
    return changeCount
  }

  private static func deleteIfStray(
    _ key: [UInt8], _ value: [UInt8], _ group: inout CommitGroup
  ) throws -> Int {
    let tracer = EntryTracer(group.view)
    guard try tracer.fault(of: key, value) != nil else { return 0 }
    group.delete(key)
    return 1
  }
}

extension Engine {
  /// Brings the indexes in line with the documents, after a loss of writes that were not synced.
  ///
  /// - Complexity: every document and entry is read.
  /// - Returns: how many entries were put or deleted.
  /// - Throws: `dataLoss` for a document that can't be read, or what the store reports.
  package func repairIndexes() throws(DatabaseError) -> Int {
    try IndexRepair(engine: self).run()
  }
}
