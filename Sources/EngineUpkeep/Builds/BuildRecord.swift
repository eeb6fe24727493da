import HearthDocumentEngine
import HearthDocumentModel
import HearthQueryPlanning
import HearthReports

/// The progress of one build, as the ledger remembers it.
struct BuildRecord: Sendable {
  /// Time without any move after which a build is stalled.
  private static let stallNanoseconds: UInt64 = 30_000_000_000
  /// The time that the rate looks back, and the least time between its samples.
  private static let rateNanoseconds: UInt64 = 10_000_000_000
  private static let sampleNanoseconds: UInt64 = 200_000_000

  private struct Sample: Sendable {
    let time: UInt64
    let documentCount: Int
  }

  let number: Int
  let target: BuildTarget
  var name: BuildName { target.name }
  let subject: BuildStatus.Subject
  var collectionGroup: String { target.collectionGroup }
  var state = BuildStatus.State.building
  var error: DatabaseError?
  /// Counts since the database was opened.
  private(set) var documentCount = 0
  private(set) var entryCount = 0
  private(set) var chunkCount = 0
  /// The exact number of documents; `nil` if they weren't counted.
  var countedTotal: Int?
  /// Numbers of documents: the first that the build read since the database was opened, its present
  /// one, and the one after the last.
  private var start: UInt64?
  private var position: UInt64 = 1
  /// Whether the build's position at the opening of the database is known.
  private(set) var isPlaced = false
  private let end: UInt64
  private var samples: [Sample] = []
  private(set) var lastMove: UInt64

  init(number: Int, _ target: BuildTarget, end: UInt64, at time: UInt64) {
    self.number = number
    self.target = target
    subject =
      switch target {
      case .index(let index): .index(index.definition)
      case .covering(let index, _): .covering(index.definition)
      case .timeToLive(let policy):
        .timeToLive(collectionGroup: policy.collectionGroup, field: policy.field)
      case .override(let override, _, _):
        .fields(collectionGroup: override.collectionGroup, field: override.field)
      }
    self.end = end
    lastMove = time
  }

  /// Whether the build was given up, even if its changes are not all taken back yet.
  var hasFailed: Bool { error?.details is UnindexableDocument }

  /// Whether the build hasn't ended yet.
  var isOpen: Bool { state == .building || state == .paused }

  // MARK: Progress

  /// Takes over the position that an earlier open of the database reached.
  mutating func place(at checkpoint: UInt64) {
    guard !isPlaced else { return }
    isPlaced = true
    position = max(position, checkpoint)
  }

  /// Records a read or write for this build that began at `start`. The rate is measured from the
  /// first one.
  mutating func move(from start: UInt64, at time: UInt64) {
    if samples.isEmpty { samples.append(Sample(time: start, documentCount: documentCount)) }
    lastMove = time
    // A failed build stays failed while its change is taken back.
    if state == .building, !hasFailed { error = nil }
  }

  /// Enters `state`. Time in which the build was paused is no part of its rate.
  mutating func enter(_ state: BuildStatus.State, at time: UInt64) {
    guard self.state != state else { return }
    self.state = state
    guard state == .building else { return }
    samples = []
    lastMove = time
    if !hasFailed { error = nil }
  }

  mutating func add(
    _ tally: BuildChunk.Tally, _ chunk: BuildScan.FinishedChunk, from start: UInt64,
    at time: UInt64
  ) {
    move(from: start, at: time)
    documentCount += tally.documentCount
    entryCount += tally.entryCount
    chunkCount += 1
    isPlaced = true
    if self.start == nil { self.start = max(chunk.start, 1) }
    position = chunk.next ?? max(end, position)
    if let last = samples.last, time &- last.time >= BuildRecord.sampleNanoseconds {
      samples.append(Sample(time: time, documentCount: documentCount))
    }
    let first = samples.firstIndex { $0.time &+ BuildRecord.rateNanoseconds >= time }
    // One sample from before shows how long nothing came.
    samples.removeFirst(max((first ?? samples.count) - 1, 0))
  }

  /// The progress as callers are told of it: the documents done since the database was opened, and
  /// those that were left to do then. The first gives the speed, and both give the time left.
  var progress: BuildProgress {
    let total = (countedTotal ?? estimatedTotal) - earlierCount
    return BuildProgress(
      documentsDone: documentCount, documentsTotal: max(total, documentCount))
  }

  /// The estimated number of documents that earlier opens have done.
  private var earlierCount: Int { Int(documentsPerNumber * Double((start ?? position) - 1)) }

  /// The documents for each document number since the build's start; 1 if none is known yet.
  private var documentsPerNumber: Double {
    guard let start, position > start else { return 1 }
    return Double(documentCount) / Double(position - start)
  }

  private var estimatedTotal: Int { Int(documentsPerNumber * Double(max(end, 1) - 1)) }

  // MARK: Status

  /// - Parameter latestMove: the time of the last move of any build. A build that waits for its
  ///   turn hasn't stalled.
  func status(at time: UInt64, latestMove: UInt64) -> BuildStatus {
    let done = documentCount + earlierCount
    let total = state == .ready ? done : max(countedTotal ?? estimatedTotal, done)
    let fraction =
      state == .ready ? 1 : end > 1 ? min(Double(position - 1) / Double(end - 1), 1) : 0
    let rate = state == .building ? rate(at: time) : nil
    let idle = time &- min(max(lastMove, latestMove), time)
    var status = BuildStatus(number: number, subject, state, error)
    status.documentsDone = done
    status.documentsTotal = total
    status.fraction = fraction
    status.entriesWritten = entryCount
    status.documentsDoneEarlier = earlierCount > 0 ? earlierCount : nil
    status.documentsPerSecond = rate
    status.secondsLeft = rate.flatMap { $0 > 0 ? Double(total - done) / $0 : nil }
    status.stalledSeconds =
      state == .building && idle > BuildRecord.stallNanoseconds ? Double(idle) / 1e9 : nil
    return status
  }

  private func rate(at time: UInt64) -> Double? {
    // A chunk that was read ahead is written in no time: its speed is no rate.
    guard let first = samples.first, time &- first.time >= BuildRecord.sampleNanoseconds,
      documentCount > first.documentCount
    else { return nil }
    return Double(documentCount - first.documentCount) / (Double(time - first.time) / 1e9)
  }
}
