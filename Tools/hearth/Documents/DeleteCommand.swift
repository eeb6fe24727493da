import ArgumentParser
import Hearth

struct DeleteCommand: JSONCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete",
    abstract: "Delete a document, or with --recursive everything below a path.",
    discussion: """
      Without --recursive the collections below the document stay, and the command ends with 1 if \
      the document doesn't exist. With --recursive the path may also be that of a collection.

        hearth delete cities/tokyo
        hearth delete cities --recursive
      """)

  @Argument(help: "The path of a document or, with --recursive, of a collection.")
  var path: String

  @Flag(help: "Delete everything below the path too.")
  var recursive = false

  @OptionGroup var database: DatabaseOptions
  @OptionGroup var output: OutputOptions

  func run() throws {
    let path = try ResourcePath(path)
    guard recursive || path.isDocument else {
      throw ToolFailure(
        .usage, .invalidArgument, "\(path) is a collection: --recursive deletes all of it.")
    }
    let count = try database.withDatabase { database in
      if recursive { return try database.recursiveDelete(path.description) }
      do throws(DatabaseError) {
        try database.commit([.delete(path, .exists(true))])
      } catch {
        guard error.code == .notFound else { throw error }
        throw ToolFailure.notFound("there is no document \(path).")
      }
      return 1
    }
    try output.report(["deleted": count], "\(Figure.documents(count)) deleted")
  }
}
