import ArgumentParser
import Hearth

/// The options of the load that `bench` puts on the database.
struct LoadOptions: ParsableArguments {
  @Option(help: "Time of each load, such as 30s or 500ms. (default: 10s)")
  var duration: SpanOfTime?

  @Option(
    help: ArgumentHelp(
      "Number of queries of each load; with --duration, at most.", valueName: "count"))
  var operations: Int?

  @Option(
    help: ArgumentHelp(
      "Number of threads that read at once, such as 4; 1,2,4,8 measures one load after the other.",
      valueName: "counts"))
  var readers: ReaderCounts?

  @Option(
    help: ArgumentHelp(
      "Queries arrive at random times, this many a second, such as 5000/s, whether or not earlier "
        + "ones are done. A latency counts from the arrival, so it includes the time of waiting.",
      valueName: "rate"))
  var rate: ArrivalRate?

  @Option(
    help: ArgumentHelp(
      "Number of threads that commit meanwhile, to a copy of the database. Each commit exchanges "
        + "the contents of two documents.", valueName: "count"))
  var writers = 0

  @Option(
    help: ArgumentHelp("Commits arrive at random times, this many a second.", valueName: "rate"))
  var writeRate: ArrivalRate?

  @Flag(help: "Commits don't wait for the disk.")
  var noSync = false

  @Option(
    name: .customLong("warmup"),
    help: ArgumentHelp(
      "Time that queries run before they are measured, each with all its values at most once.",
      valueName: "duration"))
  var warmUpOption: SpanOfTime?

  @Flag(
    help: """
      Open the database anew for each load, without caches of documents, names and index scans, \
      and without warm-up. The operating system's cache of the files stays.
      """)
  var cold = false

  @Flag(help: "Decode all fields of the results too.")
  var decode = false

  @Option(help: "Time that a query may take; a slower one fails.")
  var timeout: SpanOfTime?

  @Option(
    help: ArgumentHelp(
      "Seed of the draw, which repeats it; without it, each run draws other values.",
      valueName: "n"))
  var seed: UInt64?

  func validate() throws {
    guard operations ?? 1 > 0 else { throw ValidationError("--operations takes a number from 1.") }
    guard duration?.duration ?? .seconds(1) > .zero else {
      throw ValidationError("--duration takes a time above 0, such as 10s.")
    }
    guard (0...ReaderCounts.most).contains(writers) else {
      throw ValidationError("--writers takes a number from 0 to \(ReaderCounts.most).")
    }
    guard writers > 0 || (writeRate == nil && !noSync) else {
      throw ValidationError("--write-rate and --no-sync belong to --writers.")
    }
    guard !cold || warmUpOption == nil else {
      throw ValidationError("--cold has no warm-up: leave out --warmup.")
    }
  }
}

extension LoadOptions {
  private static let warmUp = Duration.seconds(2)
  /// Default number of threads that serve queries that arrive at a rate.
  private static let readersOfArrivals = 4

  var warmUp: Duration { warmUpOption?.duration ?? LoadOptions.warmUp }

  var limits: LoadLimits {
    let isUnlimited = duration == nil && operations == nil
    return LoadLimits(
      duration: isUnlimited ? .seconds(10) : duration?.duration, operationCount: operations)
  }

  /// Loads to measure, one for each number of readers.
  var loads: [BenchLoad] {
    let counts = readers?.counts ?? [rate == nil ? 1 : LoadOptions.readersOfArrivals]
    return counts.map {
      BenchLoad(
        readers: $0, rate: rate?.perSecond, writers: writers, writeRate: writeRate?.perSecond)
    }
  }
}

/// A number of readers and writers, with the rates of their operations.
struct BenchLoad {
  let readers: Int
  /// Queries that arrive per second; `nil` if each query follows the one before.
  let rate: Double?
  let writers: Int
  let writeRate: Double?
}
