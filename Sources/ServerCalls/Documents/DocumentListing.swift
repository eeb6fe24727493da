import Hearth
import HearthDocumentModel
import HearthQueryPlanning

/// Pages of documents in a snapshot.
struct DocumentListing {
  let snapshot: DatabaseSnapshot
  let showsMissing: Bool
  let orders: [Order]

  /// A page, and the token of the next one; the empty token after the last page.
  typealias Page = (documents: [DocumentSnapshot], token: String)

  /// Documents on a page if the request doesn't say.
  private static let usualSize = 300

  /// Returns one page of a collection.
  ///
  /// - Throws: the errors of `DatabaseSnapshot.listDocuments`.
  func page(
    of collection: CollectionReference, size: Int, token: String
  ) throws(DatabaseError) -> Page {
    let page = try snapshot.listDocuments(
      in: collection, pageSize: size, pageToken: token, showMissing: showsMissing, orders: orders)
    return (page.documents, page.nextPageToken ?? "")
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
    let size = size == 0 ? DocumentListing.usualSize : size
    let first = parts.first.map(String.init) ?? ""
    var inner = token.isEmpty ? "" : String(parts[1])
    var documents: [DocumentSnapshot] = []
    for collection in try collections(below: document) {
      guard collection.id.utf8Compare(first) != .less else { continue }
      if collection.id != first { inner = "" }
      guard documents.count < size else { return (documents, "\(collection.id)/") }
      let page = try page(of: collection, size: size - documents.count, token: inner)
      documents += page.documents
      guard page.token.isEmpty else { return (documents, "\(collection.id)/\(page.token)") }
    }
    return (documents, "")
  }

  private func collections(
    below document: DocumentReference?
  ) throws(DatabaseError) -> [CollectionReference] {
    var collections: [CollectionReference] = []
    var token = ""
    repeat {
      let page = try snapshot.listCollections(below: document, pageToken: token)
      collections += page.collections
      token = page.nextPageToken ?? ""
    } while !token.isEmpty
    return collections
  }
}
