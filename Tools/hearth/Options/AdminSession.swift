import AdminSocket
import Hearth

/// The database that a command works on: the tool's own, or that of the application which has it
/// open. What is asked of either is the same.
final class AdminSession {
  enum Access {
    case own(Database)
    case application(AdminClient)
  }

  /// Finds the database again, where an application has closed it.
  private let open: () throws -> Access
  private var access: Access
  /// A database that queries can be made on; an application's has one of its identity in its place,
  /// in memory and empty.
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
  /// - Parameter item: is told each item as it comes, and ends the call by throwing.
  /// - Throws: what the database refuses; `unavailable` where the application ends meanwhile.
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
          // The call was not begun.
          access = try open()
        }
      }
    }
  }

  /// Makes a call that is about one index.
  ///
  /// - Parameter stranger: what an index is called that isn't there, as an end of "there is no".
  /// - Throws: the same, but in the tool's words where the index isn't there.
  func run<Call: DatabaseCall>(
    _ call: Call, on definition: IndexDefinition, unlike stranger: String = "such index",
    _ item: (Call.Item) throws -> Void = { _ in }
  ) throws -> Call.Answer {
    do {
      return try run(call, item)
    } catch let error as DatabaseError {
      guard error.code == .notFound else { throw error }
      throw ToolFailure(
        .refused, .notFound,
        "there is no \(stranger): \(definition.title).\n`hearth index list` shows all.")
    }
  }
}
