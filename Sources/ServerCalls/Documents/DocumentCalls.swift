import Hearth
import HearthDocumentModel
import HearthRules
import HearthProtocols

/// The methods of `google.firestore.v1.Firestore`, from message to message.
///
/// They run on threads that may block for a read of the disk. Each checks its request in one order:
/// names, the rest of the message, and then the database.
package struct DocumentCalls: Sendable {
  private let databases: any DatabaseSource
  let transactions: Transactions
  let rules: ServedRules
  private let noteRefusal: @Sendable (Refusal) -> Void
  let listenerCount: ListenerCount
  /// Waits as long as a stream of listeners may be silent.
  let silence: @Sendable () async throws -> Void

  /// - Parameters:
  ///   - transactions: the transactions of the clients, which all calls of a server share.
  ///   - rules: the rules by which calls are judged.
  ///   - noteRefusal: receives the refusals of queries that lack an index.
  ///   - listenerCount: the listeners of all streams.
  ///   - silence: waits as long as a stream of listeners may be silent. Some clients begin anew
  ///     after two minutes.
  package init(
    _ databases: any DatabaseSource, transactions: Transactions = Transactions(),
    rules: ServedRules = ServedRules(),
    noteRefusal: @escaping @Sendable (Refusal) -> Void = { _ in },
    listenerCount: ListenerCount = ListenerCount(),
    silence: @escaping @Sendable () async throws -> Void = {
      try await Task.sleep(for: .seconds(30))
    }
  ) {
    self.databases = databases
    self.transactions = transactions
    self.rules = rules
    self.listenerCount = listenerCount
    self.silence = silence
    self.noteRefusal = noteRefusal
  }

  /// Returns the database of a request, as ``CallContext/database(_:in:for:)`` does.
  func database(
    _ id: DatabaseID, _ context: CallContext, for use: DatabaseUse = .reading
  ) async throws(DatabaseError) -> Database {
    try await context.database(id, in: databases, for: use)
  }

  /// Returns the judge of a call; `nil` if the caller is an administrator.
  ///
  /// - Throws: `unauthenticated` or `invalidArgument` for credentials that can't be read.
  func judge(of id: DatabaseID, _ context: CallContext) throws(DatabaseError) -> RulesJudge? {
    try rules.judge(of: id, for: context.authorization)
  }

  /// Checks that the caller is an administrator.
  ///
  /// - Throws: `refusal`; the errors of ``judge(of:_:)``.
  func checkAdministrator(
    of id: DatabaseID, _ context: CallContext, else refusal: DatabaseError = .needsAdministrator
  ) throws(DatabaseError) {
    guard try judge(of: id, context) == nil else { throw refusal }
  }

  /// Runs `body`, and notes its error if it is a refusal by rules.
  func notingRefusals<Result>(
    in id: DatabaseID, _ body: () async throws(DatabaseError) -> Result
  ) async throws(DatabaseError) -> Result {
    do throws(DatabaseError) {
      return try await body()
    } catch {
      rules.note(error, in: id)
      throw error
    }
  }

  /// Notes an error if it is the refusal of a query that lacks an index.
  func note(_ error: DatabaseError, of query: RequestedQuery) {
    if let refusal = Refusal(query, error) { noteRefusal(refusal) }
  }
}

/// Runs `body`, which may block for a read of the disk, on the present thread: one of the calls'.
/// Inside of it the synchronous forms of Hearth's calls are meant, which need no other thread.
func blocking<Result>(
  _ body: () throws(DatabaseError) -> Result
) throws(DatabaseError) -> Result {
  try body()
}

/// The function that returns the client's next message of a stream; `nil` after the last one. It
/// throws `CancellationError` once the call is over.
package typealias Receiving<Message> = @Sendable () async throws -> Message?

/// The function that sends one message of a stream. It suspends while the client doesn't read.
package typealias Sending<Message> = (Message) async throws -> Void
