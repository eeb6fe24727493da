import FoundationEssentials
import Hearth
import HearthDocumentEngine
package import HearthDocumentModel
import HearthProtocols
import HearthRules
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
      result = try await apply(writes, in: id, context).result
    } else {
      try context.check(id)
      result = try await commit(writes, in: request.transaction, of: id, context)
    }
    return V1.CommitResponse.with { response in
      response.writeResults = writes.messages(of: result.writeResults)
      response.commitTime = result.commitTime.message
    }
  }

  /// Ends a transaction by the commit of its writes, even by one that is refused.
  private func commit(
    _ writes: [Write], in transaction: Data, of id: DatabaseID, _ context: CallContext
  ) async throws(DatabaseError) -> CommitResult {
    let owner = TransactionOwner(id, context)
    let judgement: CommitJudgement?
    do throws(DatabaseError) {
      judgement = try rules.judgementOfWrites(
        in: id, for: context.authorization, inTransaction: true)
    } catch {
      try? transactions.rollback(transaction, of: owner)
      throw error
    }
    return try await notingRefusals(in: id) { () async throws(DatabaseError) in
      if let judgement, !transactions.isKnown(transaction, to: owner) {
        try await refuse(writes, in: id, context, judging: judgement)
      }
      return try await transactions.commit(
        writes, in: transaction, of: owner, judging: judgement)
    }
  }

  /// Refuses a commit of a transaction that isn't the caller's: first by the rules, as any other
  /// commit.
  ///
  /// - Throws: `permissionDenied`; or else `invalidArgument`.
  private func refuse(
    _ writes: [Write], in id: DatabaseID, _ context: CallContext,
    judging judgement: @escaping CommitJudgement
  ) async throws(DatabaseError) {
    let database = try await database(id, context, for: .writing)
    _ = try await Waiting.run { () throws(DatabaseError) in
      try database.commitRequest(writes) { staged in
        try judgement(staged)
        throw DatabaseError.unknownTransaction
      }
    }
  }

  /// Applies the writes of a call in one commit, and returns its database with the result.
  private func apply(
    _ writes: [Write], in id: DatabaseID, _ context: CallContext
  ) async throws(DatabaseError) -> (database: Database, result: CommitResult) {
    let judgement = try rules.judgementOfWrites(in: id, for: context.authorization)
    let database = try await database(id, context, for: .writing)
    let result = try await notingRefusals(in: id) { () async throws(DatabaseError) in
      try await Waiting.run { () throws(DatabaseError) in
        try database.commitRequest(writes, judging: judgement)
      }
    }
    return (database, result)
  }

  /// Applies each write or refuses it, independently of the others (§7.1).
  package func batchWrite(
    _ request: V1.BatchWriteRequest, _ context: CallContext
  ) async throws(DatabaseError) -> V1.BatchWriteResponse {
    let id = try ResourceName(database: request.database).database
    let writes = try Write.list(request.writes, in: id)
    try checkAdministrator(of: id, context, else: .batchNeedsAdministrator)
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
    // The rules see the id that the server chooses.
    let path = try collection.appending(
      request.documentID.isEmpty ? CollectionReference.newDocumentID() : request.documentID)
    let result = try await apply([.create(path, fields)], in: parent.database, context).result
    var document = V1.Document()
    document.name = parent.database.documentText(path)
    document.fields = (mask?.applied(to: fields) ?? fields).messages
    document.createTime = result.commitTime.message
    document.updateTime = result.commitTime.message
    return document
  }

  /// Writes a document, or those of its fields that a mask names, and returns it. A caller who may
  /// not read it is shown those fields alone.
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
    let written = try FieldMask(request.hasUpdateMask ? request.updateMask : nil)
    let (database, result) = try await apply([write], in: name.database, context)
    let judge = try judge(of: name.database, context)
    return try blocking { () throws(DatabaseError) in
      let snapshot = try database.snapshot(after: result.commitTime)
      let document = try snapshot.getDocument(database.document(name.documentName()))
      let isReadable = try judge?.allows(document, in: snapshot) ?? true
      guard let written, !isReadable else {
        return try document.message(in: name.database, mask)
      }
      return try document.message(in: name.database, mask?.intersection(written) ?? written)
    }
  }

  /// Deletes a document. Without a precondition it may be missing.
  package func deleteDocument(
    _ request: V1.DeleteDocumentRequest, _ context: CallContext
  ) async throws(DatabaseError) -> Google_Protobuf_Empty {
    let name = try ResourceName(document: request.name)
    let precondition = try Precondition(request.currentDocument)
    _ = try await apply([.delete(name.path, precondition)], in: name.database, context)
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
}
