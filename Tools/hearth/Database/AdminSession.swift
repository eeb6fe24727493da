import HearthAdminSocket
import Hearth

/// The database that a command works on: one that the tool opened, or one that an application has
/// open. Both answer the same calls.
final class AdminSession {
  enum Access {
    case own(Database)
    case application(AdminClient)
  }

  /// A closure that opens the database, at first and again after an application has closed it.
  private let open: () throws -> Access
  private var access: Access
  /// A database for building queries. If an application has the database, this is an empty one in
  /// memory with the same identity.
  let queries: Database
  let databaseID: DatabaseID

  init(_ open: @escaping () throws -> Access) throws {
    self.open = open
    access = try open()
    switch access {
    case .own(let database):
      queries = database
      databaseID = try database.id()
    case .application(let client):
      databaseID = client.hello.databaseID
      queries = try Database.inMemory(databaseID: databaseID)
    }
  }

  /// The database, if the tool has opened it itself.
  var own: Database? {
    switch access {
    case .own(let database): database
    case .application: nil
    }
  }

  /// Makes a call.
  ///
  /// - Parameter item: a closure that receives each item as it comes, and ends the call by
  ///   throwing.
  /// - Throws: the database's refusal; `unavailable` if the application ends meanwhile.
  func run<Call: DatabaseCall>(
    _ call: Call, _ item: (Call.Item) throws -> Void = { _ in }
  ) throws -> Call.Answer {
    while true {
      switch access {
      case .own(let database): return try call.perform(on: database, item)
      case .application(let client):
        do {
          return try client.run(call, item)
        } catch is ClosedConnection {
          // The call has not begun.
          access = try open()
        } catch let error as DatabaseError {
          throw AdminSession.error(error, of: Call.self, by: client.hello)
        }
      }
    }
  }

  /// Returns the error of an application with what the user of a write must know.
  private static func error<Call: DatabaseCall>(
    _ error: DatabaseError, of call: Call.Type, by application: AdminHello
  ) -> any Error {
    if error.details is RefusedToolWrite {
      return ToolFailure(
        .writesRefused, error.code,
        "\(application.application) has the database open, and takes no writes from the tool.\n"
          + "It takes them if it opens the database with acceptsToolWrites in Database.Options. "
          + "Otherwise try again when it is done.")
    }
    guard call.writesDocuments, error.details is LostApplication else { return error }
    return DatabaseError(
      error.code, "\(error.message.sentence) The write may have been made, or not.",
      details: error.details, cause: error.cause)
  }

  /// Makes a call about one index.
  ///
  /// - Parameter stranger: the noun for a missing index, as the end of "there is no".
  /// - Throws: the same errors, but in the tool's words if the index doesn't exist.
  func run<Call: DatabaseCall>(
    _ call: Call, on definition: IndexDefinition, unlike stranger: String = "such index",
    _ item: (Call.Item) throws -> Void = { _ in }
  ) throws -> Call.Answer {
    do {
      return try run(call, item)
    } catch let error as DatabaseError {
      guard error.code == .notFound else { throw error }
      throw ToolFailure.notFound(
        "there is no \(stranger): \(definition.title).\n`hearth index list` shows all.")
    }
  }
}
