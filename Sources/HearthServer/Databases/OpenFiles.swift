/// The division of the files that a process may have open, among a server's databases and its
/// connections.
package struct OpenFiles {
  /// Files of the process itself, and those of the port.
  private static let processCount = 64
  /// Files of one database beside its tables: its logs, its locks, and the sockets of the tool.
  private static let databaseCount = 16
  /// The part that LevelDB takes for the tables of all databases of a process.
  private static let tablePart = 5
  /// The part that clients have in any case.
  private static let connectionPart = 4

  private let limit: Int

  /// - Parameter limit: the number of files that the process may have open.
  package init(limit: Int) {
    // No file has a greater number.
    self.limit = min(limit, Int(Int32.max))
  }

  /// Returns the number of connections that leave the databases their files.
  ///
  /// - Parameters:
  ///   - databaseCount: the number of databases in folders that may be open at once.
  ///   - most: the number beyond which it never goes.
  package func connectionCount(besides databaseCount: Int, upTo most: Int) -> Int {
    let part = OpenFiles.databaseCount
    let forDatabases = min(max(0, databaseCount), limit / part) * part
    let reserve = limit / OpenFiles.tablePart + OpenFiles.processCount + forDatabases
    return min(most, max(limit - reserve, limit / OpenFiles.connectionPart, 1))
  }
}
