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
  /// - Throws: ``ToolFailure`` if a file can't be read or written, or if the database changed.
  init(of folder: String) throws {
    var source = folder
    while source.utf8.count > 1, source.utf8.last == UInt8(ascii: "/") { source.removeLast() }
    path = "\(source).bench-\(UInt32.random(in: 0 ... .max))"
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
