import Hearth
package import HearthDocumentModel
import HearthFirestoreJSON
import HearthProtocols
import HearthQueryPlanning
import HearthRules
import SwiftProtobuf

extension V1.ListDocumentsRequest: QueryRequest {
  package func requestedQuery() throws(DatabaseError) -> RequestedQuery? {
    query(try ResourceName(parent: parent), try OrderClause.orders(inRequest: orderBy))
  }

  /// Returns the query for the listed documents.
  fileprivate func query(_ parent: ResourceName, _ orders: [Order]) -> RequestedQuery {
    let query = StructuredQuery(collectionID: collectionID, below: parent.path, orders: orders)
    return RequestedQuery(.documents(query), in: parent.database)
  }

  /// Returns the query as which the listing is judged: one for its page, or without a collection
  /// one for all documents below the parent.
  fileprivate func judgedQuery(_ parent: ResourceName, _ orders: [Order]) -> StructuredQuery {
    StructuredQuery(
      collectionID: collectionID, below: parent.path, allDescendants: collectionID.isEmpty,
      orders: orders, limit: pageSize > 0 ? Int(pageSize) : DocumentListing.largestSize)
  }
}

extension DocumentCalls {
  /// Returns one page of a collection's documents (§7.5), or of those of all collections directly
  /// below the parent.
  package func listDocuments(
    _ request: V1.ListDocumentsRequest, _ context: CallContext
  ) async throws(DatabaseError) -> V1.ListDocumentsResponse {
    let parent = try ResourceName(parent: request.parent)
    // Clients that want only the names send an empty mask, and take whole documents.
    let mask = try FieldMask(request.mask.fieldPaths.isEmpty ? nil : request.mask)
    let orders = try OrderClause.orders(inRequest: request.orderBy)
    guard orders.isEmpty || !request.showMissing else {
      throw .invalidArgument("cannot specify an order when show_missing is true")
    }
    let version = try ReadVersion(request.consistencySelector)
    let judge = try judge(of: parent.database, context)
    guard judge == nil || !request.showMissing else { throw .needsAdministrator }
    let judged = request.judgedQuery(parent, orders)
    let page = try await read(version, request.query(parent, orders), context) {
      snapshot, database throws(DatabaseError) in
      try judge?.check(judged, in: version.rulesSnapshot(for: snapshot, of: database))
      let listing = DocumentListing(
        snapshot: snapshot, showsMissing: request.showMissing, orders: orders,
        deadline: context.queryDeadline)
      return try request.collectionID.isEmpty
        ? listing.page(
          ofAllBelow: parent.path.segments.isEmpty
            ? nil : database.document(parent.documentName()),
          size: Int(request.pageSize), token: request.pageToken)
        : listing.page(
          of: database.collection(parent.path.appending(request.collectionID).description),
          size: Int(request.pageSize), token: request.pageToken)
    }.value
    var response = V1.ListDocumentsResponse()
    for document in page.documents {
      response.documents.append(try document.message(in: parent.database, mask))
    }
    response.nextPageToken = page.token
    return response
  }

  /// Returns one page of the ids of the collections below a document or the root.
  package func listCollectionIds(
    _ request: V1.ListCollectionIdsRequest, _ context: CallContext
  ) async throws(DatabaseError) -> V1.ListCollectionIdsResponse {
    let parent = try ResourceName(parent: request.parent)
    let version = try ReadVersion(request.consistencySelector)
    try checkAdministrator(of: parent.database, context)
    let page = try await read(version, of: parent.database, context) {
      snapshot, database throws(DatabaseError) in
      try snapshot.listCollections(
        below: parent.path.segments.isEmpty ? nil : database.document(parent.documentName()),
        pageSize: min(Int(request.pageSize), DocumentListing.largestSize),
        pageToken: request.pageToken, deadline: context.queryDeadline)
    }.value
    return V1.ListCollectionIdsResponse.with { response in
      response.collectionIds = page.collections.map(\.id)
      response.nextPageToken = page.nextPageToken ?? ""
    }
  }
}

extension OrderClause {
  /// Reads the orders of a request: `population desc, __name__`.
  ///
  /// - Throws: `invalidArgument` in production's words.
  fileprivate static func orders(inRequest text: String) throws(DatabaseError) -> [Order] {
    guard !text.isEmpty else { return [] }
    do {
      return try parse(text)
    } catch {
      throw DatabaseError.invalidArgument("Invalid order by clause \"\(text)\".")
    }
  }
}
