import ArgumentParser
import HearthFirestoreJSON
import Hearth

struct AggregateCommand: JSONCommand {
  static let configuration = CommandConfiguration(
    commandName: "aggregate",
    abstract: "Count, add up and average over the results of a query.",
    discussion: """
      Reads index entries and no documents. Sums and averages need an index that also has their \
      fields, and count only the documents that have all of these fields.

        hearth aggregate cities --count --sum population
        hearth aggregate cities -w 'countryCode == "JP"' --average population
        hearth aggregate --structured-query query.json

      A file holds a StructuredAggregationQuery or the body of a runAggregationQuery request. The \
      answer has the JSON of Firestore's REST interface.
      """)

  @OptionGroup var input: QueryInput

  @Flag(help: "The number of documents.")
  var count = false

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The number of documents, but no more than this.", valueName: "limit"))
  var countUpTo: Int?

  @Option(help: ArgumentHelp("The sum of a field's numbers.", valueName: "field"))
  var sum: [String] = []

  @Option(help: ArgumentHelp("The average of a field's numbers.", valueName: "field"))
  var average: [String] = []

  @OptionGroup var database: ReadingOptions
  @OptionGroup var output: RowOptions

  private var hasFigures: Bool { count || countUpTo != nil || !sum.isEmpty || !average.isEmpty }

  func validate() throws {
    if input.structuredQuery != nil {
      guard !hasFigures else {
        throw ValidationError("--structured-query has the whole query: leave out the figures.")
      }
    } else if !hasFigures {
      throw ValidationError("Choose figures: --count, --count-up-to, --sum or --average.")
    }
  }

  func run() throws {
    try database.withSession { session in
      if let logged = try input.loggedQuery() {
        guard case .figures = logged.query else {
          throw ToolFailure.badInput("the file holds no aggregation query: `hearth query` runs it.")
        }
        return try OutputWriter.withWriter {
          try QueryReplay(logged: logged, session: session).write(to: $0)
        }
      }
      let query = try RunnableQuery(input.options.query(in: session.queries))
      try print(try session.run(AggregateCall(aggregations(), of: query)).figures.values)
    }
  }

  /// Returns the aggregations, each with a name that describes it.
  private func aggregations() throws -> [Aggregation] {
    var aggregations: [Aggregation] = []
    if count { aggregations.append(.count(as: "count")) }
    if let countUpTo {
      aggregations.append(.count(upTo: countUpTo, as: "count up to \(countUpTo)"))
    }
    try ToolFailure.reading("The field") {
      for field in sum { aggregations.append(try .sum(field, as: "sum(\(field))")) }
      for field in average { aggregations.append(try .average(field, as: "average(\(field))")) }
    }
    return aggregations
  }

  private func print(_ figures: [(alias: String, value: Value)]) throws {
    let style = output.style
    try OutputWriter.withWriter { writer in
      switch style.form {
      case .tables, .vertical:
        for (name, value) in figures { try writer.print("\(name)  \(value.description)") }
      case .csv:
        try writer.append(CSVText.line(figures.map(\.alias)))
        try writer.append(CSVText.line(figures.map { $0.value.csvCell(in: .default) }))
      case .jsonLines:
        var json = JSONLine()
        for (name, value) in figures { json.append(name, value) }
        try writer.print(json)
      }
    }
  }
}
