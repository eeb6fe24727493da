import ArgumentParser
import Hearth

struct CountCommand: JSONCommand {
  static let configuration = CommandConfiguration(
    commandName: "count",
    abstract: "Count the results of a query, without reading documents.",
    discussion: """
      It needs the same indexes as the query.

        hearth count cities
        hearth count cities 'population > 1000000'
      """)

  @OptionGroup var input: QueryInput
  @OptionGroup var database: ReadingOptions
  @OptionGroup var output: OutputOptions

  func run() throws {
    let count = try database.withSession { session in
      let count = try input.count(in: session)
      if count == 0, !output.json, input.structuredQuery == nil {
        let query = try RunnableQuery(input.options.query(in: session.queries)).query
        try EmptyResult(query: query, session: session).note()
      }
      return count
    }
    try output.report(["count": count], "\(count)")
  }
}
