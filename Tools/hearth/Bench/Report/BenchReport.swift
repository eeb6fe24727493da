import FoundationEssentials
import Hearth

/// What a benchmark found: printed, saved, compared and drawn.
struct BenchReport: Codable, Sendable {
  /// The form of the saved file.
  static let format = 1

  var format = BenchReport.format
  /// The release of the tool that measured.
  var hearth: String
  var processors: Int
  var seed: UInt64
  var conditions: Conditions
  var cases: [CaseFigures]
  /// What `--compare` found; not in what is saved.
  var comparison: BenchComparison?

  /// What was asked for, and changes the figures.
  struct Conditions: Codable, Sendable, Equatable {
    /// Whether the database was opened anew, without a cache of documents.
    var isCold: Bool
    /// Whether all fields of the results were decoded.
    var decodes: Bool
    /// Whether writers waited for the disk.
    var isDurable: Bool
  }
}

/// One load: so many readers, at such a rate, beside so many writers.
struct CaseFigures: Codable, Sendable {
  var readers: Int
  /// Operations that arrived a second; `nil` where each followed the one before.
  var rate: Double?
  var writers: Int
  var writeRate: Double?
  var seconds: Double
  /// All queries as one.
  var total: LoadFigures
  var queries: [LoadFigures]
  var writes: LoadFigures?
  var timeline: Timeline

  /// Operations by the time at which they ended.
  struct Timeline: Codable, Sendable {
    var tickSeconds: Double
    var reads: [Int]
    var writes: [Int]
  }
}

/// What the operations of one kind took.
struct LoadFigures: Codable, Sendable {
  static let allQueries = "all"
  static let writes = "writes"

  var name: String
  /// The query as it was typed.
  var text: String?
  var weight: Int?
  var runs: Int
  var perSecond: Double
  var errors: Int
  var firstError: String?
  /// Operations that arrived and were not begun in time. Their waiting is in the latencies.
  var unserved: Int
  var nanoseconds: Latency
  var perRun: Means
  var most: Most

  struct Latency: Codable, Sendable {
    var mean: Double
    var p50: Int64
    var p90: Int64
    var p99: Int64
    var p999: Int64
    var max: Int64
    /// From the second lowest to the second highest of the run's ten parts; by percentile.
    var spread: [String: Spread]
    /// The latencies at 0, 20.6, 36.9 … percent: each step leaves 10^-0.1 of what is above.
    var curve: [Int64]
  }

  struct Spread: Codable, Sendable, Equatable {
    var low: Double
    var high: Double
  }

  /// What a run read in the mean.
  struct Means: Codable, Sendable, Equatable {
    var results: Double
    var entries: Double
    var documents: Double
    var seeks: Double
  }

  /// The most that a run read.
  struct Most: Codable, Sendable, Equatable {
    var results: Int
    var entries: Int
    var documents: Int
    var seeks: Int
  }
}

extension LoadFigures {
  init(_ recording: KindRecording, name: String, query: BenchQuery? = nil, seconds: Double) {
    self.name = name
    text = query?.text
    weight = query?.weight
    runs = recording.runCount
    perSecond = Double(recording.runCount) / max(seconds, 1e-9)
    errors = recording.errorCount
    firstError = recording.firstError?.message
    unserved = recording.unservedCount
    nanoseconds = Latency(recording)
    let count = Double(max(recording.runCount - recording.errorCount, 1))
    perRun = Means(
      results: Double(recording.total.results) / count,
      entries: Double(recording.total.entries) / count,
      documents: Double(recording.total.documents) / count,
      seeks: Double(recording.total.seeks) / count)
    most = Most(
      results: recording.most.results, entries: recording.most.entries,
      documents: recording.most.documents, seeks: recording.most.seeks)
  }
}

extension LoadFigures.Latency {
  /// What is compared with its spread.
  static let spreadPercents: [(name: String, percent: Double)] = [
    ("p50", 50), ("p90", 90), ("p99", 99),
  ]

  fileprivate init(_ recording: KindRecording) {
    let latencies = recording.latencies
    mean = latencies.meanNanoseconds
    p50 = latencies.nanoseconds(atPercentile: 50)
    p90 = latencies.nanoseconds(atPercentile: 90)
    p99 = latencies.nanoseconds(atPercentile: 99)
    p999 = latencies.nanoseconds(atPercentile: 99.9)
    max = latencies.maximumNanoseconds
    curve = latencies.curve
    spread = [:]
    let rounds = recording.rounds.filter { $0.count > 0 }
    guard rounds.count == LoadLimits.roundCount else { return }
    for (name, percent) in LoadFigures.Latency.spreadPercents {
      let sorted = rounds.map { $0.nanoseconds(atPercentile: percent) }.sorted()
      spread[name] = LoadFigures.Spread(
        low: Double(sorted[1]), high: Double(sorted[sorted.count - 2]))
    }
  }
}

extension LatencyHistogram {
  /// The latencies at 0 %, and on in steps that each leave 10^-0.1 of what is above, as far as
  /// there are runs for them.
  fileprivate var curve: [Int64] {
    let step = 0.794_328_234_724_281_5
    var above = 1.0
    var curve: [Int64] = []
    while above * Double(count) >= 1 {
      curve.append(nanoseconds(atPercentile: 100 * (1 - above)))
      above *= step
    }
    return curve
  }
}

// MARK: - Saving

extension BenchReport {
  /// One JSON object, on one line or on many.
  func json(isPretty: Bool) throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    if isPretty { encoder.outputFormatting.insert(.prettyPrinted) }
    return Array(try encoder.encode(self)) + [.newline]
  }

  /// Reads what `--save` wrote.
  ///
  /// - Throws: ``ToolFailure`` for any other file.
  init(savedAt path: String) throws {
    let bytes = try InputFile(path: path).text()
    do {
      self = try JSONDecoder().decode(BenchReport.self, from: Data(bytes))
    } catch {
      throw ToolFailure(
        .badInput, .invalidArgument, "\(path) is no run that `hearth bench --save` wrote.")
    }
    guard format == BenchReport.format else {
      throw ToolFailure(
        .badInput, .invalidArgument,
        "\(path) was saved in form \(format), which this release does not read: measure again.")
    }
  }
}
