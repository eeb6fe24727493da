package import Hearth
package import HearthDocumentModel
import HearthServerCalls
import Synchronization

/// Databases in memory, each made at its first use. They live as long as this object.
package final class MemoryDatabases: DatabaseSource {
  private let databases = Mutex<[DatabaseID: Database]>([:])

  package init() {}

  package func database(_ id: DatabaseID) async throws(DatabaseError) -> Database {
    let outcome = databases.withLock { databases in
      Result { () throws(DatabaseError) in
        if let database = databases[id] { return database }
        let database = try Database.inMemory(databaseID: id, history: HistoryLimits())
        databases[id] = database
        return database
      }
    }
    return try outcome.get()
  }
}
