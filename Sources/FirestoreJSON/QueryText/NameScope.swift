public import HearthDocumentModel

/// The scope of the names in a query's text, which are relative to it.
public struct NameScope: Sendable {
  /// The database that is queried.
  public let database: DatabaseID
  /// The queried collection, which contains the documents of plain ids; `nil` for a collection
  /// group, whose documents are named by their paths.
  public let collection: ResourcePath?

  public init(_ database: DatabaseID, collection: ResourcePath?) {
    self.database = database
    self.collection = collection
  }

  /// Returns the document that a text names in the place of `__name__`: an id in the collection or,
  /// with slashes, a path from the root.
  func documentName(_ text: String) throws(DatabaseError) -> DocumentName {
    guard !text.utf8.contains(UInt8(ascii: "/")) else { return try reference(text) }
    guard let collection else {
      throw .invalidArgument(
        "\"\(text)\" is no path: a collection group's documents are named by their paths, such as "
          + "\"users/alice\"")
    }
    return try DocumentName(try collection.appending(text), in: database)
  }

  /// Returns the shortest text that ``documentName(_:)`` reads as `name`; `nil` for another
  /// database's document.
  func text(ofDocument name: DocumentName) -> String? {
    guard name.database == database else { return nil }
    guard let id = name.path.lastSegment, name.path.parent == collection else {
      return looksFull(name.path) ? nil : name.path.description
    }
    return id
  }

  /// Returns the document that the text in `reference("…")` names: a path from the root, or a full
  /// name.
  func reference(_ text: String) throws(DatabaseError) -> DocumentName {
    let segments = text.split(separator: "/", omittingEmptySubsequences: false)
    if NameScope.isFull(segments.map(String.init)) { return try DocumentName(fullName: text) }
    let path = try ResourcePath(segments: segments)
    guard path.isDocument else {
      throw .invalidArgument(
        "\"\(text)\" is a collection: a document's path has an even number of parts")
    }
    return try DocumentName(path, in: database)
  }

  /// Returns the shortest text that ``reference(_:)`` reads as `name`.
  func text(ofReference name: DocumentName) -> String {
    name.database == database && !looksFull(name.path)
      ? name.path.description : name.description
  }

  private func looksFull(_ path: ResourcePath) -> Bool { NameScope.isFull(path.segments) }

  /// Whether a path has the layout of a full name. A path below a collection `projects` may have
  /// it.
  private static func isFull(_ segments: [String]) -> Bool {
    segments.count > 4 && segments[0].utf8Equal("projects") && segments[2].utf8Equal("databases")
      && segments[4].utf8Equal("documents")
  }
}
