import Hearth

extension ResourcePath {
  /// Creates the path of a document.
  ///
  /// - Throws: `invalidArgument` if `text` breaks the rules of §1.1 or names a collection.
  init(document text: String) throws(DatabaseError) {
    try self.init(text)
    guard isDocument else {
      throw DatabaseError(
        .invalidArgument,
        "\"\(text)\" is no document: a document's path has an even number of segments.")
    }
  }

  /// Creates the path of a collection.
  ///
  /// - Throws: `invalidArgument` if `text` breaks the rules of §1.1 or names a document.
  init(collection text: String) throws(DatabaseError) {
    try self.init(text)
    guard isCollection else {
      throw DatabaseError(
        .invalidArgument,
        "\"\(text)\" is no collection: a collection's path has an odd number of segments.")
    }
  }
}
