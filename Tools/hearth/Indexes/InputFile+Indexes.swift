import HearthFirestoreJSON
import Hearth

extension InputFile {
  /// Returns the indexes of an index file.
  ///
  /// - Throws: ``InputError`` if it can't be read; ``ToolFailure``, which names it, if it is no
  ///   index file.
  func indexFile() throws -> IndexFile {
    do {
      return try read { json throws(DatabaseError) in try IndexFile(json: json) }
    } catch let failure as ToolFailure {
      let name = path.utf8Equal("-") ? "standard input" : path
      throw ToolFailure(failure.status, failure.code, "\(name): \(failure.message)")
    }
  }
}
