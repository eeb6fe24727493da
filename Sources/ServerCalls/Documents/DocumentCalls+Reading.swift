import Hearth
import HearthDocumentEngine
package import HearthDocumentModel
import HearthProtocols
import HearthRules
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
    let judge = try judge(of: name.database, context)
    let document = try await read(version, of: name.database, context) {
      snapshot, database throws(DatabaseError) in
      let document = try snapshot.getDocument(database.document(name.documentName()))
      try judge?.check(document, in: version.rulesSnapshot(for: snapshot, of: database))
      return document
    }.value
    guard document.exists else {
      throw DatabaseError(.notFound, "Document \"\(name.text)\" not found.")
    }
    return try document.message(in: name.database, mask)
  }

  /// The number of named documents that are in memory before they are sent.
  private static let batchCount = 32

  /// Sends each of the named documents once, those that exist before the missing ones, all of one
  /// moment.
  ///
  /// The protocol leaves the order free. Production sends the missing ones last, and Google's own
  /// tests rely on that. All of them are judged before the first is sent.
  package func batchGetDocuments(
    _ request: V1.BatchGetDocumentsRequest, _ context: CallContext,
    send: Sending<V1.BatchGetDocumentsResponse>
  ) async throws {
    let id = try ResourceName(database: request.database).database
    let paths = try request.paths(in: id)
    let mask = try FieldMask(request.hasMask ? request.mask : nil)
    let version = try ReadVersion(request.consistencySelector)
    let judge = try judge(of: id, context)
    let timeLimit = context.queryDeadline
    var deadline = Deadline(timeLimit)
    let answer = try await read(version, of: id, context) {
      snapshot, database throws(DatabaseError) in
      let batches = try database.batches(of: paths, in: id, DocumentCalls.batchCount)
      var judgement = try judge?.judgement(
        in: version.rulesSnapshot(for: snapshot, of: database))
      let first = try snapshot.getAll(batches.first ?? [], for: &judgement)
      // A transaction depends on all of them.
      if snapshot.isRecorded || judgement != nil {
        var deadline = Deadline(timeLimit)
        for batch in batches.dropFirst() {
          try deadline.check()
          _ = try snapshot.getAll(batch, for: &judgement)
        }
      }
      try judgement?.check()
      return (first: first, rest: batches.dropFirst())
    }
    try await announce(answer, of: id, context) { begun in
      try await send(.with { $0.transaction = begun })
    }
    var response = V1.BatchGetDocumentsResponse()
    response.readTime = answer.readTime.message
    var missing: [String] = []
    func sendFound(_ documents: [DocumentSnapshot]) async throws {
      for document in documents {
        guard document.exists else {
          missing.append(id.documentText(document.reference.path))
          continue
        }
        response.found = try document.message(in: id, mask)
        try await send(response)
      }
    }
    try await sendFound(answer.value.first)
    for batch in answer.value.rest {
      deadline.restart()
      try deadline.check()
      try await sendFound(
        blocking { () throws(DatabaseError) in try answer.snapshot.getAll(batch) })
    }
    for name in missing {
      response.missing = name
      try await send(response)
    }
  }
}

extension DatabaseSnapshot {
  /// Returns documents, and judges them.
  fileprivate func getAll(
    _ references: [DocumentReference], for judgement: inout ReadJudgement?
  ) throws(DatabaseError) -> [DocumentSnapshot] {
    let documents = try getAll(references)
    if judgement != nil {
      for document in documents { try judgement?.get(document) }
    }
    return documents
  }
}

extension Database {
  fileprivate func batches(
    of paths: [ResourcePath], in id: DatabaseID, _ size: Int
  ) throws(DatabaseError) -> [[DocumentReference]] {
    try stride(from: 0, to: paths.count, by: size).map { start throws(DatabaseError) in
      try paths[start..<min(start + size, paths.count)].map { path throws(DatabaseError) in
        try document(DocumentName(path, in: id))
      }
    }
  }
}

extension V1.BatchGetDocumentsRequest {
  /// Returns the paths of the named documents, each once, in the order of the request.
  ///
  /// - Throws: `invalidArgument` for a malformed name, or one of another database.
  fileprivate func paths(in id: DatabaseID) throws(DatabaseError) -> [ResourcePath] {
    var paths: [ResourcePath] = []
    var known: Set<ResourcePath> = []
    for name in documents {
      let path = try ResourceName(document: name).path(in: id)
      if known.insert(path).inserted { paths.append(path) }
    }
    return paths
  }
}
