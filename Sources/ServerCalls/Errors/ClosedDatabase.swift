import Hearth
package import HearthDocumentModel

extension DatabaseError {
  /// The error as a client gets it. A database that was closed under a call is opened again by the
  /// next one, so the client should try again.
  package var forClient: DatabaseError {
    guard isOfClosedDatabase else { return self }
    return DatabaseError(
      .unavailable, "The database was closed during the call. Try again.", cause: self)
  }
}
