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
    try database.withDatabase { database in
      try OutputWriter.withWriter { writer in
        guard let path, path.isCollection else {
          for collection in try collections(below: path, in: database) {
            try print(collection.path, "collection", to: writer)
          }
          return
        }
        var query = try database.collection(path.description).query
        if let limit { query = query.limit(to: limit) }
        _ = try QueryCall(RunnableQuery(query)).perform(on: database) { document in
          try print(document.name.path, "document", to: writer)
        }
      }
    }
  }

  private func collections(
    below path: ResourcePath?, in database: Database
  ) throws(DatabaseError) -> [CollectionReference] {
    guard let path else { return try database.listCollections() }
    return try database.document(path.description).listCollections()
  }

  private func print(_ path: ResourcePath, _ kind: String, to writer: OutputWriter) throws {
    guard output.json else { return try writer.print(path.description.printable) }
    try writer.print(["kind": kind, "path": path.description])
  }
}
