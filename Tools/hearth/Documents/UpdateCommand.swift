import ArgumentParser
import Hearth

struct UpdateCommand: JSONCommand {
  static let configuration = CommandConfiguration(
    commandName: "update",
    abstract: "Change some fields of a document that exists.",
    discussion: """
      The names in the JSON are field paths: address.city is one field inside a map. Ends with 1 \
      if the document doesn't exist.

        hearth update cities/tokyo '{"population": 37500000, "mayor.since": 2024}'
        hearth update cities/tokyo --delete nickname --delete mayor.party
      """)

  @Argument(help: "The path of the document.", completion: .paths)
  var path: String

  @Argument(help: "The changed fields as a JSON object; - reads it from standard input.")
  var json: String?

  @Option(help: ArgumentHelp("A field to remove.", valueName: "field"))
  var delete: [String] = []

  @Flag(help: "The JSON is that of Firestore's REST interface: {\"name\": {\"stringValue\": …}}.")
  var typed = false

  @OptionGroup var values: ValueOptions
  @OptionGroup var database: DatabaseOptions
  @OptionGroup var output: OutputOptions

  func validate() throws {
    guard json != nil || !delete.isEmpty else {
      throw ValidationError("There is nothing to change: give the fields as JSON, or --delete.")
    }
  }

  func run() throws {
    let path = try ResourcePath(path).ofDocument()
    let changes = try json.map { try FieldsInput(argument: $0, isTyped: typed).fields() }
    let answer = try database.withSession { session in
      var paths: [(FieldPath, Value?)] = []
      for field in try values.convert(changes ?? MapValue(), in: session.databaseID) {
        paths.append((try FieldPath(field.name), field.value))
      }
      for name in delete { paths.append((try FieldPath(name), nil)) }
      do {
        return try session.run(CommitCall([.update(path, paths)]))
      } catch let error as DatabaseError {
        guard error.code == .notFound else { throw error }
        throw ToolFailure.notFound("there is no document \(path).")
      }
    }
    try output.report(answer, of: path)
  }
}
