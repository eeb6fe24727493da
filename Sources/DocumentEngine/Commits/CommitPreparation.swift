import HearthDocumentModel
import HearthOrderedStore
import HearthStorageFormat

/// The work on single documents of a commit, done by several threads before its requests are staged
/// one after another: stored documents are looked up, and records and index entries of new ones
/// made.
///
/// A new document's number is the one that it gets if no request fails. Staging takes the change as
/// it is if it comes to the same number, in the same catalogue, and puts or defers the entries as
/// foreseen. Otherwise it makes another.
struct CommitPreparation: Sendable {
  /// The change that creates a document, or the error that its entries are beyond a limit. Staging
  /// hands the change on as one reference.
  typealias Creation = Result<DocumentChange, DatabaseError>

  private let writes: [Write]
  /// The place of each write's document.
  private let places: [Int]
  /// The first write of each document, and whether it is the only one.
  private let documents: [(firstWrite: Int, isWrittenOnce: Bool)]
  /// The results of the documents' look-ups.
  private let found: SharedOutputs<Result<StoredDocuments.Found, any Error>>
  /// The creations of new documents in their places; `nil` where staging must find out what the
  /// writes do.
  private let creations: SharedOutputs<Creation?>

  /// - Parameters:
  ///   - writes: the writes of all requests, in their order.
  ///   - numbers: the numbers for new documents, of which none is taken for good.
  ///   - areDeferred: for each write, whether a new document gets its index entries later.
  ///   - threads: the threads that share the work.
  init(
    of writes: [Write], at commitTime: Timestamp, in view: ReadView, _ numbers: NumberAllocator,
    deferringEntries areDeferred: [Bool], sharedBy threads: SharedWork
  ) throws {
    let (places, documents) = CommitPreparation.documents(of: writes)
    (self.writes, self.places, self.documents) = (writes, places, documents)
    // Each portion takes its references once: a reference count that several processors change
    // costs as much as a look into memory.
    let found = try threads.outputs(documents.count) { places in
      let (writes, documents) = (writes.span, documents.span)
      let stored = StoredDocuments(view)
      return places.map { place in
        Result { try stored.found(writes[documents[place].firstWrite].path) }
      }
    }
    self.found = found
    let newNumbers = CommitPreparation.numbers(of: documents, writes, found, numbers)
    // Of a document with several writes, only the look-up is prepared.
    creations = try threads.outputs(documents.count) { places in
      let (writes, documents, newNumbers) = (writes.span, documents.span, newNumbers.span)
      let catalog = view.catalog
      return places.map { place in
        let write = documents[place].firstWrite
        guard documents[place].isWrittenOnce, let number = newNumbers[place],
          case .success((let collectionNumber?, nil)) = found[place],
          let document = writes[write].newDocument(at: commitTime)
        else { return nil }
        let new = StoredDocument(
          number: number, collectionNumber: collectionNumber, document: document)
        return CommitPreparation.creation(of: new, catalog, deferringEntries: areDeferred[write])
      }
    }
  }

  /// Returns the creation of a document; `nil` if the document is too large.
  private static func creation(
    of new: StoredDocument, _ catalog: Catalog, deferringEntries defersEntries: Bool
  ) -> Creation? {
    let byteCount = new.document.storageByteCount
    guard byteCount <= Limits.documentByteCount else { return nil }
    return Result { () throws(DatabaseError) in
      DocumentChange(
        new.path, from: nil, to: new, try IndexEntries(of: new, catalog: catalog).checkedList(),
        defersEntries: defersEntries,
        record: new.record(catalog.databaseID, storageByteCount: byteCount))
    }
  }

  /// Returns what is prepared of the document of a write, and whether all requests together have
  /// one write of it; `nil` if the write at `index` isn't of this document.
  ///
  /// - Parameter index: the place of the write among those of all requests.
  func document(
    ofWrite index: Int, at path: ResourcePath
  ) -> (
    found: Result<StoredDocuments.Found, any Error>, creation: Creation?, isWrittenOnce: Bool
  )? {
    guard index < writes.count, writes.span[index].path == path else { return nil }
    let place = places[index]
    return (found[place], creations[place], documents[place].isWrittenOnce)
  }

  /// Returns the documents of `writes`, and for each write the place of its own.
  private static func documents(
    of writes: [Write]
  ) -> (places: [Int], [(firstWrite: Int, isWrittenOnce: Bool)]) {
    var known: [ResourcePath: Int] = [:]
    known.reserveCapacity(writes.count)
    var documents: [(firstWrite: Int, isWrittenOnce: Bool)] = []
    documents.reserveCapacity(writes.count)
    let places = writes.indices.map { index in
      if let place = known.known(writes[index].path, or: documents.count) {
        documents[place].isWrittenOnce = false
        return place
      }
      documents.append((index, isWrittenOnce: true))
      return documents.count - 1
    }
    return (places, documents)
  }

  /// Returns the numbers that new documents get if no request fails.
  private static func numbers(
    of documents: [(firstWrite: Int, isWrittenOnce: Bool)], _ writes: [Write],
    _ found: SharedOutputs<Result<StoredDocuments.Found, any Error>>, _ numbers: NumberAllocator
  ) -> [UInt64?] {
    var numbers = numbers
    return documents.indices.map { place in
      guard case .success((_, nil)) = found[place] else { return nil }
      let document = documents[place]
      let mayCreate = !document.isWrittenOnce || writes[document.firstWrite].mayCreate
      return mayCreate ? numbers.take() : nil
    }
  }
}

extension [ResourcePath: Int] {
  /// Returns the number that is known of a path. Otherwise keeps `number` for it and returns `nil`.
  mutating func known(_ path: ResourcePath, or number: Int) -> Int? {
    func keep(_ known: inout Int?) -> Int? {
      if let known { return known }
      known = number
      return nil
    }
    return keep(&self[path])
  }
}

extension Write {
  /// Whether the write makes a document where there is none.
  fileprivate var mayCreate: Bool {
    guard case .update = operation else { return false }
    return switch precondition {
    case nil, .exists(false): true
    case .exists(true), .updateTime: false
    }
  }

  /// Returns the document that the write makes; `nil` if that takes more than its fields.
  fileprivate func newDocument(at time: Timestamp) -> Document? {
    guard case .update(let fields, nil) = operation, transforms.isEmpty else { return nil }
    return Document(path: path, fields: fields, createTime: time, updateTime: time)
  }
}
