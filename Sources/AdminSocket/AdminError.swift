package import DocumentModel
package import FirestoreJSON
import QueryPlanning

/// An error on its way through the socket: code, message, the index that a query lacks, and whether
/// a build failed for a document. What caused it below stays behind.
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
      details: missing ?? (isOfBuild ? FailedBuild() : nil))
  }

  package var json: JSONValue {
    .members([
      "code": .string(error.code.name), "message": .string(error.message),
      "missingIndex": error.missingIndex?.json,
      "isOfBuild": error.details is FailedBuild ? .boolean(true) : nil,
    ])
  }
}
