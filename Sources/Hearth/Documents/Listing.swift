public import HearthDocumentModel
public import HearthQueryPlanning
package import HearthDocumentEngine

/// One page of a listing of a collection's documents.
public struct DocumentPage: Sendable {
  /// Documents on the page; those that don't exist only if the caller asked for them.
  public let documents: [DocumentSnapshot]
  /// Size of the documents on the page, as they are stored.
  package let byteCount: Int
  /// Token for the next page; `nil` on the last page.
  public let nextPageToken: String?
}

/// One page of a listing of the collections below a document or the root.
public struct CollectionPage: Sendable {
  /// The collections, sorted by id.
  public let collections: [CollectionReference]
  /// Token for the next page; `nil` on the last page.
  public let nextPageToken: String?
}

extension DatabaseSnapshot {
  /// Returns one page of a collection's documents (§7.5).
  ///
  /// - Parameters:
  ///   - collection: a collection of this database.
  ///   - pageSize: the number of documents on a page; 0 is 300.
  ///   - pageToken: the token from the page before, from any snapshot; empty for the first page.
  ///   - showMissing: whether documents that don't exist, but have others below them, are listed
  ///     too. It can't be combined with `orders`.
  ///   - orders: the sort order; by name if empty.
  /// - Complexity: by name, the names on the page, a few keys for each name that has collections
  ///   below it, and one document each; otherwise the cost of the query in that order.
  /// - Throws: `invalidArgument` for a negative page size, a token of another listing or a
  ///   collection of another database; the errors of `getDocuments` with `orders`; `dataLoss`, or
  ///   the store's error.
  public func listDocuments(
    in collection: CollectionReference, pageSize: Int = 0, pageToken: String = "",
    showMissing: Bool = false, orders: [Order] = []
  ) throws(DatabaseError) -> DocumentPage {
    try database.check(collection.path, in: collection.database, for: .snapshot)
    return try page(
      of: DocumentListing(
        collection.path, pageSize: pageSize, pageToken: pageToken, showsMissing: showMissing,
        orders: orders))
  }

  /// Returns one page of a listing, which may have limits of its own.
  ///
  /// - Throws: the errors of `listDocuments`; with a deadline, `deadlineExceeded` and `cancelled`.
  package func page(of listing: DocumentListing) throws(DatabaseError) -> DocumentPage {
    let page = try database.observed(.list) { () throws(DatabaseError) in
      try view.listDocuments(listing)
    }
    return DocumentPage(
      documents: page.entries.map {
        DocumentSnapshot(DocumentReference(unchecked: $0.path, in: database), $0.record)
      }, byteCount: page.byteCount, nextPageToken: page.nextPageToken)
  }

  /// Does the same without blocking the calling thread.
  public func listDocuments(
    in collection: CollectionReference, pageSize: Int = 0, pageToken: String = "",
    showMissing: Bool = false, orders: [Order] = []
  ) async throws(DatabaseError) -> DocumentPage {
    try await Blocking.run { () throws(DatabaseError) in
      try self.listDocuments(
        in: collection, pageSize: pageSize, pageToken: pageToken, showMissing: showMissing,
        orders: orders)
    }
  }

  /// Returns one page of the collections directly below a document, or of the top-level ones. Only
  /// collections that hold documents at any depth are listed, sorted by id.
  ///
  /// - Parameters:
  ///   - document: the document above the collections; `nil` for the root.
  ///   - pageSize: the number of collections on a page; 0 is 300.
  ///   - pageToken: the token from the page before; empty for the first page.
  /// - Complexity: a few keys per collection; documents are not read.
  /// - Throws: `invalidArgument` for a negative page size, a token of another listing or a document
  ///   of another database; `dataLoss`, or the store's error.
  public func listCollections(
    below document: DocumentReference? = nil, pageSize: Int = 0, pageToken: String = ""
  ) throws(DatabaseError) -> CollectionPage {
    try listCollections(below: document, pageSize: pageSize, pageToken: pageToken, deadline: nil)
  }

  /// Does the same up to a moment.
  ///
  /// - Throws: `deadlineExceeded` and `cancelled` too, with a deadline.
  package func listCollections(
    below document: DocumentReference?, pageSize: Int = 0, pageToken: String,
    deadline: ContinuousClock.Instant?
  ) throws(DatabaseError) -> CollectionPage {
    if let document { try database.check(document.path, in: document.database, for: .snapshot) }
    let parent = document?.path ?? .root
    let page = try database.observed(.list) { () throws(DatabaseError) in
      try view.listCollectionIDs(
        below: parent, pageSize: pageSize, pageToken: pageToken, deadline: deadline)
    }
    return CollectionPage(
      collections: page.ids.map {
        CollectionReference(unchecked: parent.appending(unchecked: $0), in: database)
      }, nextPageToken: page.nextPageToken)
  }

  /// Does the same without blocking the calling thread.
  public func listCollections(
    below document: DocumentReference? = nil, pageSize: Int = 0, pageToken: String = ""
  ) async throws(DatabaseError) -> CollectionPage {
    try await Blocking.run { () throws(DatabaseError) in
      try self.listCollections(below: document, pageSize: pageSize, pageToken: pageToken)
    }
  }
}

extension CollectionReference {
  /// Returns one page of the documents as they are now: see `DatabaseSnapshot.listDocuments`.
  ///
  /// Documents that are created or deleted between two pages may or may not be on the later one. To
  /// get all pages of one moment, list them in a snapshot.
  public func listDocuments(
    pageSize: Int = 0, pageToken: String = "", showMissing: Bool = false, orders: [Order] = []
  ) throws(DatabaseError) -> DocumentPage {
    try database.snapshot().listDocuments(
      in: self, pageSize: pageSize, pageToken: pageToken, showMissing: showMissing, orders: orders)
  }

  /// Does the same without blocking the calling thread.
  public func listDocuments(
    pageSize: Int = 0, pageToken: String = "", showMissing: Bool = false, orders: [Order] = []
  ) async throws(DatabaseError) -> DocumentPage {
    try await Blocking.run { () throws(DatabaseError) in
      try self.listDocuments(
        pageSize: pageSize, pageToken: pageToken, showMissing: showMissing, orders: orders)
    }
  }
}
