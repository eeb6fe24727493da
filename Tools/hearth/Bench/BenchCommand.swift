import ArgumentParser
import HearthFirestoreJSON
import FoundationEssentials
import Hearth

struct BenchCommand: JSONCommand {
  static let configuration = CommandConfiguration(
    commandName: "bench",
    abstract: "Run queries many times, and print their latencies.",
    discussion: """
      A ? in a condition or a cursor is a value that changes from run to run: the value of the \
      field beside it in a document of the collection, drawn at random. A run plans the query and \
      reads its results.

        hearth bench cities -w 'countryCode == ?' -o 'population desc' --limit 20
        hearth bench --queries app.queries --readers 1,2,4,8 --html report.html
        hearth bench --queries app.queries --rate 5000/s --writers 2 --write-rate 200/s
        hearth bench --queries app.queries --assert 'p99<5ms' --assert 'page.entries<=20'
        hearth bench --queries app.queries --compare before.json --save after.json

      A file of queries has one query a line: a query in the text form of `hearth check`, or get \
      and the path of a document, or count and a query. A name may precede it, and a number after \
      the name sets how often the query runs relative to the others:

        # The app's queries.
        page *3: cities where countryCode == ? order by population desc limit 20
        city *10: get cities/?
        size: count cities where countryCode == ?
        next: cities order by population desc start after ? limit 20

      The fields of the results are decoded only with --decode. An assertion compares a figure: \
      p50, p99, p99.9 or another percentile, max, mean, rate, errors or unserved, or the most that \
      any single run read: results, entries, documents, seeks. A figure covers all queries \
      together, or the query whose name precedes it, or the commits, as in writes.p99.
      """)

  @OptionGroup var options: QueryOptions

  @Option(
    help: ArgumentHelp(
      "A file of queries, instead of a collection and its options; - is standard input.",
      valueName: "file"),
    completion: .file())
  var queries: String?

  @OptionGroup(title: "Load") var load: LoadOptions
  @OptionGroup(title: "Report") var report: ReportOptions
  @OptionGroup var database: DatabaseOptions
  @OptionGroup var output: OutputOptions

  func validate() throws {
    guard queries != nil else {
      guard options.collection != nil else {
        throw ValidationError("Name a collection, or a file of queries by --queries.")
      }
      return
    }
    guard options.collection == nil, !options.isRefined else {
      throw ValidationError("--queries has the whole queries: leave out the rest.")
    }
  }

  func run() throws {
    // Its signals are taken before there are other threads.
    let lastAct = load.writers > 0 ? LastAct() : nil
    let saved = try report.compare.map(BenchReport.init(savedAt:))
    try report.checkFolders()
    let seed = load.seed ?? .random(in: 0 ... .max)
    let folder = try database.folder()
    let (benchmark, setting) = try database.withDatabase { database in
      let setting = try BenchSetting(database, at: folder)
      let queries = try benchQueries(in: database)
      try report.checkAssertions(on: queries, hasWriters: load.writers > 0)
      let draw = try Draw(
        queries, in: database, seed: seed, drawsExchanges: load.writers > 0)
      let benchmark = Benchmark(queries: queries, draw: draw, settings: load, seed: seed)
      try runOnce(benchmark, in: database)
      return (benchmark, setting)
    }
    let results = try benchmark.run(on: database, lastAct)
    let found = BenchReport(
      hearth: Release.version,
      processors: ProcessInfo.processInfo.activeProcessorCount, setting: setting,
      seed: seed,
      conditions: BenchReport.Conditions(
        isCold: load.cold, decodes: load.decode, isDurable: !load.noSync),
      cases: results.map(\.figures))
    let comparison = saved.map { BenchComparison(found, with: $0) }
    try print(found, comparison, results)
    if let file = report.save { try OutputFile(path: file).write(found.json(isPretty: true)) }
    if let file = report.html {
      try OutputFile(path: file)
        .write(BenchPage(report: found, comparison: comparison).html.utf8)
    }
    try report.judge(results)
  }

  /// Runs each query once, so that a refusal comes before any measurement.
  private func runOnce(_ benchmark: Benchmark, in database: Database) throws {
    let load = try benchmark.queryLoad(in: database)
    for (place, query) in benchmark.queries.enumerated() {
      do throws(DatabaseError) {
        try load.runOnce(place)
      } catch {
        if queries != nil, !output.json {
          StandardError.print("\(query.name): \(query.text)")
        }
        throw error
      }
    }
  }

  private func benchQueries(in database: Database) throws -> [BenchQuery] {
    if let queries { return try QueryFile(path: queries).queries(in: database) }
    let template = try QueryTemplate(options, in: database)
    return [
      BenchQuery(
        name: "query", text: template.text(in: try database.id()), weight: 1,
        kind: .documents(template))
    ]
  }

  private func print(
    _ found: BenchReport, _ comparison: BenchComparison?, _ results: [CaseResult]
  ) throws {
    try OutputWriter.withWriter { writer in
      guard !output.json else {
        var found = found
        found.comparison = comparison
        let json = try found.json(isPretty: false)
        return try writer.append { $0 += json }
      }
      let width = OutputStyle.standardOutput(json: false).width
      try writer.append(found.text(width: width, latencies: results.map(\.latencies)))
      if let comparison { try writer.append("\n" + comparison.text(width: width)) }
    }
  }
}
