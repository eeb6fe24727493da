import HearthDocumentEngine
import HearthReports

/// Decides how much a build does at once and how long it waits before the next step. It never
/// sleeps itself.
///
/// For a rate, each step is followed by the time that its documents may take. For a latency, the
/// build has a share of the time. The share is halved when the application was slower than wanted,
/// and grows slowly again when it wasn't.
///
/// The share has a floor, since an application can be slow for other reasons: the build makes about
/// a hundred documents a second at least. No step waits longer for the application than
/// `longestWait`. Only a finished chunk is progress that stays, and a chunk takes a dozen steps or
/// so. Each step reads 125 documents or more while the chunk is read. Each step after that writes a
/// quarter of the chunk's entries, or a sixteenth if the share has fallen meanwhile. The last steps
/// take up the documents that have changed. A chunk that was read at another pace is read again.
/// Only entries of more than some 500 bytes a document, or a machine whose steps take long
/// themselves, make the build slower.
struct BuildPacer: Sendable {
  private static let leastShare = 0.01
  private static let shareIncrease = 0.05
  /// The smallest parts of a whole step, and of a whole batch, that are done at once.
  fileprivate static let leastStep = 1.0 / 16
  fileprivate static let leastBatch = 1.0 / 4
  /// The number of steps in which a chunk is read, and in which it is written, for a latency.
  fileprivate static let chunkStepCount = 4
  /// The longest time that the application may delay a step, in nanoseconds.
  static let longestWait: UInt64 = 250_000_000

  private(set) var pace = BuildPace.unlimited
  /// The part of the time that the build may use.
  private(set) var share = 1.0
  /// Time at which the next step may begin.
  private var due: UInt64 = 0
  /// Whether there was a step at this pace.
  private var hasStepped = false

  /// Returns the nanoseconds left until the next step.
  func wait(at time: UInt64) -> UInt64 { due > time ? due - time : 0 }

  mutating func set(_ pace: BuildPace) {
    guard self.pace != pace else { return }
    self.pace = pace
    share = 1
    due = 0
    hasStepped = false
  }

  /// Resets the pace once all is built, since it was set for the builds that there were.
  mutating func rest() {
    if hasStepped { set(.unlimited) }
  }

  /// Takes a finished step into account.
  ///
  /// - Parameters:
  ///   - start: the time at which it began.
  ///   - time: the time at which it ended.
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

  /// Takes into account how long the application's slowest reads and commits took recently.
  mutating func adapt(to latency: UInt64?) {
    guard let maximum = pace.maximumLatency else { return }
    if let latency, Double(latency) > maximum / .nanoseconds(1) {
      share = max(share / 2, BuildPacer.leastShare)
    } else {
      share = min(share + BuildPacer.shareIncrease, 1)
    }
  }

  /// Returns `tuning` for the present pace. The slower the pace, the smaller are steps, chunks and
  /// batches.
  func tuning(_ tuning: BuildTuning) -> BuildTuning {
    guard pace != .unlimited else { return tuning }
    var paced = tuning
    if pace.maximumLatency != nil { paced.shrink(to: share) }
    if let rate = pace.documentsPerSecond {
      // A second holds several steps, and a view isn't held for long.
      paced.stepDocumentCount = max(Int(min(Double(paced.stepDocumentCount), rate / 10)), 1)
      paced.chunkDocumentCount = max(Int(min(Double(paced.chunkDocumentCount), rate)), 1)
    }
    return paced
  }
}

extension BuildTuning {
  /// Makes chunks of few steps, so that a chunk is soon written when less may be done at once.
  fileprivate mutating func shrink(to share: Double) {
    func scaled(_ count: Int, atLeast least: Double) -> Int {
      max(Int(Double(count) * max(share, least)), 1)
    }
    batchByteCount = scaled(batchByteCount, atLeast: BuildPacer.leastBatch)
    changedDocumentCount = scaled(changedDocumentCount, atLeast: BuildPacer.leastBatch)
    stepDocumentCount = scaled(stepDocumentCount, atLeast: BuildPacer.leastStep)
    chunkDocumentCount = min(chunkDocumentCount, BuildPacer.chunkStepCount * stepDocumentCount)
    chunkByteCount = min(chunkByteCount, BuildPacer.chunkStepCount * batchByteCount)
  }
}
