package import HearthDocumentModel

extension ResourcePath {
  /// Returns the path of a document.
  ///
  /// - Throws: `invalidArgument` for a collection's path.
  package func ofDocument() throws(DatabaseError) -> ResourcePath {
    guard isDocument else {
      throw .invalidArgument(
        "\"\(self)\" is no document: a document's path has an even number of segments.")
    }
    return self
  }

  /// Returns the path of a collection.
  ///
  /// - Throws: `invalidArgument` for a document's path.
  package func ofCollection() throws(DatabaseError) -> ResourcePath {
    guard isCollection else {
      throw .invalidArgument(
        "\"\(self)\" is no collection: a collection's path has an odd number of segments.")
    }
    return self
  }
}
