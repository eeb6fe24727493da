import HearthDocumentModel
import HearthOrderedStore
package import HearthStorageFormat

/// The place of an entry that may carry its document.
package protocol DocumentCarrier: AnyObject {
  /// Returns the document of the current entry; `nil` if the entry doesn't carry it.
  ///
  /// - Parameter notingFields: whether the document will be kept, and read often.
  func coveredRecord(notingFields: Bool) throws -> DocumentRecord?
}

/// Reads documents by number, from the cache or with one cursor that moves through them.
///
/// Documents are stored in the order of their creation, so the next one is often a few steps ahead
/// of the last. Then stepping is cheaper than a look-up by key, which searches all levels.
package final class DocumentFetcher {
  /// The largest distance in numbers at which a document is reached by steps.
  private static let stepLimit: UInt64 = 8
  /// The number of documents after which a query displaces no others from the cache.
  private static let displacedLimit = 256
  /// The bytes of documents that are gathered before the cache gets them.
  private static let gatheredByteCount = 256 << 10

  private let view: ReadView
  private let own: DatabaseID
  private let cache: DocumentCache?
  @exclusivity(unchecked) private var cursor: (any StoreCursor)?
  @exclusivity(unchecked) private var position: UInt64 = 0
  @exclusivity(unchecked) private var key: [UInt8] = []
  /// The last record, whose memory the next document takes if no result keeps it; `nil` with a
  /// cache.
  @exclusivity(unchecked) private var last: DocumentRecord?
  /// Documents that the query read, and those of them that were in the cache.
  @exclusivity(unchecked) private(set) var documentsRead = 0
  @exclusivity(unchecked) private(set) var documentsCached = 0
  /// Documents that entries carried. The other two counts leave them out.
  private(set) var documentsCovered = 0
  @exclusivity(unchecked) private(set) var documentBytesRead = 0
  /// Numbers of the documents read; `nil` if no recorder wants them.
  @exclusivity(unchecked) private(set) var numbersRead: [UInt64]?

  /// - Parameter cache: the cache in which documents are looked up first, and kept.
  init(_ view: ReadView, _ cache: DocumentCache?) {
    self.view = view
    own = view.databaseID
    self.cache = cache
    numbersRead = view.recorder == nil ? nil : []
  }

  /// Creates a fetcher that reads every document from the store.
  package convenience init(_ view: ReadView) { self.init(view, nil) }

  deinit {
    if let cursor { view.giveBack(cursor) }
  }

  /// Calls `body` with the documents of the wanted numbers, in their order, until it returns
  /// `false`.
  ///
  /// - Parameters:
  ///   - shape: the differences between results and their documents; `nil` for none.
  ///   - entry: the entry of the last document, if it may carry the document; otherwise `nil`.
  /// - Returns: the number of documents that `body` got, and whether it takes more.
  /// - Throws: `dataLoss` if there is no such document, since an entry led to it.
  func readDocuments(
    _ wanted: [UInt64], as shape: ResultShape?, carriedBy entry: (any DocumentCarrier)? = nil,
    _ body: (consuming FetchedDocument) -> Bool
  ) throws -> (takenCount: Int, takesMore: Bool) {
    guard let cache, entry == nil else {
      for (index, number) in wanted.enumerated() {
        let record = try document(number, carriedBy: entry)
        guard body(FetchedDocument(record, shape)) else { return (index + 1, false) }
      }
      return (wanted.count, true)
    }
    var stored: [DocumentCache.StoredRead] = []
    var storedByteCount = 0
    var takesMore = true
    var index = 0
    try withUnsafeTemporaryAllocation(
      of: Unmanaged<DocumentRecord>?.self, capacity: wanted.count
    ) { kept in
      cache.read(wanted, at: view.commitNumber, into: kept)
      defer { for record in kept[index...] { record?.release() } }
      while takesMore, index < wanted.count {
        let number = wanted[index]
        if let kept = kept[index] {
          index += 1
          documentsCached += 1
          count(kept._withUnsafeGuaranteedRef { $0.byteCount }, number)
          // The counting of a shape that is none takes time, too.
          takesMore =
            if let shape {
              body(FetchedDocument(kept.takeRetainedValue(), shape))
            } else {
              body(FetchedDocument(kept.takeRetainedValue()))
            }
        } else {
          index += 1
          let record = try self.stored(number)
          stored.append(storedRead(record, number))
          storedByteCount += record.byteCount
          if storedByteCount > DocumentFetcher.gatheredByteCount {
            cache.insert(stored, readAt: view.commitNumber)
            (stored, storedByteCount) = ([], 0)
          }
          count(record.byteCount, number)
          takesMore = body(FetchedDocument(record, shape))
        }
      }
    }
    cache.insert(stored, readAt: view.commitNumber)
    return (index, takesMore)
  }

  /// Returns the document with this number, which `entry` may carry.
  ///
  /// - Throws: the same as `readDocuments`.
  package func document(
    _ number: UInt64, carriedBy entry: (any DocumentCarrier)? = nil
  ) throws -> DocumentRecord {
    if let record = cached(number) {
      count(record.byteCount, number)
      return record
    }
    guard let record = try entry?.coveredRecord(notingFields: cache != nil) else {
      let record = try stored(number)
      keep(record, number)
      count(record.byteCount, number)
      return record
    }
    documentsCovered += 1
    numbersRead?.append(number)
    keep(record, number)
    return record
  }

  private func count(_ byteCount: Int, _ number: UInt64) {
    documentsRead += 1
    numbersRead?.append(number)
    documentBytesRead += byteCount
  }

  private func keep(_ record: DocumentRecord, _ number: UInt64) {
    cache?.insert(CollectionOfOne(storedRead(record, number)), readAt: view.commitNumber)
  }

  /// Returns a document for the cache. A long scan displaces no other documents.
  private func storedRead(
    _ record: DocumentRecord, _ number: UInt64
  ) -> DocumentCache.StoredRead {
    DocumentCache.StoredRead(
      record: record, number: number,
      isDisplacing: documentsRead + documentsCovered < DocumentFetcher.displacedLimit)
  }

  private func cached(_ number: UInt64) -> DocumentRecord? {
    guard let record = cache?.record(number, at: view.commitNumber) else { return nil }
    documentsCached += 1
    return record
  }

  private func stored(_ number: UInt64) throws -> DocumentRecord {
    let cursor = try openCursor()
    guard try moves(cursor, to: number) else {
      throw DatabaseError.damaged("An index entry names document \(number), which is not there.")
    }
    position = number
    guard cache == nil else {
      return try DocumentRecord(cursor.value, own: own, notingFields: true)
    }
    return try DocumentRecord.replace(&last, by: cursor.value, own: own)
  }

  private func openCursor() throws -> any StoreCursor {
    if let cursor { return cursor }
    let new = try view.takeCursor()
    cursor = new
    return new
  }

  /// Moves the cursor to the document, and returns whether it is there.
  private func moves(_ cursor: any StoreCursor, to number: UInt64) throws -> Bool {
    let origin = position
    // A move that fails leaves the cursor somewhere, so the next one has to seek.
    position = 0
    if origin > 0, number >= origin, number - origin <= DocumentFetcher.stepLimit,
      cursor.isValid, try steps(cursor, from: origin, to: number)
    {
      return true
    }
    key.removeAll(keepingCapacity: true)
    StorageKey.appendDocument(number, to: &key)
    let key = key
    try cursor.seek(to: key)
    guard cursor.isValid else { return false }
    return cursor.key.compare(key.span.bytes) == .equal
  }

  /// Moves the cursor from one document to another that lies a few steps ahead. Returns whether it
  /// is there.
  private func steps(
    _ cursor: any StoreCursor, from origin: UInt64, to number: UInt64
  ) throws -> Bool {
    if number > origin { try cursor.next() }
    while cursor.isValid {
      guard let found = try? StorageKey.documentNumber(of: cursor.key), found <= number
      else { return false }
      guard found < number else { return true }
      try cursor.next()
    }
    return false
  }

  /// Throws if anything could not be read. Must be called before results are final.
  func checkReads() throws { try cursor?.checkReads() }
}
