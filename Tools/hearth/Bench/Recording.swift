import Hearth

/// The latencies, work and errors of the operations of one kind.
struct KindRecording: Sendable {
  private(set) var latencies = LatencyHistogram()
  /// Latencies by the parts of the run, with fewer digits.
  private(set) var rounds = (0..<LoadLimits.roundCount).map { _ in LatencyHistogram.ofTwoDigits }
  private(set) var total = Work()
  /// The most work of any single operation.
  private(set) var most = Work()
  private(set) var errorCount = 0
  private(set) var firstError: DatabaseError?
  /// Number of operations that should have begun, but didn't before the time was up.
  private(set) var unservedCount = 0

  mutating func record(
    _ result: Result<Work, DatabaseError>, nanoseconds: Int64, round: Int
  ) {
    latencies.record(nanoseconds: nanoseconds)
    rounds[round].record(nanoseconds: nanoseconds)
    switch result {
    case .success(let work):
      total = total.combined(with: work, &+)
      most = most.combined(with: work, max)
    case .failure(let error):
      errorCount += 1
      if firstError == nil { firstError = error }
    }
  }

  /// Records an operation that didn't begin, with the time that it waited.
  mutating func recordUnserved(nanoseconds: Int64) {
    unservedCount += 1
    latencies.record(nanoseconds: nanoseconds)
    rounds[LoadLimits.roundCount - 1].record(nanoseconds: nanoseconds)
  }

  mutating func add(_ other: KindRecording) {
    latencies.add(other.latencies)
    for index in rounds.indices { rounds[index].add(other.rounds[index]) }
    total = total.combined(with: other.total, &+)
    most = most.combined(with: other.most, max)
    errorCount += other.errorCount
    firstError = firstError ?? other.firstError
    unservedCount += other.unservedCount
  }

  /// Number of operations that were carried out.
  var runCount: Int { latencies.count - unservedCount }
}

extension Work {
  fileprivate func combined(with other: Work, _ combine: (Int, Int) -> Int) -> Work {
    Work(
      results: combine(results, other.results), entries: combine(entries, other.entries),
      documents: combine(documents, other.documents), seeks: combine(seeks, other.seeks))
  }
}

/// The recording of one worker's operations, or of several workers' after `add`.
struct Recording: Sendable {
  /// Resolution of throughput over time, in nanoseconds.
  static let tick: Int64 = 20_000_000

  private(set) var kinds: [KindRecording]
  /// Number of operations that ended within each tick.
  private(set) var ticks: [Int] = []
  /// Nanoseconds from the beginning of the load to the end of its last operation.
  private(set) var elapsed: Int64 = 0

  init(kindCount: Int) {
    kinds = (0..<kindCount).map { _ in KindRecording() }
  }

  /// Records an operation.
  ///
  /// - Parameters:
  ///   - start: the time when the operation began, or should have begun, in nanoseconds after the
  ///     beginning of the load.
  ///   - end: the time when it ended.
  mutating func record(
    _ result: Result<Work, DatabaseError>, kind: Int, from start: Int64, to end: Int64,
    round: Int
  ) {
    kinds[kind].record(result, nanoseconds: end - start, round: round)
    let tick = Int(end / Recording.tick)
    while ticks.count <= tick { ticks.append(0) }
    ticks[tick] += 1
    elapsed = max(elapsed, end)
  }

  mutating func recordUnserved(kind: Int, waited: Int64) {
    kinds[kind].recordUnserved(nanoseconds: waited)
  }

  mutating func add(_ other: Recording) {
    for index in kinds.indices { kinds[index].add(other.kinds[index]) }
    while ticks.count < other.ticks.count { ticks.append(0) }
    for (index, count) in other.ticks.enumerated() { ticks[index] += count }
    elapsed = max(elapsed, other.elapsed)
  }

  /// The recordings of all kinds together.
  var whole: KindRecording {
    kinds.reduce(into: KindRecording()) { $0.add($1) }
  }
}
