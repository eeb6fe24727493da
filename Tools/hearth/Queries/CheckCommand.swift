import ArgumentParser
import HearthFirestoreJSON
import Hearth

struct CheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Check which of a file's queries an index file serves.",
    discussion: """
      Answers each query with one JSON object on a line: the plan and the indexes that serve it, \
      or production's refusal with the missing index. Ends with 1 if any is refused. No database \
      is opened.

        hearth check --indexes firestore.indexes.json queries.ndjson

      A query is a line of text or of JSON: a StructuredQuery, a StructuredAggregationQuery, or \
      the body of a runQuery or runAggregationQuery request.

        cities where countryCode == "JP" order by population desc limit 5
        districts group where population > 1000000 aggregate count, sum population
        {"from": [{"collectionId": "cities"}], "orderBy": [{"field": {"fieldPath": "name"}}]}

      After the collection's path a query may have group, where, order by, start at, start after, \
      end at, end before, offset, limit, select and aggregate. Blank lines and lines that begin \
      with # are skipped.
      """)

  @Argument(help: "The file of queries, one a line; - is standard input.", completion: .file())
  var queries: String

  @Option(
    help: ArgumentHelp("The index file, firestore.indexes.json.", valueName: "file"),
    completion: .file())
  var indexes: String

  @Option(help: ArgumentHelp("The project that links and references name.", valueName: "id"))
  var project = DatabaseID.default.project

  @Option(
    name: .customLong("database"),
    help: ArgumentHelp("The database that links and references name.", valueName: "id"))
  var databaseName = DatabaseID.default.database

  func run() throws {
    let database = try DatabaseID(project: project, database: databaseName)
    let indexSet = try InputFile(path: indexes).indexFile().indexSet
    var lines = InputLines(try InputBytes(try ByteSource(path: queries)))
    var (servedCount, refusedCount) = (0, 0)
    let start = ContinuousClock.now
    try OutputWriter.withWriter { writer in
      var line: [UInt8] = []
      while try lines.next(into: &line) {
        if line.first(where: { !$0.isBlank }) == UInt8(ascii: "#") { continue }
        let verdict = QueryVerdict(line: line, indexes: indexSet, in: database)
        if verdict.isServed { servedCount += 1 } else { refusedCount += 1 }
        try writer.print(verdict.json(line: lines.number))
      }
    }
    guard servedCount + refusedCount > 0 else {
      throw ToolFailure.badInput("\(lines.source.name) holds no query.")
    }
    report(served: servedCount, refused: refusedCount, since: start)
    if refusedCount > 0 { throw ExitCode(ExitStatus.refused.rawValue) }
  }

  private func report(served: Int, refused: Int, since start: ContinuousClock.Instant) {
    let nanoseconds = start.duration(to: .now) / .nanoseconds(1)
    let count = served + refused
    let queries = Figure.counted(count, "query", "queries")
    let rate = Figure.rate(Double(count) * 1e9 / max(nanoseconds, 1))
    StandardError.print(
      "\(queries), \(Figure.count(served)) served and \(Figure.count(refused)) refused, in "
        + "\(Figure.duration(nanoseconds: Int64(nanoseconds))), \(rate)")
  }
}
