import DocumentModel
import OrderedStore
import QueryPlanning
import StorageFormat

/// How far a build is.
package struct BuildProgress: Sendable, Equatable {
  package let documentsDone: Int
  package let documentsTotal: Int
}

/// Brings the entries of existing documents in line with a change of the catalogue, chunk by chunk.
///
/// A chunk is a change in the committer like any other: no write comes between reading its
/// documents and putting their entries, and where it ends stands in the same batch. Writers go on
/// between chunks and maintain the index themselves, so a build that is broken off goes on from its
/// last chunk.
struct IndexBuilder {
  /// Documents per chunk: what a waiting writer has to sit through.
  private static let chunkCount = 500

  enum Target: Sendable {
    case composite(CompositeIndex)
    /// Builds the spaces that an override adds and empties those that it gives up.
    case override(FieldOverride, building: AutomaticSpaces, retiring: AutomaticSpaces)

    var collectionGroup: String {
      switch self {
      case .composite(let index): index.definition.collectionGroup
      case .override(let override, _, _): override.collectionGroup
      }
    }
  }

  let engine: Engine
  let target: Target

  /// Runs to the end of the documents.
  ///
  /// - Throws: what a document that can't be indexed throws, with its name in the message.
  func run(_ progress: (BuildProgress) -> Void) throws(DatabaseError) {
    let total = try engine.readView().countDocuments(inGroup: target.collectionGroup)
    var done = 0
    while true {
      let chunk = try engine.commitExclusively { [target] in try IndexBuilder.build(target, &$0) }
      done += chunk.documentCount
      let state = BuildProgress(documentsDone: min(done, total), documentsTotal: total)
      progress(state)
      engine.observer?.observe(
        .indexBuildProgressed(
          collectionGroup: target.collectionGroup, documentCount: chunk.documentCount, state))
      if chunk.isLast { return }
    }
  }

  private struct Chunk: Sendable {
    let documentCount: Int
    let isLast: Bool
  }

  private static func build(_ target: Target, _ group: inout CommitGroup) throws -> Chunk {
    let checkpointKey = target.checkpointKey
    let names = KeyRange.prefix(StorageKey.groupNamePrefix(collectionID: target.collectionGroup))
    let snapshot = group.view.snapshot
    let start = try snapshot.value(of: checkpointKey) ?? names.lower
    let fetcher = DocumentFetcher(snapshot, own: group.catalog.databaseID)
    var count = 0
    var next: [UInt8]?
    try snapshot.forEachEntry(in: KeyRange(lower: start, upper: names.upper)) { key, value in
      guard count < chunkCount else {
        next = [UInt8](copying: key)
        return false
      }
      count += 1
      let number = try EntryValue.read(value).documentNumber
      try append(target, number, fetcher.document(number).document(), &group)
      return true
    }
    if let next { group.put(checkpointKey, next) } else { group.delete(checkpointKey) }
    return Chunk(documentCount: count, isLast: next == nil)
  }

  private static func append(
    _ target: Target, _ number: UInt64, _ document: Document, _ group: inout CommitGroup
  ) throws {
    guard let collection = try group.collectionNumber(of: document.path.parent) else {
      throw DatabaseError.damaged("The collection of \(document.path) has no number.")
    }
    let stored = StoredDocument(
      number: number, collectionNumber: collection, document: document)
    func entries(_ selection: EntrySelection) -> EntryList {
      IndexEntries(of: stored, catalog: group.catalog, selection).list()
    }
    switch target {
    case .composite(let index):
      try checkLimits(of: stored, group.catalog)
      let list = entries(.composite(index))
      group.withBatch { list.appendPuts(to: &$0) }
    case .override(let override, let building, let retiring):
      let name = OverrideName(override)
      if !building.isEmpty { try checkLimits(of: stored, group.catalog) }
      let added = entries(.governed(by: name, building))
      let removed = entries(.governed(by: name, retiring))
      group.withBatch {
        added.appendPuts(to: &$0)
        removed.appendDeletes(to: &$0)
      }
    }
  }
}

extension IndexBuilder {
  /// Whether the document may have its present entries and the new ones together: a document that
  /// had too many could never be written again.
  private static func checkLimits(
    of document: StoredDocument, _ catalog: Catalog
  ) throws(DatabaseError) {
    // Making all entries only to count them costs more than the build.
    guard document.document.mayReachEntryLimits(compositeCount: catalog.indexes.composites.count)
    else { return }
    do {
      _ = try IndexEntries(of: document, catalog: catalog).checkedList()
    } catch {
      throw DatabaseError(error.code, "\(document.path): \(error.message)", cause: error)
    }
  }
}

extension Document {
  /// Whether the document's entries could break a limit of §1.2, by a bound that is found without
  /// making any: `false` is sure.
  fileprivate func mayReachEntryLimits(compositeCount: Int) -> Bool {
    // An entry holds the name, its parent's, a field's path, and values of which none stands there
    // more than three times: once for each mode (§1.3).
    let entryByteCount = 5 * storageByteCount + 128
    guard entryByteCount <= Limits.indexEntryByteCount else { return true }
    // Each value and each element has up to four automatic entries; a composite has no more entries
    // than there are elements.
    let entryCount = fields.valueCount * (compositeCount + 4)
    return entryCount > Limits.indexEntriesPerDocument
      || entryCount > Limits.indexEntriesByteCount / entryByteCount
  }
}

extension MapValue {
  /// The number of values at all depths, those of arrays included.
  fileprivate var valueCount: Int {
    reduce(1) { count, field in
      switch field.value {
      case .map(let map): count + 1 + map.valueCount
      case .array(let elements): count + 1 + elements.count
      default: count + 1
      }
    }
  }
}

extension IndexBuilder.Target {
  /// Where the build keeps the name of the next document.
  var checkpointKey: [UInt8] {
    switch self {
    case .composite(let index): StorageKey.checkpoint(compositeID: index.id)
    case .override(let override, _, _):
      StorageKey.checkpoint(overrideOf: override.collectionGroup, field: override.field)
    }
  }
}

extension ReadView {
  /// - Complexity: one key per document of the group.
  func countDocuments(inGroup collectionGroup: String) throws(DatabaseError) -> Int {
    try reportingErrors {
      let names = KeyRange.prefix(StorageKey.groupNamePrefix(collectionID: collectionGroup))
      var count = 0
      try snapshot.forEachEntry(in: names) { _, _ in
        count += 1
        return true
      }
      return count
    }
  }
}
