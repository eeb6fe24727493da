import Hearth

/// A load of numbered operations. The same number is always the same operation.
protocol Load: Sendable {
  /// Number of kinds of operations that are recorded apart.
  var kindCount: Int { get }

  func kind(ofOperation number: Int) -> Int

  func perform(_ number: Int) throws(DatabaseError) -> Work
}

/// A load of queries in proportion to their weights, each with random values.
struct QueryLoad: Load {
  private let runs: [[BoundRun]]
  /// For each query, the sum of the weights up to and including its own.
  private let bounds: [UInt64]
  private let seed: UInt64
  private let decodes: Bool
  private let timeout: Duration?

  init(
    _ queries: [BenchQuery], _ draw: Draw, in database: Database, seed: UInt64, decodes: Bool,
    timeout: Duration?
  ) throws(DatabaseError) {
    var runs: [[BoundRun]] = []
    for drawn in draw.runs {
      var bound: [BoundRun] = []
      for run in drawn { bound.append(try BoundRun(run, in: database)) }
      runs.append(bound)
    }
    self.runs = runs
    var sum: UInt64 = 0
    bounds = queries.map {
      sum += UInt64($0.weight)
      return sum
    }
    self.seed = seed
    self.decodes = decodes
    self.timeout = timeout
  }

  var kindCount: Int { runs.count }

  func kind(ofOperation number: Int) -> Int {
    guard bounds.count > 1, let total = bounds.last else { return 0 }
    let place = bits(number) >> 32 % total
    return bounds.firstIndex { place < $0 } ?? 0
  }

  func perform(_ number: Int) throws(DatabaseError) -> Work {
    let runs = runs[kind(ofOperation: number)]
    let index = Int(bits(number) & 0xffff_ffff) % runs.count
    return try runs[index].perform(isDecoding: decodes, timeout: timeout)
  }

  private func bits(_ number: Int) -> UInt64 {
    var random = SplitMix(seed: seed, number: number)
    return random.next()
  }

  /// Runs the query at a place in the list once.
  ///
  /// - Throws: the error for which the query is refused.
  func runOnce(_ place: Int) throws(DatabaseError) {
    _ = try runs[place][0].perform(isDecoding: decodes, timeout: nil)
  }

  /// Runs each query once with each of its values, until the time is up.
  func warmUp(for duration: Duration) throws(DatabaseError) {
    let end = ContinuousClock.now + duration
    for index in 0..<(runs.map(\.count).max() ?? 0) {
      for runs in runs where index < runs.count {
        guard ContinuousClock.now < end else { return }
        _ = try runs[index].perform(isDecoding: decodes, timeout: nil)
      }
    }
  }
}
