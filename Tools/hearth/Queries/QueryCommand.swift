import ArgumentParser
import HearthFirestoreJSON
import Hearth

struct QueryCommand: JSONCommand {
  static let configuration = CommandConfiguration(
    commandName: "query",
    abstract: "Run a query.",
    discussion: """
      Prints a table on a terminal, and one JSON object a line with id and fields elsewhere. A \
      query that no index serves is refused, with the command that creates the index.

        hearth query cities -w 'countryCode == "JP"' -o 'population desc' --limit 5
        hearth query cities --where 'alternateNames array-contains "Tokio"'
        hearth query cities --order-by name --fields name,population --json
        hearth query districts --group --where 'population > 1000000'
        hearth query --structured-query query.json

      A condition is a field, an operator and a value. The operators are == != < <= > >= in not-in \
      array-contains array-contains-any. Values are 42, 1.5, "text", true, null, \
      timestamp("2026-01-31T09:30:00Z"), reference("users/alice"), geopoint(35.6, 139.7), \
      bytes("aGk="), [1, 2], {a: 1}, vector(1.0, 2.0). && joins conditions and || joins \
      alternatives; parentheses group. __name__ is the document's id. Names that are no plain \
      words stand in backticks.

      A query from a file is answered in the JSON of Firestore's REST interface, as runQuery \
      answers; the file holds a StructuredQuery or the body of a runQuery request.
      """)

  @OptionGroup var input: QueryInput

  @Option(help: "The fields to show, separated by commas.", transform: FieldList.init)
  var fields: FieldList?

  @Flag(help: "Print the JSON of Firestore's REST interface, which has all types.")
  var typed = false

  @OptionGroup var database: DatabaseOptions
  @OptionGroup var output: OutputOptions

  func validate() throws {
    guard input.structuredQuery == nil || (fields == nil && !typed) else {
      throw ValidationError(
        "--structured-query is answered as the REST interface does: leave out --fields and --typed."
      )
    }
  }

  func run() throws {
    try database.withSession { session in
      if let logged = try input.loggedQuery() { return try replay(logged, in: session) }
      let call = QueryCall(try RunnableQuery(input.options.query(in: session.queries)))
      let style = OutputStyle.standardOutput(json: output.json || typed)
      try OutputWriter.withWriter { writer in
        switch style.form {
        case .tables: try printTable(of: call, in: session, style, to: writer)
        case .jsonLines: try printLines(of: call, in: session, to: writer)
        }
      }
    }
  }

  private func replay(_ logged: LoggedQuery, in session: AdminSession) throws {
    guard case .documents = logged.query else {
      throw ToolFailure.badInput("the file holds an aggregation query: `hearth aggregate` runs it.")
    }
    try OutputWriter.withWriter {
      try QueryReplay(logged: logged, session: session).write(to: $0)
    }
  }

  private func printLines(
    of call: QueryCall, in session: AdminSession, to writer: OutputWriter
  ) throws {
    let format = DocumentLine(
      database: session.databaseID, isTyped: typed, fields: fields, hasPath: input.options.group)
    var isEmpty = true
    _ = try session.run(call) { document in
      isEmpty = false
      let line = format.line(document)
      try writer.append { $0.append(contentsOf: line) }
    }
    // For a person, an empty output is puzzling; a program counts lines.
    if isEmpty, !output.json, !typed { StandardError.print("no document meets the query") }
  }

  private func printTable(
    of call: QueryCall, in session: AdminSession, _ style: OutputStyle, to writer: OutputWriter
  ) throws {
    let start = ContinuousClock.now
    var documents: [DocumentMessage] = []
    let answer = try session.run(call) { documents.append($0) }
    let nanoseconds = Int64(start.duration(to: .now) / .nanoseconds(1))
    if !documents.isEmpty {
      let table = DocumentTable(documents, fields: fields, hasPath: input.options.group)
      try writer.append(table.text(width: style.width, style: style.text))
    }
    let summary = [
      Figure.documents(documents.count),
      "\(Figure.count(answer.statistics.entriesRead)) index entries read",
      Figure.duration(nanoseconds: nanoseconds),
    ]
    try writer.print(style.text.faint(summary.joined(separator: ", ")))
  }
}
