import ArgumentParser
import HearthFirestoreJSON
import Hearth

struct ExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Export the documents of a collection, one JSON object a line.",
    discussion: """
      Plain JSON has each document's id in the field named by --id-field, and `import` with the \
      same --id-field reads it; timestamps and other types that JSON lacks become text. With \
      --typed nothing is lost: `import --format typed` reads it.

        hearth export cities > cities.ndjson
        hearth export cities --typed -o cities.typed.ndjson
      """)

  @Argument(help: "The path of the collection.")
  var collection: String

  @Option(help: ArgumentHelp("The field to write the document's id to.", valueName: "field"))
  var idField = "id"

  @Flag(help: "Write the JSON of Firestore's REST interface, which has all types.")
  var typed = false

  @Option(
    name: [.customShort("o"), .customLong("output")],
    help: ArgumentHelp("The file to write; - is standard output.", valueName: "file"),
    completion: .file())
  var file = "-"

  @OptionGroup var database: DatabaseOptions

  func run() throws {
    try database.withSession { session in
      let query = try session.queries.collection(collection).query
      let format = DocumentLine(database: session.databaseID, isTyped: true)
      let output = try openOutput()
      let bar = ProgressBar(title: "export", unit: "documents")
      defer { bar.finish() }
      var count = 0
      try OutputWriter.withWriter(on: output) { writer in
        _ = try session.run(QueryCall(RunnableQuery(query))) { document in
          let line = try typed ? format.line(document) : plainLine(document, format.database)
          try writer.append { $0.append(contentsOf: line) }
          count += 1
          if !output.isTerminal { bar.update(count: count, fraction: nil) }
        }
      }
    }
  }

  private func openOutput() throws -> FileDescriptor {
    guard !file.utf8Equal("-") else { return .standardOutput }
    do throws(FileDescriptor.Failure) {
      return try FileDescriptor(writing: file)
    } catch {
      throw ToolFailure(writing: file, error)
    }
  }

  /// Returns the fields with the id among them.
  private func plainLine(
    _ document: DocumentMessage, _ database: DatabaseID
  ) throws(ToolFailure) -> [UInt8] {
    var data = document.fields
    let id = document.id
    if let present = data[idField], present != .string(id), present.integerText != id {
      throw ToolFailure.badInput(
        "\(document.name.path) has a field \(idField) that is not its id: "
          + "name another by --id-field, or export with --typed.")
    }
    if data[idField] == nil { data[idField] = .string(id) }
    var line: [UInt8] = []
    PlainJSON.append(data, to: &line, relativeTo: database)
    line.append(.newline)
    return line
  }
}

extension Value {
  fileprivate var integerText: String? {
    if case .integer(let number) = self { "\(number)" } else { nil }
  }
}
