import Hearth
import HearthDocumentEngine
import HearthDocumentModel
import HearthQueryPlanning

/// Pages of documents in a snapshot, which are bounded regardless of the request.
struct DocumentListing {
  let snapshot: DatabaseSnapshot
  let showsMissing: Bool
  let orders: [Order]
  let deadline: ContinuousClock.Instant

  /// A page, and the token of the next one; the empty token after the last page.
  typealias Page = (documents: [DocumentSnapshot], token: String)

  /// Documents, or ids of collections, on a page at most, and if the request doesn't say.
  static let largestSize = 300
  /// The size of documents from which on a page takes no further one.
  private static let byteLimit = 10 * 1_048_576

  /// Returns one page of a collection.
  ///
  /// - Throws: the errors of `DatabaseSnapshot.listDocuments`.
  func page(
    of collection: CollectionReference, size: Int, token: String
  ) throws(DatabaseError) -> Page {
    let page = try page(of: collection, size, token, DocumentListing.byteLimit)
    return (page.documents, page.nextPageToken ?? "")
  }

  private func page(
    of collection: CollectionReference, _ size: Int, _ token: String, _ byteLimit: Int
  ) throws(DatabaseError) -> Hearth.DocumentPage {
    try snapshot.page(
      of: HearthDocumentEngine.DocumentListing(
        collection.path, pageSize: min(size, DocumentListing.largestSize), pageToken: token,
        showsMissing: showsMissing, orders: orders, byteLimit: byteLimit, deadline: deadline))
  }

  /// Returns one page of all collections directly below a document or the root, one collection
  /// after the other. A token is the id of a collection, a slash, and the token in there.
  ///
  /// - Throws: `invalidArgument` for a token of another listing.
  func page(
    ofAllBelow document: DocumentReference?, size: Int, token: String
  ) throws(DatabaseError) -> Page {
    guard size >= 0 else { throw .invalidArgument("Page size must be nonnegative.") }
    let parts = token.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard token.isEmpty || parts.count == 2 else { throw .invalidArgument("invalid page token") }
    let size = size == 0 ? DocumentListing.largestSize : min(size, DocumentListing.largestSize)
    let first = parts.first.map(String.init) ?? ""
    var bytesLeft = DocumentListing.byteLimit
    var documents: [DocumentSnapshot] = []
    var place = ""
    repeat {
      let known = try snapshot.listCollections(
        below: document, pageToken: place, deadline: deadline)
      for collection in known.collections where collection.id.utf8Compare(first) != .less {
        guard documents.count < size, bytesLeft > 0 else {
          return (documents, "\(collection.id)/")
        }
        let inner = !token.isEmpty && collection.id == first ? String(parts[1]) : ""
        let page = try page(of: collection, size - documents.count, inner, bytesLeft)
        documents += page.documents
        bytesLeft -= page.byteCount
        if let next = page.nextPageToken { return (documents, "\(collection.id)/\(next)") }
      }
      place = known.nextPageToken ?? ""
    } while !place.isEmpty
    return (documents, "")
  }
}
