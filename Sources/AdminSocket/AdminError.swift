package import DocumentModel
package import FirestoreJSON
import QueryPlanning

/// An error as it crosses the socket: its code and message, the index that a query lacks, whether a
/// build failed because of a document, and the text of the error's cause.
///
/// The presence of a cause matters, too: a full disk and an exceeded limit have the same code.
package struct AdminError: AdminObject {
  package let error: DatabaseError

  package init(_ error: DatabaseError) {
    self.error = error
  }

  package init(_ json: JSONValue) throws(DatabaseError) {
    let members = try AdminMembers(json)
    let name = try members.string("code")
    // A later release may know codes that this one doesn't.
    let code = DatabaseError.Code.allCases.first { $0.name.utf8Equal(name) } ?? .unknown
    let missing = try members.optionalMessage("missingIndex", as: MissingIndex.self)
    let isOfBuild = try members.boolean("isOfBuild")
    error = DatabaseError(
      code, try members.string("message"),
      details: missing ?? (isOfBuild ? FailedBuild() : nil),
      cause: try members.optionalString("cause").map(ForeignCause.init))
  }

  package var json: JSONValue {
    .members([
      "code": .string(error.code.name), "message": .string(error.message),
      "missingIndex": error.missingIndex?.json,
      "isOfBuild": error.details is FailedBuild ? .boolean(true) : nil,
      "cause": error.cause.map { .string("\($0)") },
    ])
  }
}

/// An error of the other process. Only its text is known.
private struct ForeignCause: Error, CustomStringConvertible {
  let description: String
}
