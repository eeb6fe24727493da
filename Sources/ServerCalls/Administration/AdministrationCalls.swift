import Hearth
package import HearthDocumentModel
import HearthProtocols
import SwiftProtobuf

/// The databases of a server, as they are administered.
package protocol AdministeredDatabases: DatabaseSource {
  /// Returns the databases of a project, in the order of their ids.
  func ids(inProject project: String) throws(DatabaseError) -> [DatabaseID]

  /// Whether a database exists.
  func contains(_ id: DatabaseID) -> Bool

  /// Makes a database, also where a write makes none.
  ///
  /// - Returns: whether this call made it; another one may have been quicker.
  /// - Throws: the errors of opening it.
  func create(_ id: DatabaseID) async throws(DatabaseError) -> Bool

  /// Removes a database with all that is in it.
  ///
  /// - Throws: `failedPrecondition` for the only database of a server; `unavailable`, with the
  ///   system's words.
  func remove(_ id: DatabaseID) async throws(DatabaseError)
}

/// The methods of `google.firestore.admin.v1.FirestoreAdmin` and `google.longrunning.Operations`,
/// from message to message (W§8).
///
/// Each checks its request in one order: names, the rest of the message, and then the database.
package struct AdministrationCalls: Sendable {
  let databases: any AdministeredDatabases
  let operations: Operations
  let transactions: Transactions

  /// - Parameters:
  ///   - operations: the operations that the calls begin and list.
  ///   - transactions: those of clients, which end with their database.
  package init(
    _ databases: any AdministeredDatabases, _ operations: Operations,
    _ transactions: Transactions = Transactions()
  ) {
    self.databases = databases
    self.operations = operations
    self.transactions = transactions
  }

  /// Returns the database of a request, as ``CallContext/database(_:in:for:)`` does.
  func database(
    _ id: DatabaseID, _ context: CallContext, for use: DatabaseUse = .reading
  ) async throws(DatabaseError) -> Database {
    try await context.database(id, in: databases, for: use)
  }

  /// - Throws: `invalidArgument` for any filter.
  func checkNoFilter(_ filter: String) throws(DatabaseError) {
    guard filter.isEmpty else {
      throw .invalidArgument("The filter \"\(filter)\" is not supported here.")
    }
  }
}
