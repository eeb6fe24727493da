import Dispatch
import Hearth

/// A measurement of queries under one load after the other.
struct Benchmark {
  let queries: [BenchQuery]
  let draw: Draw
  let settings: LoadOptions
  let seed: UInt64

  /// Measures all loads on the database of `options`, or on a copy of it if there are writers.
  ///
  /// - Parameter lastAct: the act of a run that is broken off; `nil` without writers.
  func run(on options: DatabaseOptions, _ lastAct: LastAct?) throws -> [CaseResult] {
    guard let lastAct else { return try measure(options) }
    let folder = try options.folder()
    for path in DatabaseCopy.others(of: folder) {
      StandardError.print(
        "Note: there is a copy of another run, \(path): delete it if no other bench runs.")
    }
    let copy = try DatabaseCopy(of: folder, lastAct)
    StandardError.print("Writing to a copy, \(copy.path), which is deleted at the end.")
    var copied = options
    copied.path = copy.path
    do {
      let results = try measure(copied)
      try copy.remove()
      return results
    } catch {
      // The first failure is the one to report.
      try? copy.remove()
      throw error
    }
  }

  private func measure(_ options: DatabaseOptions) throws -> [CaseResult] {
    let loads = settings.loads
    var results: [CaseResult] = []
    var writeCount = 0
    func measure(_ load: BenchLoad, in database: Database) throws {
      let reads = try queryLoad(in: database)
      if !settings.cold { try reads.warmUp(for: settings.warmUp) }
      let result = try run(load, reads, in: database, writesBefore: writeCount)
      writeCount += result.figures.writes?.runs ?? 0
      results.append(result)
    }
    if settings.cold {
      for load in loads {
        try options.withDatabase(isDurable: !settings.noSync, caches: false) {
          try measure(load, in: $0)
        }
      }
    } else {
      try options.withDatabase(isDurable: !settings.noSync) { database in
        for load in loads { try measure(load, in: database) }
      }
    }
    return results
  }

  /// - Throws: the error for which a query is refused.
  func queryLoad(in database: Database) throws(DatabaseError) -> QueryLoad {
    try QueryLoad(
      queries, draw, in: database, seed: seed, decodes: settings.decode,
      timeout: settings.timeout?.duration)
  }

  private func run(
    _ load: BenchLoad, _ queryLoad: QueryLoad, in database: Database, writesBefore: Int
  ) throws -> CaseResult {
    let (reading, writing) = (DispatchGroup(), DispatchGroup())
    let stop = StopFlag()
    let writers = LoadRun(
      ExchangeLoad(exchanges: draw.exchanges, firstNumber: writesBefore, database: database),
      workerCount: load.writers, rate: load.writeRate, limits: LoadLimits(), seed: ~seed,
      stop: stop)
    let readers = LoadRun(
      queryLoad, workerCount: load.readers, rate: load.rate, limits: settings.limits, seed: seed,
      stop: StopFlag())
    let written = writers.start(in: writing)
    let read = readers.start(in: reading)
    reading.wait()
    stop.set()
    writing.wait()
    return CaseResult(
      load, queries, reads: readers.result(read),
      writes: load.writers > 0 ? writers.result(written) : nil,
      isOneOfSeveral: settings.loads.count > 1)
  }
}
