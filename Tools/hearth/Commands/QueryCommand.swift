import ArgumentParser
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

      Conditions: a field, one of == < <= > >= array-contains, and a value: 42, 1.5, "text", true, \
      null, timestamp("2026-01-31T09:30:00Z"), reference("users/alice"), geopoint(35.6, 139.7), \
      bytes("aGk="), [1, 2], {a: 1}, vector(1.0, 2.0). && joins conditions. __name__ is the \
      document's id. Names that are no plain words stand in backticks.
      """)

  @OptionGroup var options: QueryOptions

  @Option(help: "The fields to show, separated by commas.", transform: FieldList.init)
  var fields: FieldList?

  @Flag(help: "Print the JSON of Firestore's REST interface, which has all types.")
  var typed = false

  @OptionGroup var database: DatabaseOptions
  @OptionGroup var output: OutputOptions

  func run() throws {
    try database.withDatabase { database in
      let query = try options.query(in: database)
      let style = OutputStyle.standardOutput(json: output.json || typed)
      try OutputWriter.withWriter { writer in
        switch style.form {
        case .tables: try printTable(of: query, style, to: writer)
        case .jsonLines: try printLines(of: query, in: database, to: writer)
        }
      }
    }
  }

  private func printLines(of query: Query, in database: Database, to writer: OutputWriter) throws {
    let format = DocumentLine(
      database: try database.id(), isTyped: typed, fields: fields, hasPath: options.group)
    try query.forEachResult(isReversed: options.limitToLast != nil) { document in
      let line = try format.line(document)
      try writer.append { $0.append(contentsOf: line) }
    }
  }

  private func printTable(of query: Query, _ style: OutputStyle, to writer: OutputWriter) throws {
    let start = ContinuousClock.now
    let results = try query.getDocuments()
    let nanoseconds = Int64(start.duration(to: .now) / .nanoseconds(1))
    if !results.isEmpty {
      let table = try DocumentTable(results.documents, fields: fields, hasPath: options.group)
      try writer.append(table.text(width: style.width, style: style.text))
    }
    let summary = [
      Figure.documents(results.count),
      "\(Figure.count(results.statistics.entriesRead)) index entries read",
      Figure.duration(nanoseconds: nanoseconds),
    ]
    try writer.print(style.text.faint(summary.joined(separator: ", ")))
  }
}

extension Query {
  /// Calls `body` with each result, one in memory at a time where the query allows.
  ///
  /// - Parameter isReversed: whether it is limited to its last results, which are found from the
  ///   end.
  func forEachResult(isReversed: Bool, _ body: (DocumentSnapshot) throws -> Void) throws {
    guard !isReversed else { return try getDocuments().documents.forEach(body) }
    var failure: (any Error)?
    try forEachDocument { document in
      do {
        try body(document)
      } catch {
        failure = error
      }
      return failure == nil
    }
    if let failure { throw failure }
  }
}
