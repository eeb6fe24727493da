import HearthAdminSocket
import ArgumentParser
import Hearth

struct DeleteCommand: JSONCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete",
    abstract: "Delete a document, or with --recursive everything below a path.",
    discussion: """
      Without --recursive the collections below the document stay, and the command ends with 1 if \
      the document doesn't exist. With --recursive the path may also be that of a collection.

      Before more than one document is deleted, the command tells how many they are, and asks. \
      Where there is no terminal to ask on, it needs --yes. Interrupted, it keeps what is not \
      deleted yet; the same command goes on.

        hearth delete cities/tokyo
        hearth delete cities --recursive
        hearth delete cities --recursive --yes
      """)

  @Argument(
    help: "The path of a document or, with --recursive, of a collection.", completion: .paths)
  var path: String

  @Flag(help: "Delete everything below the path too.")
  var recursive = false

  @Flag(help: "Don't ask before more than one document is deleted.")
  var yes = false

  @OptionGroup var database: DatabaseOptions
  @OptionGroup var output: OutputOptions

  func run() throws {
    let path = try ResourcePath(path)
    guard recursive || path.isDocument else {
      throw ToolFailure(
        .usage, .invalidArgument, "\(path) is a collection: --recursive deletes all of it.")
    }
    let count = try database.withSession { session in
      if recursive { return try deleteAll(at: path, in: session) }
      do {
        _ = try session.run(CommitCall([.delete(path, .exists(true))]))
      } catch let error as DatabaseError {
        guard error.code == .notFound else { throw error }
        throw ToolFailure.notFound("there is no document \(path).")
      }
      return 1
    }
    try output.report(["deleted": count], "\(Figure.documents(count)) deleted")
  }

  /// Deletes the document or collection at a path with everything below it, once the user has
  /// agreed to more than one document.
  private func deleteAll(at path: ResourcePath, in session: AdminSession) throws -> Int {
    let counting = ProgressBar(title: "count", unit: "documents")
    defer { counting.finish() }
    let count = try session.run(CountBelowCall(path)) { counting.update($0) }.count
    counting.finish()
    if count > 1, !yes {
      try Confirmation.require(
        "Delete \(Figure.documents(count)) at \(path)?", doing: "deletes \(Figure.documents(count))"
      )
    }
    let bar = ProgressBar(title: "delete", unit: "documents")
    defer { bar.finish() }
    return try session.run(RecursiveDeleteCall(path)) { deleted in
      bar.update(
        count: deleted.count, fraction: Double(deleted.count) / Double(max(count, 1)))
    }.count
  }
}
