package import Hearth

extension InputRecord {
  /// Returns the document id in the field `path` (`--id-field`), which stays a field too.
  ///
  /// - Throws: `malformed` if the field is missing, is neither a string nor an integer, or holds an
  ///   invalid id (§1.1).
  package func documentID(in path: FieldPath, source: String) throws(InputError) -> String {
    let problem: String
    var advice =
      "The id field must hold a string or an integer; --type \(path):string makes one"
    switch fields[path] {
    case .string(let text)?:
      do throws(DatabaseError) {
        return try ResourcePath.validated(text, isCollection: false)
      } catch {
        problem = error.message.withoutFullStop
        advice =
          text.utf8.contains(UInt8(ascii: "/"))
          ? "An id is one segment of a path: replace the / in the file, or take another field"
          : "Take another field, or leave --id-field out for random ids"
      }
    case .integer(let number)?: return "\(number)"
    case nil: problem = "the record has no such field to take its id from"
    case let value?: problem = "\(value.typePhrase) can't be a document id"
    }
    throw InputError(
      .malformed, in: source, line: line, field: path.description, problem, advice: advice)
  }
}
