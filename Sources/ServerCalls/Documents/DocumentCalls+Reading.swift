import Hearth
package import HearthDocumentModel
import HearthProtocols
import SwiftProtobuf

extension DocumentCalls {
  /// Returns a document.
  ///
  /// - Throws: `notFound` if there is none.
  package func getDocument(
    _ request: V1.GetDocumentRequest, _ context: CallContext
  ) async throws(DatabaseError) -> V1.Document {
    let name = try ResourceName(document: request.name)
    let mask = try FieldMask(request.hasMask ? request.mask : nil)
    let version = try ReadVersion(request.consistencySelector)
    let document = try await read(version, of: name.database, context) {
      snapshot, database throws(DatabaseError) in
      try snapshot.getDocument(database.document(name.documentName()))
    }.value
    guard document.exists else {
      throw DatabaseError(.notFound, "Document \"\(name.text)\" not found.")
    }
    return try document.message(in: name.database, mask)
  }

  /// Sends each of the named documents once, those that exist before the missing ones, all of one
  /// moment.
  ///
  /// The protocol leaves the order free. Production sends the missing ones last, and Google's own
  /// tests rely on that.
  package func batchGetDocuments(
    _ request: V1.BatchGetDocumentsRequest, _ context: CallContext,
    send: Sending<V1.BatchGetDocumentsResponse>
  ) async throws {
    let id = try ResourceName(database: request.database).database
    var paths: [ResourcePath] = []
    for name in request.documents {
      paths.append(try ResourceName(document: name).path(in: id))
    }
    let mask = try FieldMask(request.hasMask ? request.mask : nil)
    let version = try ReadVersion(request.consistencySelector)
    let answer = try await read(version, of: id, context) {
      [paths] snapshot, database throws(DatabaseError) in
      var references: [DocumentReference] = []
      for path in paths { references.append(try database.document(DocumentName(path, in: id))) }
      return try snapshot.getAll(references)
    }
    try await announce(answer, of: id, context) { begun in
      try await send(.with { $0.transaction = begun })
    }
    var response = V1.BatchGetDocumentsResponse()
    response.readTime = answer.readTime.message
    for document in answer.value where document.exists {
      response.found = try document.message(in: id, mask)
      try await send(response)
    }
    for document in answer.value where !document.exists {
      response.missing = id.documentText(document.reference.path)
      try await send(response)
    }
  }
}
