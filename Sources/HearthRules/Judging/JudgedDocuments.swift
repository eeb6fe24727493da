import Hearth
import HearthDocumentEngine
import HearthDocumentModel
import HearthSecurityRules

/// The documents that rules read for requests that read.
struct SnapshotDocuments: RulesDocuments {
  let snapshot: DatabaseSnapshot

  func fields(at path: ResourcePath) throws -> MapValue? { try snapshot.fields(at: path) }
}

/// The documents that rules read for requests that write.
struct StagedDocuments: RulesDocuments {
  private let request: StagedRequest

  init(_ request: StagedRequest) {
    self.request = request
  }

  func fields(at path: ResourcePath) throws -> MapValue? { try request.fields(at: path) }

  func fieldsAfter(at path: ResourcePath) throws -> MapValue? {
    try request.fieldsAfter(at: path)
  }

  func writes(_ path: ResourcePath) -> Bool { request.names(path) }
}

extension StagedRequest.StagedDocument {
  /// All writes of the document as one operation. A precondition on the document's existence, which
  /// is checked later, decides between creation and update, so that no refusal tells whether it
  /// exists.
  var operation: RulesOperation {
    guard isWritten else { return .get(path, document: before) }
    var mask: [FieldPath]?
    if case .update(_, let own) = firstWrite.operation { mask = own }
    var method: RulesMethod = before == nil ? .create : .update
    if case .exists(let exists)? = firstWrite.precondition { method = exists ? .update : .create }
    if after == nil { method = .delete }
    return .write(method, path, before: before, after: after, mask: mask)
  }
}
