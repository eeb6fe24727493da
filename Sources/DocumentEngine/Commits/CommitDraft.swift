package import HearthDocumentModel
package import HearthOrderedStore
package import HearthStorageFormat

/// The work of one synced write: the requests that share it, their changes, and the batch.
///
/// Requests are staged one after another. The changes of a request that fails are undone. A request
/// sees the collections that earlier requests of its group have founded.
package struct CommitDraft {
  /// The number of bytes of its requests' documents from which a group takes no further request.
  static let byteCountLimit = 4 << 20

  package let view: ReadView
  let commitTime: Timestamp
  package private(set) var state: StateRecord
  private(set) var batch = StoreBatch()
  private(set) var newCatalog: Catalog?
  /// The changes that the requests so far make to documents.
  private(set) var changes: [DocumentChange] = []
  private var newCollections: [ResourcePath: UInt64] = [:]
  let countedExtent: CountedExtent
  /// The changes that the requests so far make to kept counts.
  package var countChanges = CountChanges()
  /// The sums after the requests so far.
  package var sums: SumTable
  private let oldSums: SumTable
  /// The position up to which the batch's operations are in the sums.
  var sumMark: StoreBatch.Mark
  /// The new values of the kept counts that change, once the group is sealed.
  var newCounts: [(key: [UInt8], count: Int)] = []

  init(
    _ view: ReadView, state: StateRecord, sums: SumTable, commitTime: Timestamp
  ) throws {
    self.view = view
    self.sums = sums
    oldSums = sums
    sumMark = batch.mark
    countedExtent = try CountedExtent(view)
    self.state = state
    self.commitTime = commitTime
    self.state.commitNumber += 1
    self.state.lastCommitTime = commitTime
  }

  package var catalog: Catalog { newCatalog ?? view.catalog }

  /// Runs `body` on this group. If it throws, the group is left unchanged.
  mutating func stage<Result>(
    _ body: (inout CommitDraft) throws -> Result
  ) throws -> Result {
    let (state, mark, changeCount) = (state, batch.mark, changes.count)
    let (newCatalog, newCollections) = (newCatalog, newCollections)
    let countMark = countChanges.mark
    let sums = sums
    sumMark = mark
    do {
      let result = try body(&self)
      try checkCounts(since: countMark)
      return result
    } catch {
      self.state = state
      batch.removeAll(since: mark)
      changes.removeLast(changes.count - changeCount)
      self.newCatalog = newCatalog
      self.newCollections = newCollections
      countChanges.removeAll(since: countMark)
      self.sums = sums
      sumMark = mark
      throw error
    }
  }

  package mutating func put(_ key: [UInt8], _ value: [UInt8]) { batch.put(key, value) }
  package mutating func delete(_ key: [UInt8]) { batch.delete(key) }
  package mutating func discard(_ key: [UInt8]) { batch.discard(key) }

  /// Adds a request's change of a document, and writes the difference that it makes to the indexes.
  mutating func append(_ change: DocumentChange) throws {
    EntryList.appendDifference(from: change.oldEntries, to: change.newEntries, into: &batch)
    changes.append(change)
    if !catalog.tunings.counts.isEmpty { count(change) }
    if !sums.isEmpty { try sum(change) }
  }

  package mutating func withBatch<Failure: Error>(
    _ body: (inout StoreBatch) throws(Failure) -> Void
  ) throws(Failure) {
    try body(&batch)
  }

  // MARK: Numbers

  mutating func takeDocumentNumber() -> UInt64 {
    defer { state.nextDocumentNumber += 1 }
    return state.nextDocumentNumber
  }

  package mutating func takeIndexID() -> UInt64 {
    defer { state.nextIndexID += 1 }
    return state.nextIndexID
  }

  /// Ensures that no new index gets an id up to `id`.
  package mutating func reserveIndexIDs(through id: UInt64) {
    state.nextIndexID = max(state.nextIndexID, id &+ 1)
  }

  func collectionNumber(of path: ResourcePath) throws -> UInt64? {
    try newCollections[path] ?? view.collectionNumber(of: path)
  }

  /// Returns the number of a collection, which is founded if it doesn't exist.
  package mutating func foundCollection(_ path: ResourcePath) throws -> UInt64 {
    if let number = try collectionNumber(of: path) { return number }
    let number = state.nextCollectionNumber
    state.nextCollectionNumber += 1
    newCollections[path] = number
    batch.put(StorageKey.collection(path), StorageKey.numberValue(number))
    return number
  }

  // MARK: Catalogue

  package mutating func replaceCatalog(_ catalog: Catalog) {
    StoredCatalog.appendChanges(from: self.catalog, to: catalog, into: &batch)
    newCatalog = catalog
    state.catalogVersion += 1
    if !sums.isEmpty { sums.keep(catalog.summedSpaces) }
  }

  /// Returns the group as readers of the commit log see it.
  ///
  /// - Parameter batch: the sealed batch of the group.
  func committed(_ batch: StoreBatch) -> Commit {
    Commit(
      number: state.commitNumber, time: commitTime, batch: batch, changes: changes,
      catalog: catalog, foundedCollections: Array(newCollections.keys),
      changesCatalog: newCatalog != nil)
  }

  /// Completes the batch with the counts and sums that change and the new state of the database,
  /// and returns it.
  mutating func sealed() -> StoreBatch {
    putCounts()
    if !sums.isEmpty || !oldSums.isEmpty { sums.appendChanges(from: oldSums, into: &batch) }
    let state = state
    batch.put { bytes in
      bytes += StorageKey.state
      let keyEnd = bytes.count
      state.append(to: &bytes)
      return keyEnd
    }
    return batch
  }
}
