package import HearthAdminSocket
package import HearthDocumentModel
package import HearthFirestoreJSON

/// Reads a document.
package struct DocumentCall: AnsweredCall {
  package static let name = "document"

  private let place: NamedPlace

  package struct Answer: Codable, Sendable {
    /// The document; `nil` if there is none.
    package let document: DocumentMessage?
    package let readTime: Timestamp
  }

  package init(_ path: ResourcePath) {
    place = NamedPlace(path: path)
  }

  package func answer(from database: Database) throws -> Answer {
    let snapshot = try database.snapshot()
    let document = try snapshot.getDocument(database.document(place.path.description))
    return Answer(
      document: document.exists ? try DocumentMessage(document, in: database.id()) : nil,
      readTime: snapshot.readTime)
  }
}

/// Lists the collections below a document, or those at the top. An item holds the ids of a page;
/// all pages are of one moment.
package struct CollectionsCall: DatabaseCall {
  package typealias Item = AdminList<String>
  package static let name = "collections"

  private let parent: NamedPlace

  /// - Parameter parent: the document above the collections; the root for those at the top.
  package init(below parent: ResourcePath) {
    self.parent = NamedPlace(path: parent)
  }

  package func perform(
    on database: Database, _ send: (AdminList<String>) throws -> Void
  ) throws -> AdminNothing {
    let snapshot = try database.snapshot()
    let document =
      parent.path == .root ? nil : try database.document(parent.path.description)
    var token: String? = ""
    while let present = token {
      let page = try snapshot.listCollections(below: document, pageToken: present)
      if !page.collections.isEmpty { try send(AdminList(page.collections.map(\.id))) }
      token = page.nextPageToken
    }
    return AdminNothing()
  }
}

/// Counts the documents at a path and below it.
package struct CountBelowCall: FollowedCall {
  package typealias Item = AdminCount
  package typealias Answer = AdminCount
  package static let name = "count below"

  private let place: NamedPlace

  package init(_ path: ResourcePath) {
    place = NamedPlace(path: path)
  }

  package func run(on database: Database, progress: (AdminCount) -> Void) throws -> AdminCount {
    AdminCount(try database.countBelow(place.path) { progress(AdminCount($0)) })
  }
}

/// A path, as messages have it. An id has no slash, so the text tells all.
struct NamedPlace: AdminLeaf, Sendable {
  let path: ResourcePath

  init(path: ResourcePath) {
    self.path = path
  }

  init?(json: JSONValue) throws(DatabaseError) {
    guard let text = String(json: json) else { return nil }
    path = text.isEmpty ? .root : try ResourcePath(text)
  }

  func appendJSON(to bytes: inout [UInt8]) {
    (path == .root ? "" : path.description).appendJSON(to: &bytes)
  }
}
