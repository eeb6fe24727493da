import HearthDocumentModel
import HearthStorageFormat

/// The numbers that a draft has given, the collections that it founds, and its catalogue. They are
/// few, so that a request that fails gives them back whole.
struct DraftDefinitions {
  var documentNumbers: NumberAllocator
  private var collectionNumbers: NumberAllocator
  var indexIDs: NumberAllocator
  private var catalogVersion: UInt64
  /// The number from which on documents may lack index entries after the commit; `nil` if none
  /// does.
  private(set) var unindexedStart: UInt64?
  /// The catalogue after the commit; `nil` if the commit leaves it as it was.
  private(set) var newCatalog: Catalog?
  private(set) var newCollections: [ResourcePath: UInt64] = [:]

  /// Creates the definitions of a draft that takes the numbers after those of `state`.
  init(after state: StateRecord) {
    documentNumbers = NumberAllocator(next: state.nextDocumentNumber)
    collectionNumbers = NumberAllocator(next: state.nextCollectionNumber)
    indexIDs = NumberAllocator(next: state.nextIndexID)
    catalogVersion = state.catalogVersion
    unindexedStart = state.unindexedStart
  }

  /// Lets documents that get their numbers from now on lack index entries.
  mutating func deferEntries() { unindexedStart = unindexedStart ?? documentNumbers.next }

  /// Records that every document has its index entries.
  mutating func completeEntries() { unindexedStart = nil }

  /// Returns the number of a collection that doesn't exist yet.
  mutating func found(_ path: ResourcePath) -> UInt64 {
    let number = collectionNumbers.take()
    newCollections[path] = number
    return number
  }

  mutating func replaceCatalog(by catalog: Catalog) {
    newCatalog = catalog
    catalogVersion += 1
  }

  /// Returns the state of the database after the commit, as a store without other writers has it.
  func state(after commitNumber: UInt64, at time: Timestamp) -> StateRecord {
    StateRecord(
      commitNumber: commitNumber, lastCommitTime: time, nextDocumentNumber: documentNumbers.next,
      nextCollectionNumber: collectionNumbers.next, nextIndexID: indexIDs.next,
      catalogVersion: catalogVersion, unindexedStart: unindexedStart)
  }
}

/// The numbers for new documents, collections or indexes of a database. Each is given once.
struct NumberAllocator {
  private(set) var next: UInt64

  mutating func take() -> UInt64 {
    defer { next += 1 }
    return next
  }

  /// Ensures that no number up to `number` is given.
  mutating func reserve(through number: UInt64) { next = max(next, number &+ 1) }
}
