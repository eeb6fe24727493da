import HearthAdminSocket
import ArgumentParser
import HearthFirestoreJSON
import Hearth

struct ListCommand: JSONCommand {
  static let configuration = CommandConfiguration(
    commandName: "ls",
    abstract: "List collections, or the documents of a collection.",
    discussion: """
      Without a path, lists the collections at the top; with a document's path, the collections \
      below it; with a collection's path, its documents.

        hearth ls
        hearth ls cities --limit 10
        hearth ls cities/tokyo
      """)

  @Argument(help: "The path of a collection or of a document.")
  var path: String?

  @Option(
    name: [.long, .customShort("n")], parsing: .unconditional, help: "At most this many documents.")
  var limit: Int?

  @OptionGroup var database: DatabaseOptions
  @OptionGroup var output: OutputOptions

  func run() throws {
    let path = try path.map { text throws(DatabaseError) in try ResourcePath(text) }
    try database.withSession { session in
      try OutputWriter.withWriter { writer in
        guard let path, path.isCollection else {
          let parent = path ?? .root
          _ = try session.run(CollectionsCall(below: parent)) { page in
            for id in page.elements {
              try print(parent.appending(id), "collection", to: writer)
            }
          }
          return
        }
        // Names alone: a document isn't sent for its name.
        var query = try session.queries.collection(path.description).query.select(["__name__"])
        if let limit { query = query.limit(to: limit) }
        _ = try session.run(QueryCall(RunnableQuery(query))) { document in
          try print(document.name.path, "document", to: writer)
        }
      }
    }
  }

  private func print(_ path: ResourcePath, _ kind: String, to writer: OutputWriter) throws {
    guard output.json else { return try writer.print(path.description.printable) }
    try writer.print(["kind": kind, "path": path.description])
  }
}
