package import Hearth
package import HearthDocumentModel

/// The databases of a server by their identities.
package protocol DatabaseSource: Sendable {
  /// Returns an open database. It stays open for as long as the caller holds it, or a query or a
  /// snapshot of it.
  ///
  /// - Throws: `notFound` for a database that doesn't exist and isn't to be made; errors of opening
  ///   it; `resourceExhausted` if too many are in use; `unavailable` if the server is stopping.
  func database(_ id: DatabaseID, for use: DatabaseUse) async throws(DatabaseError) -> Database
}

/// The purpose of a call on a database.
package enum DatabaseUse: Sendable {
  /// Reading alone. A database that doesn't exist is empty, and isn't made.
  case reading
  /// Writing too. A database that doesn't exist is made.
  case writing
  /// Making it, also where a write makes none.
  case creating
}
