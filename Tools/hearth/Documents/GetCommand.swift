import ArgumentParser
import HearthFirestoreJSON
import Hearth

struct GetCommand: JSONCommand {
  static let configuration = CommandConfiguration(
    commandName: "get",
    abstract: "Print a document.",
    discussion: """
      Prints a table of the fields on a terminal; elsewhere JSON with id, fields and times. Ends \
      with 1 if the document doesn't exist.

        hearth get cities/tokyo
        hearth get cities/tokyo --json | jq .fields.population
      """)

  @Argument(help: "The path of the document.")
  var path: String

  @Flag(help: "Print the JSON of Firestore's REST interface, which has all types.")
  var typed = false

  @OptionGroup var database: DatabaseOptions
  @OptionGroup var output: OutputOptions

  func run() throws {
    let path = try ResourcePath(path).ofDocument()
    try database.withSession { session in
      guard let document = try session.run(DocumentCall(path)).document else {
        throw ToolFailure.notFound("there is no document \(path).")
      }
      let style = OutputStyle.standardOutput(json: output.json || typed)
      try OutputWriter.withWriter { writer in
        switch style.form {
        case .tables:
          try writer.append(table(of: document.fields).text(width: style.width, style: style.text))
        case .jsonLines:
          let format = DocumentLine(
            database: session.databaseID, isTyped: typed, hasPath: true, hasTimes: true)
          let line = format.line(document)
          try writer.append { $0.append(contentsOf: line) }
        }
      }
    }
  }

  private func table(of data: MapValue) -> TextTable {
    var table = TextTable([TextTable.Column("field"), TextTable.Column("value")])
    let scope = NameScope(.default, collection: nil)
    for field in data { table.append([field.name, ValueText.text(of: field.value, in: scope)]) }
    return table
  }
}
