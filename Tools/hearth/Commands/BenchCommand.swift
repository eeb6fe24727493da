import ArgumentParser
import Hearth

struct BenchCommand: JSONCommand {
  static let configuration = CommandConfiguration(
    commandName: "bench",
    abstract: "Run a query many times, and print how long it takes.",
    discussion: """
      A ? in --where stands for a value that differs from run to run: each is the value that the \
      field beside it has in a document of the collection, drawn at random. A run plans the query \
      and reads its results.

        hearth bench cities -w 'countryCode == ?' -o 'population desc' --limit 20
        hearth bench cities --where 'population > ?' --limit 1 --runs 100000 --json
      """)

  @OptionGroup var options: QueryOptions

  @Option(help: "How many runs are timed at most.")
  var runs = 10_000

  @Option(help: "How long the runs may take at most.")
  var seconds: Double = 10

  @Option(help: ArgumentHelp("Draws the same values again; otherwise they differ.", valueName: "n"))
  var seed: UInt64?

  @OptionGroup var database: DatabaseOptions
  @OptionGroup var output: OutputOptions

  func validate() throws {
    guard options.collection != nil else {
      throw ValidationError("Missing expected argument '<collection>'")
    }
    guard runs > 0 else { throw ValidationError("--runs takes a number from 1.") }
    guard seconds > 0, seconds <= 1e6 else {
      throw ValidationError("--seconds takes a number above 0.")
    }
  }

  func run() throws {
    let result = try database.withDatabase { database in
      let template = try QueryTemplate(options, in: database)
      let queries = try template.queries(in: database, seed: seed)
      return try Benchmark.run(queries, runs: runs, seconds: seconds)
    }
    try OutputWriter.withWriter { writer in
      if output.json {
        try writer.print(result.json)
      } else {
        try writer.append(result.text(width: OutputStyle.standardOutput(json: false).width ?? 80))
      }
    }
  }
}
