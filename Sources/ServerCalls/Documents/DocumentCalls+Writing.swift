import Hearth
import HearthDocumentEngine
package import HearthDocumentModel
import HearthProtocols
package import SwiftProtobuf

extension DocumentCalls {
  /// Applies writes in order, all or none (§7.1), and ends the transaction whose commit they are.
  package func commit(
    _ request: V1.CommitRequest, _ context: CallContext
  ) async throws(DatabaseError) -> V1.CommitResponse {
    let id = try ResourceName(database: request.database).database
    let writes: [Write]
    do throws(DatabaseError) {
      writes = try Write.list(request.writes, in: id)
    } catch {
      // A transaction ends with its commit, even one that can't be read.
      if !request.transaction.isEmpty {
        try? transactions.rollback(request.transaction, of: TransactionOwner(id, context))
      }
      throw error
    }
    let result: CommitResult
    if request.transaction.isEmpty {
      result = try await database(id, context, for: .writing).applying(writes)
    } else {
      try context.check(id)
      result = try await transactions.commit(
        writes, in: request.transaction, of: TransactionOwner(id, context))
    }
    return V1.CommitResponse.with { response in
      response.writeResults = writes.messages(of: result.writeResults)
      response.commitTime = result.commitTime.message
    }
  }

  /// Applies each write or refuses it, independently of the others (§7.1).
  package func batchWrite(
    _ request: V1.BatchWriteRequest, _ context: CallContext
  ) async throws(DatabaseError) -> V1.BatchWriteResponse {
    let id = try ResourceName(database: request.database).database
    let writes = try Write.list(request.writes, in: id)
    let database = try await database(id, context, for: .writing)
    let results = try await Waiting.run { () throws(DatabaseError) in
      try database.batchWrite(writes)
    }
    var response = V1.BatchWriteResponse()
    for (write, result) in zip(writes, results) {
      switch result {
      case .success(let result):
        response.writeResults.append(result.message(ofDeletion: write.operation == .delete))
        response.status.append(Google_Rpc_Status())
      case .failure(let error):
        response.writeResults.append(V1.WriteResult())
        response.status.append(Google_Rpc_Status(error))
      }
    }
    return response
  }

  /// Creates a document, with an id of the server's if the request has none.
  ///
  /// - Throws: `alreadyExists` if there is one of that name.
  package func createDocument(
    _ request: V1.CreateDocumentRequest, _ context: CallContext
  ) async throws(DatabaseError) -> V1.Document {
    let parent = try ResourceName(parent: request.parent)
    guard request.document.name.isEmpty else {
      throw .invalidArgument("document.name must not be set")
    }
    guard !request.collectionID.isEmpty else {
      throw .invalidArgument("collectionId is the empty string.")
    }
    let mask = try FieldMask(request.hasMask ? request.mask : nil)
    let fields = try MapValue(request.document.fields)
    let collection = try parent.path.appending(request.collectionID)
    let database = try await database(parent.database, context, for: .writing)
    let path =
      request.documentID.isEmpty
      ? try database.collection(collection.description).document().path
      : try collection.appending(request.documentID)
    let result = try await database.applying([.create(path, fields)])
    var document = V1.Document()
    document.name = parent.database.documentText(path)
    document.fields = (mask?.applied(to: fields) ?? fields).messages
    document.createTime = result.commitTime.message
    document.updateTime = result.commitTime.message
    return document
  }

  /// Writes a document, or those of its fields that a mask names, and returns it.
  package func updateDocument(
    _ request: V1.UpdateDocumentRequest, _ context: CallContext
  ) async throws(DatabaseError) -> V1.Document {
    let name = try ResourceName(document: request.document.name)
    let write = try Write(
      .with { write in
        write.update = request.document
        if request.hasUpdateMask { write.updateMask = request.updateMask }
        if request.hasCurrentDocument { write.currentDocument = request.currentDocument }
      }, in: name.database)
    let mask = try FieldMask(request.hasMask ? request.mask : nil)
    let database = try await database(name.database, context, for: .writing)
    let time = try await database.applying([write]).commitTime
    return try blocking { () throws(DatabaseError) in
      try database.snapshot(after: time).getDocument(database.document(name.documentName()))
        .message(in: name.database, mask)
    }
  }

  /// Deletes a document. Without a precondition it may be missing.
  package func deleteDocument(
    _ request: V1.DeleteDocumentRequest, _ context: CallContext
  ) async throws(DatabaseError) -> Google_Protobuf_Empty {
    let name = try ResourceName(document: request.name)
    let precondition = try Precondition(request.currentDocument)
    let database = try await database(name.database, context, for: .writing)
    _ = try await database.applying([.delete(name.path, precondition)])
    return Google_Protobuf_Empty()
  }
}

extension Database {
  /// Returns the moment of a commit, since a later one may have changed its documents again. If the
  /// moment isn't kept any more, returns the present one.
  fileprivate func snapshot(after commitTime: Timestamp) throws(DatabaseError) -> DatabaseSnapshot {
    do throws(DatabaseError) {
      return try snapshot(at: commitTime)
    } catch {
      return try snapshot()
    }
  }

  /// Applies writes in one commit, and returns its time with the results.
  fileprivate func applying(_ writes: [Write]) async throws(DatabaseError) -> CommitResult {
    try await Waiting.run { () throws(DatabaseError) in try self.commitRequest(writes) }
  }
}
