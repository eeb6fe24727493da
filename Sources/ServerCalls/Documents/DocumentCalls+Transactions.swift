import FoundationEssentials
import Hearth
package import HearthDocumentModel
import HearthProtocols
package import SwiftProtobuf

/// The outcome of a read.
struct ReadAnswer<Value: Sendable>: Sendable {
  let value: Value
  /// The moment that was read, for further reads of the call. They need no locks, since the read
  /// has taken those of all that the call returns.
  let snapshot: DatabaseSnapshot
  /// The id of the transaction that the read has begun; `nil` for none.
  var transaction: Data?

  var readTime: Timestamp { snapshot.readTime }
}

extension DocumentCalls {
  /// Begins a transaction over several calls (W§3.9).
  package func beginTransaction(
    _ request: V1.BeginTransactionRequest, _ context: CallContext
  ) async throws(DatabaseError) -> V1.BeginTransactionResponse {
    let id = try ResourceName(database: request.database).database
    let mode = try TransactionMode(request.options)
    let transaction = try await begin(mode, in: id, context)
    return V1.BeginTransactionResponse.with { $0.transaction = transaction }
  }

  /// Ends a transaction without writes.
  package func rollback(
    _ request: V1.RollbackRequest, _ context: CallContext
  ) async throws(DatabaseError) -> Google_Protobuf_Empty {
    let id = try ResourceName(database: request.database).database
    try context.check(id)
    try transactions.rollback(request.transaction, of: TransactionOwner(id, context))
    return Google_Protobuf_Empty()
  }

  /// Runs a query in the version that a request asks for, as ``read(_:of:_:_:)`` does, and notes
  /// its refusal.
  func read<Value: Sendable>(
    _ version: ReadVersion, _ query: RequestedQuery, _ context: CallContext,
    _ body:
      @escaping @Sendable (DatabaseSnapshot, Database) throws(DatabaseError) -> Value
  ) async throws(DatabaseError) -> ReadAnswer<Value> {
    do throws(DatabaseError) {
      return try await read(version, of: query.database, context, body)
    } catch {
      note(error, of: query)
      throw error
    }
  }

  /// Reads the version of a database that a request asks for.
  ///
  /// - Parameter body: a closure that reads, and may run again.
  func read<Value: Sendable>(
    _ version: ReadVersion, of id: DatabaseID, _ context: CallContext,
    _ body:
      @escaping @Sendable (DatabaseSnapshot, Database) throws(DatabaseError) -> Value
  ) async throws(DatabaseError) -> ReadAnswer<Value> {
    try await notingRefusals(in: id) { () async throws(DatabaseError) in
      try await readUnnoted(version, of: id, context, body)
    }
  }

  private func readUnnoted<Value: Sendable>(
    _ version: ReadVersion, of id: DatabaseID, _ context: CallContext,
    _ body:
      @escaping @Sendable (DatabaseSnapshot, Database) throws(DatabaseError) -> Value
  ) async throws(DatabaseError) -> ReadAnswer<Value> {
    switch version {
    case .latest:
      let database = try await database(id, context)
      return try ReadAnswer(database, nil, body)
    case .time(let time):
      let database = try await database(id, context)
      return try ReadAnswer(database, time, body)
    case .transaction(let transaction):
      try context.check(id)
      return try await read(in: transaction, TransactionOwner(id, context), body)
    case .newTransaction(let mode):
      return try await read(inNew: mode, of: id, context, body)
    }
  }

  /// Sends the id of a transaction that a read has begun, if it has. The transaction ends if the
  /// client doesn't get it.
  func announce<Value>(
    _ answer: ReadAnswer<Value>, of id: DatabaseID, _ context: CallContext,
    _ send: (Data) async throws -> Void
  ) async throws {
    guard let begun = answer.transaction else { return }
    do {
      try await send(begun)
    } catch {
      try? transactions.rollback(begun, of: TransactionOwner(id, context))
      throw error
    }
  }

  private func read<Value: Sendable>(
    in transaction: Data, _ owner: TransactionOwner,
    _ body:
      @escaping @Sendable (DatabaseSnapshot, Database) throws(DatabaseError) -> Value
  ) async throws(DatabaseError) -> ReadAnswer<Value> {
    let database = try transactions.database(of: transaction, for: owner)
    return try await transactions.read(in: transaction, of: owner) {
      snapshot throws(DatabaseError) in
      ReadAnswer(value: try body(snapshot, database), snapshot: snapshot.unrecorded())
    }
  }

  /// Begins a transaction and reads in it. The transaction ends if the read fails, since its client
  /// doesn't learn its id.
  private func read<Value: Sendable>(
    inNew mode: TransactionMode, of id: DatabaseID, _ context: CallContext,
    _ body:
      @escaping @Sendable (DatabaseSnapshot, Database) throws(DatabaseError) -> Value
  ) async throws(DatabaseError) -> ReadAnswer<Value> {
    let transaction = try await begin(mode, in: id, context)
    let owner = TransactionOwner(id, context)
    do throws(DatabaseError) {
      var answer = try await read(in: transaction, owner, body)
      guard !Task.isCancelled else {
        throw DatabaseError(.cancelled, "The client has cancelled the call.")
      }
      answer.transaction = transaction
      return answer
    } catch {
      try transactions.rollback(transaction, of: owner)
      throw error
    }
  }

  private func begin(
    _ mode: TransactionMode, in id: DatabaseID, _ context: CallContext
  ) async throws(DatabaseError) -> Data {
    try context.check(id)
    let owner = TransactionOwner(id, context)
    var seniority: LockingTransaction.Seniority?
    if let earlier = mode.earlier {
      seniority = try transactions.seniority(ofEarlier: earlier, of: owner)
    }
    let judge = transactions.limitsUsers ? try judge(of: id, context) : nil
    let database = try await database(id, context, for: mode.use)
    return try transactions.begin(
      mode, in: database, id, for: owner, user: judge == nil ? nil : context.caller,
      seniority: seniority
    ).data
  }
}

extension ReadAnswer {
  /// Reads on the present thread, at a time or now.
  fileprivate init(
    _ database: Database, _ time: Timestamp?,
    _ body: (DatabaseSnapshot, Database) throws(DatabaseError) -> Value
  ) throws(DatabaseError) {
    let snapshot =
      if let time { try database.snapshot(at: time) } else { try database.snapshot() }
    self.init(value: try body(snapshot, database), snapshot: snapshot)
  }
}
