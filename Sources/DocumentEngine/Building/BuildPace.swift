package import DocumentModel

/// How fast builds may go.
package struct BuildPace: Sendable, Equatable {
  /// Documents read a second, at most.
  package var documentsPerSecond: Double?
  /// The time within which 99 of 100 reads and commits of the application are to be done: builds go
  /// slower while they take longer.
  package var maximumLatency: Duration?

  package static let unlimited = BuildPace()

  package init(documentsPerSecond: Double? = nil, maximumLatency: Duration? = nil) {
    self.documentsPerSecond = documentsPerSecond
    self.maximumLatency = maximumLatency
  }

  /// - Throws: `invalidArgument` for a rate that isn't 0.1...1e9 documents a second, or a latency
  ///   of less than a microsecond or more than a day.
  package func validate() throws(DatabaseError) {
    guard documentsPerSecond.map({ (0.1...1e9).contains($0) }) ?? true else {
      throw .invalidArgument("A build's rate is a number of documents a second, 0.1 to 1e9.")
    }
    let latencies = Duration.microseconds(1) ... .seconds(86_400)
    guard maximumLatency.map(latencies.contains) ?? true else {
      throw .invalidArgument(
        "The latency that a build leaves to others is a time of a microsecond to a day.")
    }
  }
}

/// Tells a build how much to do at once and how long to wait before the next step: it sleeps never.
///
/// For a rate, each step is followed by the time that its documents may take. For a latency, the
/// build has a share of the time: it is halved when the application was slower than wanted, and
/// grows slowly again when it wasn't; the share is never so small that a build stands.
struct BuildPacer: Sendable {
  private static let leastShare = 0.01
  private static let shareIncrease = 0.05
  /// How long a build may wait before it looks again.
  private static let longestWait: UInt64 = 1_000_000_000

  private(set) var pace = BuildPace.unlimited
  /// The part of the time that is spent building.
  private(set) var share = 1.0
  /// When the next step may begin.
  private var due: UInt64 = 0
  /// Whether there was a step at this pace.
  private var hasStepped = false

  /// How many nanoseconds are left up to the next step.
  func wait(at time: UInt64) -> UInt64 { due > time ? due - time : 0 }

  mutating func set(_ pace: BuildPace) {
    guard self.pace != pace else { return }
    self.pace = pace
    share = 1
    due = 0
    hasStepped = false
  }

  /// All is built: the pace was for what there was.
  mutating func rest() {
    if hasStepped { set(.unlimited) }
  }

  /// Takes account of a step.
  ///
  /// - Parameters:
  ///   - time: when it ended.
  ///   - duration: how many nanoseconds it took.
  mutating func record(documentCount: Int, from start: UInt64, to time: UInt64) {
    guard pace != .unlimited else { return }
    hasStepped = true
    let worked = time &- min(start, time)
    var wait = 0.0
    if share < 1 { wait = Double(worked) * (1 / share - 1) }
    wait = min(wait, Double(BuildPacer.longestWait))
    if let rate = pace.documentsPerSecond, documentCount > 0 {
      // A step is small enough for this to be a second or so.
      wait = max(wait, Double(documentCount) / rate * 1e9 - Double(worked))
    }
    due = max(due, time &+ UInt64(min(max(wait, 0), 60e9)))
  }

  /// Takes account of what the application's slowest reads and commits of late took.
  mutating func adapt(to latency: UInt64?) {
    guard let maximum = pace.maximumLatency else { return }
    if let latency, Double(latency) > maximum / .nanoseconds(1) {
      share = max(share / 2, BuildPacer.leastShare)
    } else {
      share = min(share + BuildPacer.shareIncrease, 1)
    }
  }

  /// `tuning` for the present pace: the slower, the smaller are steps, chunks and batches.
  func tuning(_ tuning: BuildTuning) -> BuildTuning {
    guard pace != .unlimited else { return tuning }
    var paced = tuning
    let scale = max(share, 1.0 / 16)
    paced.batchByteCount = max(Int(Double(tuning.batchByteCount) * scale), 1)
    paced.changedDocumentCount = max(Int(Double(tuning.changedDocumentCount) * scale), 1)
    var stepCount = Double(tuning.stepDocumentCount) * scale
    var chunkCount = Double(tuning.chunkDocumentCount) * scale
    if let rate = pace.documentsPerSecond {
      // So that a second sees some steps, and a view isn't held for long.
      stepCount = min(stepCount, rate / 10)
      chunkCount = min(chunkCount, rate)
    }
    paced.stepDocumentCount = max(Int(stepCount), 1)
    paced.chunkDocumentCount = max(Int(chunkCount), 1)
    paced.chunkByteCount = max(Int(Double(tuning.chunkByteCount) * scale), 1)
    return paced
  }
}
