package import HearthDocumentModel

extension DatabaseError {
  /// The error for a database that doesn't exist, in production's words (W§4.8).
  package static func unknownDatabase(_ id: DatabaseID) -> DatabaseError {
    DatabaseError(
      .notFound,
      "The database \(id.database) does not exist for project \(id.project) Please visit "
        + "https://console.cloud.google.com/datastore/setup?project=\(id.project) to add a Cloud "
        + "Datastore or Cloud Firestore database. ")
  }
}
