package import HearthDocumentModel
package import HearthOrderedStore
import HearthStorageFormat

/// The draft of one commit: the requests that share it, their changes, and the batch.
///
/// It is a value. Drafted again from the same view, sums, time and requests, it has the same bytes.
/// Requests are staged one after another. The changes of a request that fails are undone. A request
/// sees the collections that earlier requests of its draft have founded.
package struct CommitDraft {
  /// The number of bytes of its requests' documents from which a draft takes no further request.
  static let byteCountLimit = 4 << 20

  package let view: ReadView
  let commitTime: Timestamp
  private var definitions: DraftDefinitions
  package private(set) var batch = StoreBatch()
  /// The changes that the requests so far make to documents.
  private(set) var changes: [DocumentChange] = []
  /// The places of changes by their documents, as far as a judgement has asked for them. Those of
  /// requests that failed may be among them.
  private var changePlaces: [ResourcePath: Int] = [:]
  private var placedCount = 0
  package var derived: DerivedData
  /// The locks that the present request may not touch; `nil` while no transaction holds any.
  private var locks: LockCheck?
  /// Whether new documents of the present request get their index entries later.
  var defersEntries = false
  /// The work on documents of the requests that was done before they are staged; `nil` for none.
  var preparation: CommitPreparation?
  /// The number of writes of the preparation that belong to requests before the present one, or to
  /// parts of it that were staged or refused.
  var passedWriteCount = 0

  /// - Parameters:
  ///   - sums: the sums as of `view`.
  ///   - recordsFacts: whether the draft can tell on which facts it rests.
  package init(
    _ view: ReadView, sums: SumTable, commitTime: Timestamp, recordsFacts: Bool = false
  ) throws {
    self.view = recordsFacts ? view.recording() : view
    self.commitTime = commitTime
    definitions = DraftDefinitions(after: view.state)
    // Enough for the document and the entries of most single writes.
    batch.reserveCapacity(count: 16, byteCount: 896)
    derived = try DerivedData(self.view, sums: sums)
  }

  package var commitNumber: UInt64 { view.commitNumber + 1 }
  var newCatalog: Catalog? { definitions.newCatalog }
  package var catalog: Catalog { definitions.newCatalog ?? view.catalog }

  /// Runs `body` on this draft. If it throws, the draft is left unchanged, but for the number of
  /// writes that were passed.
  package mutating func stage<Result>(
    _ body: (inout CommitDraft) throws -> Result
  ) throws -> Result {
    let (definitions, changeCount) = (definitions, changes.count)
    let (batchMark, derivedMark) = (batch.mark, derived.mark)
    do {
      let result = try body(&self)
      try derived.check(since: derivedMark, in: view)
      try checkLocks()
      return result
    } catch {
      self.definitions = definitions
      changes.removeLast(changes.count - changeCount)
      batch.removeAll(since: batchMark)
      derived.rollBack(to: derivedMark)
      throw error
    }
  }

  /// Sets the locks that the next request may not touch.
  ///
  /// - Parameters:
  ///   - waiter: the request.
  ///   - owner: the transaction that the request commits; `nil` for none.
  mutating func guardLocks(_ table: LockTable, from waiter: any LockWaiter, of owner: LockHolderID?)
  {
    locks = LockCheck(
      table: table, waiter: waiter, owner: owner, batchMark: batch.mark,
      countMark: derived.counts.mark)
  }

  /// Throws if the present request writes what another transaction has locked. What it wrote before
  /// an earlier check isn't looked at again.
  ///
  /// - Throws: the errors of `LockTable.admit`.
  private mutating func checkLocks() throws {
    guard var check = locks else { return }
    let givesUpEntries = newCatalog.map { view.catalog.givesUpEntries(in: $0) } ?? false
    try check.table.admit(check.waiter, of: check.owner, givingUpEntries: givesUpEntries) { body in
      batch.forEachKey(since: check.batchMark, body)
      derived.counts.forEachKey(since: check.countMark) { body($0.span.bytes) }
    }
    check.batchMark = batch.mark
    check.countMark = derived.counts.mark
    locks = check
  }

  package mutating func put(_ key: [UInt8], _ value: [UInt8]) { batch.put(key, value) }
  package mutating func delete(_ key: [UInt8]) { batch.delete(key) }
  package mutating func discard(_ key: [UInt8]) { batch.discard(key) }

  /// Adds a request's change of a document, with all that is derived from it.
  mutating func append(_ change: DocumentChange) throws {
    changes.append(change)
    let start = batch.mark
    try derived.note(change, catalog, into: &batch, since: start)
  }

  // MARK: Documents

  /// Prepares reads of documents that earlier requests of the draft have changed.
  ///
  /// - Complexity: the number of changes since the last call.
  mutating func placeChanges() {
    placedCount = min(placedCount, changes.count)
    for place in placedCount..<changes.count { changePlaces[changes[place].path] = place }
    placedCount = changes.count
  }

  /// Returns the fields of a document as earlier requests of the draft leave it, whose changes have
  /// been placed; `nil` if there is none.
  ///
  /// - Complexity: two point reads.
  /// - Throws: `dataLoss`; errors of the store.
  func fields(at path: ResourcePath) throws(DatabaseError) -> MapValue? {
    if let place = changePlaces[path], place < changes.count, changes[place].path == path {
      return changes[place].new?.fields
    }
    return try view.document(at: path)?.fields()
  }

  package mutating func withBatch<Failure: Error>(
    _ body: (inout StoreBatch) throws(Failure) -> Void
  ) throws(Failure) {
    try body(&batch)
  }

  // MARK: Deferred entries

  /// The number from which on documents may lack index entries after the commit; `nil` if none
  /// does.
  var unindexedStart: UInt64? { definitions.unindexedStart }

  /// Records that every document has its index entries.
  mutating func completeEntries() { definitions.completeEntries() }

  /// Whether readers will find entries that the batch doesn't put, or lack some.
  var hidesEntries: Bool {
    view.state.unindexedStart != unindexedStart || changes.contains(where: \.defersEntries)
  }

  // MARK: Numbers

  /// The numbers for the new documents of further requests.
  var documentNumbers: NumberAllocator { definitions.documentNumbers }

  /// Takes the number of a new document, which may lack its index entries if the present request
  /// defers them.
  mutating func takeDocumentNumber() -> UInt64 {
    if defersEntries { definitions.deferEntries() }
    return definitions.documentNumbers.take()
  }

  package mutating func takeIndexID() -> UInt64 { definitions.indexIDs.take() }

  /// Ensures that no new index gets an id up to `id`.
  package mutating func reserveIndexIDs(through id: UInt64) {
    definitions.indexIDs.reserve(through: id)
  }

  /// Returns the number of a collection, which is founded if it doesn't exist.
  package mutating func foundCollection(_ path: ResourcePath) throws -> UInt64 {
    let key = StorageKey.collection(path)
    view.recorder?.record { $0.insert(key) }
    let known = try definitions.newCollections[path] ?? view.collectionNumber(of: path)
    if let known { return known }
    let number = definitions.found(path)
    batch.put(key, StorageKey.numberValue(number))
    return number
  }

  // MARK: Catalogue

  package mutating func replaceCatalog(_ catalog: Catalog) {
    StoredCatalog.appendChanges(from: self.catalog, to: catalog, into: &batch)
    definitions.replaceCatalog(by: catalog)
    derived.follow(catalog)
  }

  // MARK: Sealing

  /// Whether the commit changes nothing.
  var isEmpty: Bool { batch.isEmpty && view.state.unindexedStart == unindexedStart }

  /// Completes the batch with what the changes of all requests have in common.
  package mutating func seal() { derived.seal(into: &batch) }

  /// Puts the state of the database after the commit, and returns it. A store with other writers
  /// keeps its own.
  mutating func putState() -> StateRecord {
    let state = definitions.state(after: commitNumber, at: commitTime)
    batch.put { bytes in
      bytes += StorageKey.state
      let keyEnd = bytes.count
      state.append(to: &bytes)
      return keyEnd
    }
    return state
  }

  /// The draft as readers of the commit log see it.
  var committed: Commit {
    Commit(
      number: commitNumber, batch: batch, catalog: catalog,
      foundedCollections: Array(definitions.newCollections.keys), changesCatalog: newCatalog != nil)
  }
}
