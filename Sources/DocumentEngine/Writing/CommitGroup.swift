import DocumentModel
import OrderedStore
import StorageFormat

/// The work of one synced write: the requests that share it, what they change, and what the batch
/// holds.
///
/// Requests are staged one after another. What one that fails has done is taken back; a request
/// sees the collections that earlier ones of its group have founded.
struct CommitGroup {
  /// A group takes no further request once the documents of its requests have this many bytes.
  static let byteCountLimit = 4 << 20

  let view: ReadView
  let commitTime: Timestamp
  private(set) var state: StateRecord
  private(set) var batch = StoreBatch()
  private(set) var newCatalog: Catalog?
  /// What the requests so far made of documents.
  private(set) var changes: [DocumentChange] = []
  private var newCollections: [ResourcePath: UInt64] = [:]
  let countedExtent: CountedExtent
  /// What the requests so far do to kept counts.
  var countChanges = CountChanges()
  /// The sums as the requests so far leave them.
  var sums: SumTable
  private let oldSums: SumTable
  /// How far the operations of the batch are in the sums.
  var sumMark: StoreBatch.Mark
  /// The counts that they leave, once the group is sealed.
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

  var catalog: Catalog { newCatalog ?? view.catalog }

  /// Runs `body` on this group; if it throws, the group is as it was.
  mutating func stage<Result>(
    _ body: (inout CommitGroup) throws -> Result
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

  mutating func put(_ key: [UInt8], _ value: [UInt8]) { batch.put(key, value) }
  mutating func delete(_ key: [UInt8]) { batch.delete(key) }
  mutating func discard(_ key: [UInt8]) { batch.discard(key) }

  /// Notes what a request makes of a document, and writes the difference that it makes to the
  /// indexes.
  mutating func append(_ change: DocumentChange) throws {
    EntryList.appendDifference(from: change.oldEntries, to: change.newEntries, into: &batch)
    changes.append(change)
    if !catalog.tunings.counts.isEmpty { count(change) }
    if !sums.isEmpty { try sum(change) }
  }

  mutating func withBatch<Failure: Error>(
    _ body: (inout StoreBatch) throws(Failure) -> Void
  ) throws(Failure) {
    try body(&batch)
  }

  // MARK: Numbers

  mutating func takeDocumentNumber() -> UInt64 {
    defer { state.nextDocumentNumber += 1 }
    return state.nextDocumentNumber
  }

  mutating func takeIndexID() -> UInt64 {
    defer { state.nextIndexID += 1 }
    return state.nextIndexID
  }

  /// Keeps index ids up to `id` from being given.
  mutating func reserveIndexIDs(through id: UInt64) {
    state.nextIndexID = max(state.nextIndexID, id &+ 1)
  }

  func collectionNumber(of path: ResourcePath) throws -> UInt64? {
    try newCollections[path] ?? view.collectionNumber(of: path)
  }

  /// The number of a collection, which is founded if need be.
  mutating func foundCollection(_ path: ResourcePath) throws -> UInt64 {
    if let number = try collectionNumber(of: path) { return number }
    let number = state.nextCollectionNumber
    state.nextCollectionNumber += 1
    newCollections[path] = number
    batch.put(StorageKey.collection(path), StorageKey.numberValue(number))
    return number
  }

  // MARK: Catalogue

  mutating func replaceCatalog(_ catalog: Catalog) {
    StoredCatalog.appendChanges(from: self.catalog, to: catalog, into: &batch)
    newCatalog = catalog
    state.catalogVersion += 1
    if !sums.isEmpty { sums.keep(catalog.summedSpaces) }
  }

  /// The group as those see it who follow the commits.
  ///
  /// - Parameter batch: the group's, sealed.
  func committed(_ batch: StoreBatch) -> CommittedGroup {
    CommittedGroup(
      number: state.commitNumber, time: commitTime, batch: batch, changes: changes,
      catalog: catalog, foundedCollections: Array(newCollections.keys),
      changesCatalog: newCatalog != nil)
  }

  /// Closes the batch with the counts and sums that change, and the new state of the database.
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
