import FoundationEssentials
import Hearth

/// The result of a benchmark: printed, saved, compared and drawn.
struct BenchReport: Codable, Sendable {
  /// Version of the saved file's form.
  static let format = 1

  var format = BenchReport.format
  /// Release of the tool that measured.
  var hearth: String
  var processors: Int
  /// The place and time; `nil` in files of releases that did not save it.
  var setting: BenchSetting?
  var seed: UInt64
  var conditions: Conditions
  var cases: [CaseFigures]
  /// Result of `--compare`; not part of the saved file.
  var comparison: BenchComparison?

  /// The options that change the figures.
  struct Conditions: Codable, Sendable, Equatable {
    /// Whether the database was opened anew, without a cache of documents.
    var isCold: Bool
    /// Whether all fields of the results were decoded.
    var decodes: Bool
    /// Whether writers waited for the disk.
    var isDurable: Bool
  }
}

/// The figures of one load: a number of readers and writers, and their rates.
struct CaseFigures: Codable, Sendable {
  var readers: Int
  /// Operations that arrived per second; `nil` if each followed the one before.
  var rate: Double?
  var writers: Int
  var writeRate: Double?
  var seconds: Double
  /// Figures of all queries together.
  var total: LoadFigures
  var queries: [LoadFigures]
  var writes: LoadFigures?
  var timeline: Timeline

  /// The number of operations that ended in each interval of time.
  struct Timeline: Codable, Sendable {
    var tickSeconds: Double
    var reads: [Int]
    var writes: [Int]
  }
}

/// The figures of the operations of one kind.
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
  /// Number of operations that arrived and did not begin in time. Their waiting time is part of the
  /// latencies.
  var unserved: Int
  var nanoseconds: Latency
  var perRun: Means
  /// The most work of a run.
  var most: Work

  struct Latency: Codable, Sendable {
    var mean: Double
    var p50: Int64
    var p90: Int64
    var p99: Int64
    var p999: Int64
    var longest: Int64
    /// Range of the run's ten parts from the second lowest to the second highest, by percentile.
    var spread: [String: Spread]
    /// Latencies at 0, 20.6, 36.9 … percent. Each step leaves 10^-0.1 of the operations that were
    /// above the one before.
    var curve: [Int64]

    private enum CodingKeys: String, CodingKey {
      case mean, p50, p90, p99, p999, longest = "max", spread, curve
    }
  }

  struct Spread: Codable, Sendable, Equatable {
    var low: Double
    var high: Double
  }

  /// The mean of the work of a run.
  struct Means: Codable, Sendable, Equatable {
    var results: Double
    var entries: Double
    var documents: Double
    var seeks: Double
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
    most = recording.most
  }
}

extension LoadFigures.Latency {
  /// Percentiles whose spread is recorded and compared.
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
    longest = latencies.maximumNanoseconds
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
  /// Latencies at 0 % and on, in steps that each leave 10^-0.1 of the operations above, up to the
  /// number of runs.
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
  /// Returns one JSON object, on one line or on many.
  func json(isPretty: Bool) throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    if isPretty { encoder.outputFormatting.insert(.prettyPrinted) }
    return Array(try encoder.encode(self)) + [.newline]
  }

  /// Reads a file that `--save` wrote.
  ///
  /// - Throws: ``ToolFailure`` for any other file.
  init(savedAt path: String) throws {
    let bytes = try InputFile(path: path).text()
    do {
      self = try JSONDecoder().decode(BenchReport.self, from: Data(bytes))
    } catch {
      throw ToolFailure.badInput("\(path) is no run that `hearth bench --save` wrote.")
    }
    guard format == BenchReport.format else {
      throw ToolFailure.badInput(
        "\(path) was saved in form \(format), which this release does not read: measure again.")
    }
  }
}
