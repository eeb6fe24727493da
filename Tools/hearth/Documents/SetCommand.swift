import ArgumentParser
import Hearth

struct SetCommand: JSONCommand {
  static let configuration = CommandConfiguration(
    commandName: "set",
    abstract: "Create or replace a document.",
    discussion: """
      The database is created if it is missing.

        hearth set cities/tokyo '{"name": "Tokyo", "population": 37400000}'
        hearth set cities/tokyo '{"mayor": {"since": 2016}}' --merge
        hearth set logs/1 '{"at": "2026-01-31T09:30:00Z"}' --type at:timestamp
        hearth get cities/tokyo --json | jq .fields | hearth set cities/edo -
      """)

  @Argument(help: "The path of the document.", completion: .paths)
  var path: String

  @Argument(help: "The fields as a JSON object; - reads it from standard input.")
  var json: String

  @Flag(help: "Merge the fields into the existing ones: maps merge, other values are replaced.")
  var merge = false

  @Flag(help: "The JSON is that of Firestore's REST interface: {\"name\": {\"stringValue\": …}}.")
  var typed = false

  @OptionGroup var values: ValueOptions
  @OptionGroup var database: DatabaseOptions
  @OptionGroup var output: OutputOptions

  func run() throws {
    // A wrong command line creates no database.
    let path = try ResourcePath(path).ofDocument()
    let fields = try FieldsInput(argument: json, isTyped: typed).fields()
    let answer = try database.withSession(creating: true) { session in
      let fields = try values.convert(fields, in: session.databaseID)
      return try session.run(CommitCall([merge ? .merge(path, fields) : .set(path, fields)]))
    }
    try output.report(answer, of: path)
  }
}
