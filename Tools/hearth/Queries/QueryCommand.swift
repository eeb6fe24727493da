import ArgumentParser
import HearthFirestoreJSON
import Hearth

struct QueryCommand: JSONCommand {
  static let configuration = CommandConfiguration(
    commandName: "query",
    abstract: "Run a query.",
    discussion: """
      Prints a table on a terminal, and one JSON object a line with id and fields elsewhere; \
      --format chooses the form. The first 200 documents decide on the columns of a table. A query \
      that no index serves is refused, with the command that creates the index. If nothing is \
      found because there is no such collection, no document has a field, or none has a value of \
      the type that a condition asks for, a note on standard error says so.

        hearth query cities 'population > 1000000'
        hearth query cities -w 'countryCode == "JP"' -o 'population desc' --limit 5
        hearth query cities --where 'alternateNames array-contains "Tokio"'
        hearth query cities --order-by name --fields name,population --format csv
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

  @OptionGroup var database: ReadingOptions
  @OptionGroup var output: RowOptions

  func validate() throws {
    try output.refuse(typed: typed)
    guard input.structuredQuery == nil || (fields == nil && !typed && output.format == nil) else {
      throw ValidationError(
        "--structured-query is answered as the REST interface does: leave out --fields, --typed "
          + "and --format.")
    }
  }

  func run() throws {
    try database.withSession { session in
      if let logged = try input.loggedQuery() { return try replay(logged, in: session) }
      let call = QueryCall(try RunnableQuery(input.options.query(in: session.queries)))
      try output.pager.withWriter { try write(call, in: session, to: $0) }
    }
  }

  private func replay(_ logged: LoggedQuery, in session: AdminSession) throws {
    guard case .documents = logged.query else {
      throw ToolFailure.badInput("the file holds an aggregation query: `hearth aggregate` runs it.")
    }
    try output.pager.withWriter {
      try QueryReplay(logged: logged, session: session).write(to: $0)
    }
  }

  private func write(
    _ call: QueryCall, in session: AdminSession, to writer: OutputWriter
  ) throws {
    let style = output.style(typed: typed)
    let format = DocumentLine(
      database: session.databaseID, isTyped: typed, fields: fields, hasPath: input.options.group)
    let documents = DocumentWriter(style, format, to: writer)
    let start = ContinuousClock.now
    let answer = try session.run(call) { try documents.append($0) }
    try documents.end()
    if style.isForPeople {
      let nanoseconds = Int64(start.duration(to: .now) / .nanoseconds(1))
      let summary = [
        Figure.documents(documents.count),
        "\(Figure.count(answer.statistics.entriesRead)) index entries read",
        Figure.duration(nanoseconds: nanoseconds),
      ]
      try writer.print(style.text.faint(summary.joined(separator: ", ")))
    } else if documents.count == 0, !style.isChosen {
      // For a person, an empty output is puzzling; a program counts lines.
      StandardError.print("no document meets the query")
    }
    if documents.count == 0, style.isForPeople || !style.isChosen {
      try EmptyResult(query: call.query.query, session: session).note()
    }
  }
}
