import Hearth

/// What many runs of a query took.
struct Benchmark {
  private var latencies = LatencyHistogram()
  private var elapsed = Duration.zero
  private var resultCount = 0
  private var entriesRead = 0
  private var documentsRead = 0
  private var seekCount = 0

  /// Runs the queries one after the other, again and again, at most `runs` times and for `seconds`.
  ///
  /// Before the clock starts, each is run once, up to a tenth of `runs`.
  static func run(
    _ queries: [Query], runs: Int, seconds: Double
  ) throws(DatabaseError) -> Benchmark {
    for query in queries.prefix(max(1, runs / 10)) { _ = try query.getDocuments() }
    var benchmark = Benchmark()
    let clock = ContinuousClock()
    let start = clock.now
    var end = start
    let deadline = start + .seconds(seconds)
    for index in 0..<runs where end < deadline {
      let before = clock.now
      let results = try queries[index % queries.count].getDocuments()
      end = clock.now
      benchmark.record(results, before.duration(to: end))
    }
    benchmark.elapsed = start.duration(to: end)
    return benchmark
  }

  private mutating func record(_ results: QuerySnapshot, _ duration: Duration) {
    latencies.record(nanoseconds: Int64(duration / .nanoseconds(1)))
    resultCount += results.count
    entriesRead += results.statistics.entriesRead
    documentsRead += results.statistics.documentsRead
    seekCount += results.statistics.seekCount
  }

  private var seconds: Double { elapsed / .seconds(1) }
  private var queriesPerSecond: Double { Double(latencies.count) / max(seconds, 1e-9) }

  private static let percentiles: [(name: String, percent: Double)] = [
    ("p50", 50), ("p90", 90), ("p99", 99), ("p99.9", 99.9),
  ]
}

extension Benchmark {
  func text(width: Int) -> String {
    let runs = Figure.counted(latencies.count, "run")
    var times = Benchmark.percentiles.map { percentile in
      let time = latencies.nanoseconds(atPercentile: percentile.percent)
      return "\(percentile.name) \(Figure.duration(nanoseconds: time))"
    }
    times.append("max \(Figure.duration(nanoseconds: latencies.maximumNanoseconds))")
    let work = [
      (resultCount, "results"), (entriesRead, "index entries"), (documentsRead, "documents"),
      (seekCount, "seeks"),
    ].map { "\(mean($0.0)) \($0.1)" }
    return """
      \(runs) in \(Figure.duration(nanoseconds: Int64(elapsed / .nanoseconds(1)))), \
      \(Figure.rate(queriesPerSecond))
      \(times.joined(separator: "   "))
      per query: \(work.joined(separator: ", "))

      \(latencies.drawing(width: width))
      """
  }

  var json: JSONLine {
    var json = JSONLine()
    json.append("runs", .integer(Int64(latencies.count)))
    json.append("seconds", .double(seconds))
    json.append("queriesPerSecond", .double(queriesPerSecond))
    var times = JSONLine()
    for (name, percent) in Benchmark.percentiles {
      times.append(name, .integer(latencies.nanoseconds(atPercentile: percent)))
    }
    times.append("max", .integer(latencies.maximumNanoseconds))
    json.append("nanoseconds", times)
    let runs = Double(max(latencies.count, 1))
    json.append("resultsPerQuery", .double(Double(resultCount) / runs))
    json.append("entriesPerQuery", .double(Double(entriesRead) / runs))
    json.append("documentsPerQuery", .double(Double(documentsRead) / runs))
    json.append("seeksPerQuery", .double(Double(seekCount) / runs))
    return json
  }

  /// The share of one run, to a tenth.
  private func mean(_ total: Int) -> String {
    let tenths = (Double(total) / Double(max(latencies.count, 1)) * 10).rounded()
    let whole = Int64(min(tenths / 10, 1e15))
    return "\(Figure.count(whole)).\(Int64(tenths.truncatingRemainder(dividingBy: 10)))"
  }
}
