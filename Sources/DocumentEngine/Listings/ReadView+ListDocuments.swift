package import HearthDocumentModel
import HearthOrderedStore
package import HearthQueryPlanning
import HearthStorageFormat

/// A request for the documents of a collection, page by page (§7.5).
package struct DocumentListing: Sendable {
  package var collection: ResourcePath
  /// The number of documents on a page; 0 leaves it to the engine.
  package var pageSize = 0
  /// The token that the page before returned; empty for the first page.
  package var pageToken = ""
  /// Whether missing documents, which have others below them, are listed too.
  package var showsMissing = false
  /// The orders; by name if empty.
  package var orders: [Order] = []
  /// The size of documents from which on a page takes no further one.
  package var byteLimit = Int.max
  /// The moment at which the listing ends with an error; `nil` for none.
  package var deadline: ContinuousClock.Instant?

  package init(
    _ collection: ResourcePath, pageSize: Int = 0, pageToken: String = "",
    showsMissing: Bool = false, orders: [Order] = [], byteLimit: Int = .max,
    deadline: ContinuousClock.Instant? = nil
  ) {
    self.collection = collection
    self.pageSize = pageSize
    self.pageToken = pageToken
    self.showsMissing = showsMissing
    self.orders = orders
    self.byteLimit = byteLimit
    self.deadline = deadline
  }

  /// Whether a page takes no further document. Every page takes one.
  fileprivate func isFull(_ page: DocumentPage, _ pageSize: Int) -> Bool {
    page.entries.count >= pageSize || page.byteCount >= byteLimit
  }

  /// The description of the listing, which ties page tokens to it.
  fileprivate var description: String {
    let orders = orders.map { "\($0.field) \($0.direction)" }.joined(separator: ", ")
    return "documents of \(collection) by \(orders)" + (showsMissing ? " with missing" : "")
  }
}

/// A page of a listing.
package struct DocumentPage: Sendable {
  package struct Entry: Sendable {
    package let path: ResourcePath
    /// The document; `nil` for a missing one.
    package let record: FetchedDocument?
  }

  package private(set) var entries: [Entry] = []
  /// The size of the page's documents.
  package private(set) var byteCount = 0
  /// The token of the next page; `nil` on the last one.
  package fileprivate(set) var nextPageToken: String?
  /// Whether there was a further document, for which the page has no room.
  fileprivate var isCut = false

  fileprivate mutating func append(_ path: ResourcePath, _ record: FetchedDocument?) {
    entries.append(Entry(path: path, record: record))
    byteCount += record?.byteCount ?? 0
  }
}

extension ReadView {
  /// Returns one page of a collection's documents.
  ///
  /// - Complexity: by name, the names on the page, a few keys for each that has collections below
  ///   it, and a document for each; in another order, the same as the query in that order.
  /// - Throws: `invalidArgument` for a negative page size, a token of another listing, or an order
  ///   together with missing documents; for an order, the same as `run(_:)`; with a deadline,
  ///   `deadlineExceeded` and `cancelled`; `dataLoss`; errors of the store.
  package func listDocuments(_ listing: DocumentListing) throws(DatabaseError) -> DocumentPage {
    guard listing.collection.isCollection else {
      throw .invalidArgument("\"\(listing.collection)\" is no collection.")
    }
    let pageSize = try listing.pageSize.checkedPageSize()
    guard listing.orders.isEmpty || !listing.showsMissing else {
      throw .invalidArgument("show_missing can't be combined with order_by.")
    }
    let last = try lastDocument(before: listing)
    var page =
      listing.orders.isEmpty
      ? try page(of: listing, byNameAfter: last, pageSize)
      : try page(of: listing, orderedAfter: last, pageSize)
    if page.isCut { page.nextPageToken = try token(of: listing, after: page.entries.last) }
    return page
  }

  private func page(
    of listing: DocumentListing, byNameAfter last: DocumentRecord?, _ pageSize: Int
  ) throws(DatabaseError) -> DocumentPage {
    try reportingErrors {
      let members = try CollectionMembers(
        of: listing.collection, in: self, after: last?.path.lastSegment,
        includingMissing: listing.showsMissing, deadline: listing.deadline)
      let fetcher = DocumentFetcher(self, caches.documents)
      var page = DocumentPage()
      while let member = try members.next() {
        // The document that doesn't fit is not read. It is enough that it exists.
        page.isCut = listing.isFull(page, pageSize)
        guard !page.isCut else { break }
        let record = try member.number.map { FetchedDocument(try fetcher.document($0)) }
        page.append(listing.collection.appending(unchecked: member.id), record)
      }
      try members.finish()
      try fetcher.checkReads()
      recorder?.record { reads in
        for number in fetcher.numbersRead ?? [] { reads.insert(StorageKey.document(number)) }
      }
      return page
    }
  }

  private func page(
    of listing: DocumentListing, orderedAfter last: DocumentRecord?, _ pageSize: Int
  ) throws(DatabaseError) -> DocumentPage {
    var query = StructuredQuery(
      collectionID: listing.collection.lastSegment ?? "", below: listing.collection.parent,
      orders: listing.orders)
    // A cursor has values for explicit orders only, and needs the name after equal values.
    if !query.orders.contains(where: \.field.isDocumentID) {
      query.orders.append(Order(.documentID, query.orders.last?.direction ?? .ascending))
    }
    if let last { query.start = try cursor(after: last, in: listing.orders) }
    let execution = try run(query, deadline: listing.deadline)
    var page = DocumentPage()
    while let record = try execution.nextDocument() {
      page.isCut = listing.isFull(page, pageSize)
      guard !page.isCut else { break }
      page.append(record.path, record)
    }
    try execution.finish()
    return page
  }

  // MARK: Tokens

  // The position of a token is the record of a document with the last path on the page and the
  // fields that the listing orders by. The next page begins after these values, even if the
  // document has changed or is gone.

  private func token(
    of listing: DocumentListing, after last: DocumentPage.Entry?
  ) throws(DatabaseError) -> String? {
    guard let last else { return nil }
    var fields = MapValue()
    for order in listing.orders where !order.field.isDocumentID {
      fields.set(try last.record?.value(at: order.field), at: order.field)
    }
    let document = Document(
      path: last.path, fields: fields, createTime: .minimum, updateTime: .minimum)
    var bytes: [UInt8] = []
    DocumentRecord.append(document, own: databaseID, to: &bytes)
    return PageToken(position: bytes).text(of: listing.description)
  }

  private func lastDocument(
    before listing: DocumentListing
  ) throws(DatabaseError) -> DocumentRecord? {
    guard !listing.pageToken.isEmpty else { return nil }
    let token = try PageToken(listing.pageToken, of: listing.description)
    do throws(CorruptBytes) {
      return try DocumentRecord(token.position, own: databaseID)
    } catch {
      throw PageToken.refusal
    }
  }

  private func cursor(
    after last: DocumentRecord, in orders: [Order]
  ) throws(DatabaseError) -> Cursor {
    let name = Value.reference(try DocumentName(last.path, in: databaseID))
    var values: [Value] = []
    // Orders after the name decide nothing.
    for order in orders.prefix(while: { !$0.field.isDocumentID }) {
      let value = try reportingErrors { try last.value(at: order.field) }
      guard let value else { throw PageToken.refusal }
      values.append(value)
    }
    return Cursor(values + [name], isBefore: false)
  }
}
