import ArgumentParser
import Hearth

struct CountCommand: JSONCommand {
  static let configuration = CommandConfiguration(
    commandName: "count",
    abstract: "Count the results of a query, without reading documents.",
    discussion: """
      It needs the same indexes as the query.

        hearth count cities
        hearth count cities --where 'population > 1000000'
      """)

  @OptionGroup var input: QueryInput
  @OptionGroup var database: DatabaseOptions
  @OptionGroup var output: OutputOptions

  func run() throws {
    let count = try database.withSession { try input.count(in: $0) }
    try output.report(["count": count], "\(count)")
  }
}
