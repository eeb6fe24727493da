import HearthDocumentModel
import HearthOrderedStore
import HearthStorageFormat

/// The work on single documents of a commit, done by two threads before its requests are staged one
/// after another: stored documents are looked up, and records and index entries of new ones made.
///
/// A new document's number is the one that it gets if no request fails. Staging uses the bytes if
/// it comes to the same number, and makes others if it doesn't.
struct CommitPreparation: Sendable {
  /// The smallest number of writes that two threads share.
  static let writeCount = 16
  /// The number of documents that a thread takes at once.
  private static let portion = 8

  /// The bytes of a document that doesn't exist yet.
  struct NewDocument: Sendable {
    let number: UInt64
    /// The index entries, or the error that they are beyond a limit.
    let entries: Result<EntryList, DatabaseError>
    let record: [UInt8]
  }

  private let places: [ResourcePath: Int]
  private let found: [Result<StoredDocuments.Found, any Error>]
  private let new: [NewDocument?]

  /// Returns the result of a document's look-up, and its bytes if it is new.
  subscript(
    _ path: ResourcePath
  ) -> (found: Result<StoredDocuments.Found, any Error>, new: NewDocument?)? {
    places[path].map { (found[$0], new[$0]) }
  }

  /// - Parameters:
  ///   - writes: the writes of all requests, in their order.
  ///   - numbers: the numbers for new documents, of which none is taken for good.
  ///   - start: starts work on the other thread.
  init(
    of writes: [Write], at commitTime: Timestamp, in view: ReadView, _ numbers: NumberAllocator,
    sharing start: @Sendable (@escaping @Sendable () -> Void) -> Void
  ) throws {
    var places: [ResourcePath: Int] = [:]
    places.reserveCapacity(writes.count)
    // Of a document with several writes, only the look-up is prepared.
    var documents: [(path: ResourcePath, only: Write?)] = []
    documents.reserveCapacity(writes.count)
    for write in writes {
      if let place = places.known(write.path, or: documents.count) {
        documents[place].only = nil
      } else {
        documents.append((write.path, write))
      }
    }
    self.places = places
    found = try CommitPreparation.shared(documents.count, start) { [documents] place in
      Result { try StoredDocuments(view).found(documents[place].path) }
    }
    let new = CommitPreparation.newDocuments(documents, found, at: commitTime, numbers)
    self.new = try CommitPreparation.shared(documents.count, start) { place in
      new[place].map { NewDocument($0, view.catalog) }
    }
  }

  /// Returns the new documents that are known as a whole, in the places of their writes.
  private static func newDocuments(
    _ writes: [(path: ResourcePath, only: Write?)],
    _ found: [Result<StoredDocuments.Found, any Error>], at commitTime: Timestamp,
    _ numbers: NumberAllocator
  ) -> [StoredDocument?] {
    var numbers = numbers
    return writes.indices.map { place in
      guard case .success((let collectionNumber, nil)) = found[place] else { return nil }
      guard let write = writes[place].only else {
        _ = numbers.take()
        return nil
      }
      guard case .update(let fields, let mask) = write.operation, write.mayCreate else {
        return nil
      }
      let number = numbers.take()
      guard mask == nil, write.transforms.isEmpty, let collectionNumber else { return nil }
      return StoredDocument(
        number: number, collectionNumber: collectionNumber,
        document: Document(
          path: write.path, fields: fields, createTime: commitTime, updateTime: commitTime))
    }
  }

  /// Returns the outputs for the places up to `count`, which this thread and another one share.
  private static func shared<Output: Sendable>(
    _ count: Int, _ start: @Sendable (@escaping @Sendable () -> Void) -> Void,
    _ body: @escaping @Sendable (_ place: Int) -> Output
  ) throws -> [Output] {
    let taken = Lock(0)
    let portion = CommitPreparation.portion
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
    let side = SideWork(work)
    start { side.run() }
    var portions = work()
    portions += try side.output()
    portions.sort { $0.place < $1.place }
    return portions.flatMap(\.outputs)
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
  /// Whether the precondition allows that there is no document.
  fileprivate var mayCreate: Bool {
    switch precondition {
    case nil, .exists(false): true
    case .exists(true), .updateTime: false
    }
  }
}

extension CommitPreparation.NewDocument {
  fileprivate init(_ document: StoredDocument, _ catalog: Catalog) {
    number = document.number
    entries = Result { () throws(DatabaseError) in
      try IndexEntries(of: document, catalog: catalog).checkedList()
    }
    record = document.record(catalog.databaseID)
  }
}
