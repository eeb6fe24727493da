import FoundationEssentials
import Hearth

/// A copy of a database's folder, which writers change in place of the database.
struct DatabaseCopy {
  let path: String

  /// Copies the folder to one beside it.
  ///
  /// The database must not be open. It is not locked meanwhile; a change by another process is
  /// found afterwards.
  ///
  /// - Parameter lastAct: the act of a run that is broken off, which removes the copy.
  /// - Throws: ``ToolFailure`` if a file can't be read or written, or if the database changed.
  init(of folder: String, _ lastAct: LastAct) throws {
    let source = DatabaseCopy.plain(folder)
    let path = source + DatabaseCopy.mark + "\(UInt32.random(in: 0 ... .max))"
    self.path = path
    lastAct.set { DatabaseCopy.removeInUse(path) }
    do {
      let before = try DatabaseCopy.state(of: source)
      try DatabaseCopy.copy(source, to: path)
      guard try DatabaseCopy.state(of: source) == before else {
        throw ToolFailure(
          .tryAgain, .aborted,
          "another process wrote to \(folder) while it was copied: try again.")
      }
    } catch {
      try? FileManager.default.removeItem(atPath: path)
      throw (error as? ToolFailure)
        ?? ToolFailure(
          .inputOutput, .unknown,
          "\(folder) can't be copied to \(path), where the writers would write: "
            + "\("\(error)".sentence)")
    }
  }

  private static let mark = ".bench-"

  /// Returns the path of a folder without slashes at its end.
  private static func plain(_ folder: String) -> String {
    var folder = folder
    while folder.utf8.count > 1, folder.utf8.last == UInt8(ascii: "/") { folder.removeLast() }
    return folder
  }

  /// Returns the paths of the copies of a database that other runs have made: one that was killed
  /// leaves its copy.
  static func others(of folder: String) -> [String] {
    let source = plain(folder)
    let parts = source.split(separator: "/", omittingEmptySubsequences: false)
    let parent = parts.count > 1 ? parts.dropLast().joined(separator: "/") + "/" : ""
    let start = (parts.last ?? "") + mark
    // An unreadable folder shows none.
    let names = try? FileManager.default.contentsOfDirectory(atPath: parent.isEmpty ? "." : parent)
    return (names ?? []).filter { name in
      name.hasPrefix(start) && UInt32(name.dropFirst(start.count)) != nil
    }.sorted().map { parent + $0 }
  }

  /// Deletes a copy that writers may still write to: files that come meanwhile go at a further try.
  private static func removeInUse(_ path: String) {
    for _ in 0..<10 where FileManager.default.fileExists(atPath: path) {
      // The next try is the answer to a failure.
      try? FileManager.default.removeItem(atPath: path)
    }
    if FileManager.default.fileExists(atPath: path) {
      StandardError.print("\nThe copy at \(path) is left: delete it.")
    }
  }

  /// Copies all files but the socket that a process may have left, which is no regular file.
  private static func copy(_ source: String, to path: String) throws {
    let files = FileManager.default
    try files.createDirectory(atPath: path, withIntermediateDirectories: false)
    for name in try files.contentsOfDirectory(atPath: source) where !name.hasPrefix("admin.") {
      try files.copyItem(atPath: "\(source)/\(name)", toPath: "\(path)/\(name)")
    }
  }

  /// Deletes the copy.
  ///
  /// - Throws: ``ToolFailure`` if that fails.
  func remove() throws {
    do {
      try FileManager.default.removeItem(atPath: path)
    } catch {
      throw ToolFailure(
        .inputOutput, .unknown,
        "the copy at \(path) can't be deleted: \("\(error)".sentence)")
    }
  }

  /// Returns the files below the folder with their sizes and the times of their last change.
  private static func state(of folder: String) throws -> [String] {
    let files = FileManager.default
    return try files.subpathsOfDirectory(atPath: folder).sorted().map { name in
      let attributes = try files.attributesOfItem(atPath: "\(folder)/\(name)")
      let time = (attributes[.modificationDate] as? Date)?.timeIntervalSinceReferenceDate ?? 0
      return "\(name) \(attributes[.size] ?? 0) \(time)"
    }
  }
}
