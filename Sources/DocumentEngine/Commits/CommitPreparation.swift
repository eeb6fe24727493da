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
  /// The smallest number of writes that threads share.
  static let writeCount = 16
  /// The number of documents that a thread takes at once.
  private static let portion = 8

  /// The change that creates a document, or the error that its entries are beyond a limit. Staging
  /// hands the change on as one reference.
  typealias Creation = Result<DocumentChange, DatabaseError>

  private let writes: [Write]
  /// The place of each write's document.
  private let places: [Int]
  /// The first write of each document, and whether it is the only one.
  private let documents: [(firstWrite: Int, isWrittenOnce: Bool)]
  /// The results of the documents' look-ups, in portions.
  private let found: [[Result<StoredDocuments.Found, any Error>]]
  /// The creations of new documents in their places, in portions; `nil` where staging must find out
  /// what the writes do.
  private let creations: [[Creation?]]

  /// - Parameters:
  ///   - writes: the writes of all requests, in their order.
  ///   - numbers: the numbers for new documents, of which none is taken for good.
  ///   - areDeferred: for each write, whether a new document gets its index entries later.
  ///   - helperCount: the largest number of other threads.
  ///   - start: starts work on one of them.
  init(
    of writes: [Write], at commitTime: Timestamp, in view: ReadView, _ numbers: NumberAllocator,
    deferringEntries areDeferred: [Bool],
    sharedBy helperCount: Int, _ start: @Sendable (@escaping @Sendable () -> Void) -> Void
  ) throws {
    let (places, documents) = CommitPreparation.documents(of: writes)
    (self.writes, self.places, self.documents) = (writes, places, documents)
    let found = try CommitPreparation.shared(documents.count, helperCount, start) { place in
      let writes = writes.span
      return Result { try StoredDocuments(view).found(writes[documents[place].firstWrite].path) }
    }
    self.found = found
    let newNumbers = CommitPreparation.numbers(of: documents, writes, found, numbers)
    // Of a document with several writes, only the look-up is prepared.
    creations = try CommitPreparation.shared(documents.count, helperCount, start) { place in
      let writes = writes.span
      let write = documents[place].firstWrite
      guard documents[place].isWrittenOnce, let number = newNumbers[place],
        case .success((let collectionNumber?, nil)) = CommitPreparation.output(place, found),
        let document = writes[write].newDocument(at: commitTime)
      else { return nil }
      let new = StoredDocument(
        number: number, collectionNumber: collectionNumber, document: document)
      return CommitPreparation.creation(
        of: new, view.catalog, deferringEntries: areDeferred[write])
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
    return (
      CommitPreparation.output(place, found), CommitPreparation.output(place, creations),
      documents[place].isWrittenOnce
    )
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
    _ found: [[Result<StoredDocuments.Found, any Error>]], _ numbers: NumberAllocator
  ) -> [UInt64?] {
    var numbers = numbers
    return documents.indices.map { place in
      guard case .success((_, nil)) = output(place, found) else { return nil }
      let document = documents[place]
      let mayCreate = !document.isWrittenOnce || writes[document.firstWrite].mayCreate
      return mayCreate ? numbers.take() : nil
    }
  }

  // MARK: Sharing

  /// Returns the outputs for the places up to `count`, in portions, which this thread and others
  /// share.
  private static func shared<Output: Sendable>(
    _ count: Int, _ helperCount: Int,
    _ start: @Sendable (@escaping @Sendable () -> Void) -> Void,
    _ body: @escaping @Sendable (_ place: Int) -> Output
  ) throws -> [[Output]] {
    let taken = Lock(0)
    let work: @Sendable () -> [(place: Int, outputs: [Output])] = {
      var portions: [(place: Int, outputs: [Output])] = []
      while true {
        let place = taken.withLock { taken in
          defer { taken += portion }
          return taken
        }
        guard place < count else { return portions }
        portions.append((place, (place..<min(place + portion, count)).map(body)))
      }
    }
    // No helper is started who would find nothing to do.
    let helpers = (0..<min(helperCount, (count - 1) / portion)).map { _ in SideWork(work) }
    for helper in helpers { start { helper.run() } }
    let portions = try helpers.reduce(into: work()) { $0 += try $1.output() }
    return portions.sorted { $0.place < $1.place }.map(\.outputs)
  }

  private static func output<Output>(_ place: Int, _ portions: [[Output]]) -> Output {
    portions[place / portion][place % portion]
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
