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

  @Argument(help: "The path of a collection or of a document.", completion: .paths)
  var path: String?

  @Option(
    name: [.long, .customShort("n")], parsing: .unconditional, help: "At most this many documents.")
  var limit: Int?

  @OptionGroup var database: ReadingOptions
  @OptionGroup var output: RowOptions

  func run() throws {
    let path = try path.map { text throws(DatabaseError) in try ResourcePath(text) }
    try database.withSession { session in
      try output.pager.withWriter { writer in
        let list = try PathList(output.style, to: writer)
        guard let path, path.isCollection else {
          let parent = path ?? .root
          _ = try session.run(CollectionsCall(below: parent)) { page in
            for id in page.elements { try list.append(parent.appending(id), "collection") }
          }
          return
        }
        // Names alone: a document isn't sent for its name.
        var query = try session.queries.collection(path.description).query.select(["__name__"])
        if let limit { query = query.limit(to: limit) }
        _ = try session.run(QueryCall(RunnableQuery(query))) { document in
          try list.append(document.name.path, "document")
        }
      }
    }
  }
}

/// A list of paths in the form that the user chose, written as they come. Without a choice it has a
/// path on each line.
private struct PathList {
  private let style: OutputStyle
  private let writer: OutputWriter

  init(_ style: OutputStyle, to writer: OutputWriter) throws {
    self.style = style
    self.writer = writer
    guard style.isChosen else { return }
    switch style.form {
    case .csv: try writer.append(CSVText.line(["kind", "path"]))
    // The kinds have ten letters at most.
    case .tables: try writer.append("kind        path\n──────────  ────\n")
    case .jsonLines, .vertical: break
    }
  }

  func append(_ path: ResourcePath, _ kind: String) throws {
    guard style.isChosen else { return try writer.print(path.description.printable) }
    switch style.form {
    case .csv: try writer.append(CSVText.line([kind, path.description]))
    case .tables:
      let padding = String(repeating: " ", count: 12 - kind.utf8.count)
      try writer.print(kind + padding + path.description.printable)
    case .jsonLines: try writer.print(["kind": kind, "path": path.description])
    case .vertical:
      let record = VerticalRecord([("kind", kind), ("path", path.description)])
      try writer.append(record.text(title: path.lastSegment ?? "", style))
    }
  }
}
