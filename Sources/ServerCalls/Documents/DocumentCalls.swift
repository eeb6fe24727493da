import Hearth
import HearthDocumentModel
import HearthProtocols

/// The methods of `google.firestore.v1.Firestore`, from message to message.
///
/// They run on threads that may block for a read of the disk. Each checks its request in one order:
/// names, the rest of the message, and then the database.
package struct DocumentCalls: Sendable {
  private let databases: any DatabaseSource

  package init(_ databases: any DatabaseSource) {
    self.databases = databases
  }

  /// Returns the database of a request.
  ///
  /// - Throws: `invalidArgument` if the call's headers name another one; the errors of the source.
  func database(
    _ id: DatabaseID, _ context: CallContext
  ) async throws(DatabaseError) -> Database {
    try context.check(id)
    return try await databases.database(id)
  }
}

/// Runs `body`, which may block for a read of the disk, on the present thread: one of the calls'.
/// Inside of it the synchronous forms of Hearth's calls are meant, which need no other thread.
func blocking<Result>(
  _ body: () throws(DatabaseError) -> Result
) throws(DatabaseError) -> Result {
  try body()
}

/// The function that sends one message of a stream. It suspends while the client doesn't read.
package typealias Sending<Message> = (Message) async throws -> Void
