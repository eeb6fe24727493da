import FoundationEssentials
import HearthDocumentModel
import Synchronization

/// A folder with a folder for each project, and in there one for each of its databases.
final class DatabaseRoot: Sendable {
  /// The folder of databases whose files are being removed. No id has its name.
  private static let removedName = ".removed"

  /// The folder of the database of accounts. No id has its name.
  static let accountsName = ".accounts"

  private let path: String
  /// Held while folders of projects come and go.
  private let folders = Mutex(0)

  /// Takes the folder, and makes it if it is missing.
  ///
  /// - Throws: `failedPrecondition` for a file; `unavailable`, with the system's words.
  init(_ path: String) throws(DatabaseError) {
    self.path = path
    var isFolder = false
    if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), !isFolder {
      throw DatabaseError(
        .failedPrecondition, "\(path) is a file; the databases of a server are in a folder.")
    }
    try attempt("make the folder \(path)") { files in
      try files.createDirectory(atPath: path, withIntermediateDirectories: true)
      // A server that was killed may have left some.
      let removed = "\(path)/\(DatabaseRoot.removedName)"
      if files.fileExists(atPath: removed) { try files.removeItem(atPath: removed) }
    }
  }

  /// Whether a folder is a database, finished or still to be finished.
  static func isDatabase(_ path: String) -> Bool {
    ["FORMAT", "FORMAT.new"].contains { FileManager.default.fileExists(atPath: "\(path)/\($0)") }
  }

  /// The path of the folder of the accounts, whether it exists or not.
  var accountsFolder: String { "\(path)/\(DatabaseRoot.accountsName)" }

  /// Returns the path of a database's folder, whether it exists or not.
  ///
  /// - Throws: `invalidArgument` for an id that can't name a folder.
  func folder(of id: DatabaseID) throws(DatabaseError) -> String {
    try "\(path)/\(id.folderPath())"
  }

  /// Returns the databases of a project.
  ///
  /// - Throws: `invalidArgument` for an id that can't name a folder.
  func ids(inProject project: String) throws(DatabaseError) -> [DatabaseID] {
    let folder = try "\(path)/\(DatabaseID(project: project).projectFolderName())"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.compactMap { name in
      guard DatabaseRoot.isDatabase("\(folder)/\(name)") else { return nil }
      return DatabaseID(project: project, folderName: name)
    }
  }

  /// Makes the folder of a database, so that it survives a power loss.
  ///
  /// - Throws: `invalidArgument` for an id that can't name a folder; `unavailable`, with the
  ///   system's words.
  func makeFolder(of id: DatabaseID) throws(DatabaseError) {
    let folder = try folder(of: id)
    try attempt("make the folder \(folder)") { files in
      try files.createDirectory(atPath: folder, withIntermediateDirectories: true)
      try SystemCalls.synchronize(folder + "/..")
      try SystemCalls.synchronize(path)
    }
  }

  /// Removes the folder of a database, and that of its project with the last one. A crash leaves
  /// the whole database or nothing of it.
  ///
  /// - Throws: `unavailable`, with the system's words.
  func remove(_ id: DatabaseID) throws(DatabaseError) {
    let folder = try folder(of: id)
    let project = try "\(path)/\(id.projectFolderName())"
    let removed = "\(path)/\(DatabaseRoot.removedName)"
    let own = "\(removed)/\(UUID().uuidString)"
    try attempt("remove the folder \(folder)") { files in
      guard files.fileExists(atPath: folder) else { return }
      try files.createDirectory(atPath: removed, withIntermediateDirectories: true)
      try files.moveItem(atPath: folder, toPath: own)
      try SystemCalls.synchronize(project)
      try files.removeItem(atPath: own)
      SystemCalls.removeIfEmpty(removed)
      SystemCalls.removeIfEmpty(project)
    }
  }

  /// Runs `body`, one at a time: folders of projects come and go.
  private func attempt(
    _ purpose: String, _ body: (FileManager) throws -> Void
  ) throws(DatabaseError) {
    do {
      try folders.withLock { _ in try body(.default) }
    } catch {
      throw DatabaseError(.unavailable, "The server can't \(purpose): \(error)", cause: error)
    }
  }
}
