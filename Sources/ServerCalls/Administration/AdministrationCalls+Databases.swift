import Hearth
package import HearthDocumentModel
import HearthProtocols
import SwiftProtobuf

extension AdministrationCalls {
  /// Returns the databases of a project.
  package func listDatabases(
    _ request: Admin.ListDatabasesRequest, _ context: CallContext
  ) async throws(DatabaseError) -> Admin.ListDatabasesResponse {
    let name = try AdministrationName(request.parent, .project)
    let ids = try databases.ids(inProject: name.project)
    return Admin.ListDatabasesResponse.with { $0.databases = ids.map(\.message) }
  }

  /// Returns a database as a resource.
  ///
  /// - Throws: `invalidArgument` for a malformed name; `notFound`.
  package func getDatabase(
    _ request: Admin.GetDatabaseRequest, _ context: CallContext
  ) async throws(DatabaseError) -> Admin.DatabaseMessage {
    try known(try AdministrationName(request.name, .database)).message
  }

  /// Makes a database. The operation is at its end when the call returns.
  package func createDatabase(
    _ request: Admin.CreateDatabaseRequest, _ context: CallContext
  ) async throws(DatabaseError) -> Admin.OperationMessage {
    let parent = try AdministrationName(request.parent, .project)
    guard request.databaseID.isDatabaseID else {
      throw .invalidArgument(
        "\"\(request.databaseID)\" is no id for a database: that is (default), or 4 to 63 of a-z, "
          + "0-9 and -, with a letter first and no - last.")
    }
    guard [.unspecified, .firestoreNative].contains(request.database.type) else {
      throw .invalidArgument("Only databases of the type FIRESTORE_NATIVE are served.")
    }
    guard [.unspecified, .standard].contains(request.database.databaseEdition) else {
      throw .invalidArgument("Only databases of the edition STANDARD are served.")
    }
    let id = try DatabaseID(project: parent.project, database: request.databaseID)
    guard try await databases.create(id) else {
      throw DatabaseError(
        .alreadyExists, "Database already exists. Please use another database_id")
    }
    return operations.addEnded(
      .database(try? Google_Protobuf_Any(message: Admin.CreateDatabaseMetadata())), in: id,
      response: try? Google_Protobuf_Any(message: id.message)
    ).message
  }

  /// Removes a database with all that is in it. The operation is at its end when the call returns.
  package func deleteDatabase(
    _ request: Admin.DeleteDatabaseRequest, _ context: CallContext
  ) async throws(DatabaseError) -> Admin.OperationMessage {
    let id = try known(try AdministrationName(request.name, .database))
    guard request.etag.isEmpty || request.etag == id.message.etag else {
      throw DatabaseError(.failedPrecondition, "The etag is not that of the database.")
    }
    try await databases.remove(id)
    operations.forgetAll(of: id)
    transactions.endAll(of: id)
    return operations.addEnded(
      .database(try? Google_Protobuf_Any(message: Admin.DeleteDatabaseMetadata())), in: id,
      response: try? Google_Protobuf_Any(message: id.message)
    ).message
  }

  /// - Throws: `notFound` for a database that doesn't exist.
  private func known(_ name: AdministrationName) throws(DatabaseError) -> DatabaseID {
    let id = try name.database()
    guard databases.contains(id) else { throw .unknownDatabase(id) }
    return id
  }
}

extension DatabaseID {
  /// The database as a resource.
  fileprivate var message: Admin.DatabaseMessage {
    Admin.DatabaseMessage.with { message in
      message.name = description
      message.type = .firestoreNative
      message.databaseEdition = .standard
      message.concurrencyMode = .pessimistic
      message.appEngineIntegrationMode = .disabled
      message.deleteProtectionState = .deleteProtectionDisabled
      message.pointInTimeRecoveryEnablement = .pointInTimeRecoveryDisabled
      message.versionRetentionPeriod = .init(seconds: 3_600)
      // A database has no settings that change, so it always has the same one.
      message.etag = Base64.text(of: Array(description.utf8), .url)
    }
  }
}

extension String {
  /// Whether production takes the text as the id of a new database.
  fileprivate var isDatabaseID: Bool {
    guard self != "(default)" else { return true }
    let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    let dash = UInt8(ascii: "-")
    return (4...63).contains(utf8.count) && utf8.first.map(letters.contains) == true
      && utf8.last != dash
      && utf8.allSatisfy { letters.contains($0) || digits.contains($0) || $0 == dash }
  }
}
