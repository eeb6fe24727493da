import ArgumentParser
import HearthFirestoreJSON
import Hearth

struct GetCommand: JSONCommand {
  static let configuration = CommandConfiguration(
    commandName: "get",
    abstract: "Print a document.",
    discussion: """
      Prints a table of the fields on a terminal; elsewhere JSON with id, fields and times. \
      --format chooses the form. Ends with 1 if the document doesn't exist.

        hearth get cities/tokyo
        hearth get cities/tokyo --format vertical
        hearth get cities/tokyo --json | jq .fields.population
      """)

  @Argument(help: "The path of the document.", completion: .paths)
  var path: String

  @Flag(help: "Print the JSON of Firestore's REST interface, which has all types.")
  var typed = false

  @OptionGroup var database: ReadingOptions
  @OptionGroup var output: RowOptions

  func validate() throws { try output.refuse(typed: typed) }

  func run() throws {
    let path = try ResourcePath(path).ofDocument()
    try database.withSession { session in
      guard let document = try session.run(DocumentCall(path)).document else {
        throw ToolFailure.notFound("there is no document \(path).")
      }
      let style = output.style(typed: typed)
      try output.pager.withWriter { writer in
        guard style.form == .tables else {
          let format = DocumentLine(
            database: session.databaseID, isTyped: typed, hasPath: true, hasTimes: true)
          let documents = DocumentWriter(style, format, to: writer)
          try documents.append(document)
          return try documents.end()
        }
        try writer.append(
          table(of: document.fields, in: session.databaseID)
            .text(width: style.width, style: style.text))
      }
    }
  }

  private func table(of data: MapValue, in database: DatabaseID) -> TextTable {
    var table = TextTable([TextTable.Column("field", isWhole: true), .init("value", .wrapped)])
    let scope = NameScope(database, collection: nil)
    for field in data { table.append([field.name, ValueText.text(of: field.value, in: scope)]) }
    return table
  }
}
