package import Hearth
package import HearthDocumentModel

/// The databases of a server by their identities.
package protocol DatabaseSource: Sendable {
  /// Returns an open database. It stays open for as long as the caller holds it.
  ///
  /// - Throws: `notFound` for a database that doesn't exist; errors of opening it.
  func database(_ id: DatabaseID) async throws(DatabaseError) -> Database
}
