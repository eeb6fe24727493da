package import HearthDocumentModel
import HearthQueryPlanning

/// An error that can be encoded: its code and message, the index that a query lacks, whether a
/// build failed because of a document, whether no write is accepted, and the text of the error's
/// cause.
///
/// The presence of a cause matters, too: a full disk and an exceeded limit have the same code.
package struct ReportedError: Sendable, Codable {
  private enum CodingKeys: String, CodingKey {
    case code, message, missingIndex, isOfBuild, isOfWrites, cause
  }

  /// The error itself. One that was decoded has only the text of its cause.
  package let error: DatabaseError

  package init(_ error: DatabaseError) {
    self.error = error
  }

  package init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    let name = try members.decode(String.self, forKey: .code)
    // A later release may know codes that this one doesn't.
    let code = DatabaseError.Code.allCases.first { $0.name.utf8Equal(name) } ?? .unknown
    let missing = try members.decodeIfPresent(MissingIndex.self, forKey: .missingIndex)
    let isOfBuild = try members.decodeIfPresent(Bool.self, forKey: .isOfBuild) ?? false
    let isOfWrites = try members.decodeIfPresent(Bool.self, forKey: .isOfWrites) ?? false
    error = DatabaseError(
      code, try members.decode(String.self, forKey: .message),
      details: missing ?? (isOfBuild ? FailedBuild() : isOfWrites ? RefusedToolWrite() : nil),
      cause: try members.decodeIfPresent(String.self, forKey: .cause).map(ForeignCause.init))
  }

  package func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: CodingKeys.self)
    try members.encode(error.code.name, forKey: .code)
    try members.encode(error.message, forKey: .message)
    try members.encodeIfPresent(error.missingIndex, forKey: .missingIndex)
    if error.details is FailedBuild { try members.encode(true, forKey: .isOfBuild) }
    if error.details is RefusedToolWrite { try members.encode(true, forKey: .isOfWrites) }
    try members.encodeIfPresent(error.cause.map { "\($0)" }, forKey: .cause)
  }
}

/// An error of the other process. Only its text is known.
private struct ForeignCause: Error, CustomStringConvertible {
  let description: String
}
