public import DocumentModel

extension DatabaseError {
  /// How a request for one document is refused when there is none (§7.5).
  public static func noDocument(_ name: DocumentName) -> DatabaseError {
    DatabaseError(.notFound, "Document \"\(name)\" not found.")
  }
}
