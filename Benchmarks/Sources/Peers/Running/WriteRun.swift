import Hearth
import Synchronization
import Workbench

extension Suite {
  /// Runs the workloads on the stores with the five composites alone: load, build, inserts,
  /// updates, durable inserts.
  func runWriteStores() throws {
    try withStores("composites") { path in
      var tasks = SampleTasks(seed: options.seed, count: options.preload)
      var operands = Operands(users: tasks.users)
      do {
        let stores = try open(Engine.writers, in: path, .composites)
        show("Loading \(options.preload) documents, five composites …")
        let loading = try load(
          stores, &tasks, count: options.preload, as: .w3, operands: &operands)
        if runs(.w3) { add(loading) }
        for store in stores { try store.settle() }
        if runs(.w4) { add(try measureBuilds(stores)) }
        if runs(.w2) {
          add(try measureInserts(.w2, stores, &tasks, &operands, rounds: options.rounds))
        }
        if runs(.w5) { add(try measureUpdates(stores, &operands)) }
      }
      guard runs(.w1) || runs(.w1x) else { return }
      // The end of the block has closed the first four. Opened again, every commit is synced.
      let stores = try open(Engine.readers, in: path, .composites, isDurable: true)
      if runs(.w1) { try runDurableInserts(stores, &tasks, in: path) }
      if runs(.w1x), let hearth = stores.last as? HearthContestant {
        try runManyWriters(hearth, &tasks)
      }
    }
  }

  func measureInserts(
    _ workload: Workload, _ contestants: [any Contestant], _ tasks: inout SampleTasks,
    _ operands: inout Operands, rounds: Int
  ) throws -> Measurement {
    var measurement = Measurement(workload, names: contestants.map(\.name))
    for _ in 0..<rounds {
      let slice = tasks.next(workload.sliceSize).map(PreparedTask.init)
      operands.add(slice)
      try measurement.addRound { contestant in
        try Slice.timing(slice.count, writes: true) {
          try contestants[contestant].insert(slice[$0...$0])
        }
      }
    }
    return measurement
  }

  private func measureUpdates(
    _ contestants: [any Contestant], _ operands: inout Operands
  ) throws -> Measurement {
    var measurement = Measurement(.w5, names: contestants.map(\.name))
    var random = SplitMix64(state: options.seed &+ 4)
    for _ in 0..<options.rounds {
      let updates = (0..<Workload.w5.sliceSize).map { _ in operands.randomUpdate(&random) }
      try measurement.addRound { contestant in
        try Slice.timing(updates.count, writes: true) {
          try contestants[contestant].setCompleted(updates[$0].completed, of: updates[$0].id)
        }
      }
    }
    return measurement
  }

  private func measureBuilds(_ contestants: [any Contestant]) throws -> Measurement {
    var measurement = Measurement(.w4, names: contestants.map(\.name))
    for _ in 0..<max(3, options.rounds / 8) {
      try measurement.addRound { contestant in
        let slice = try Slice.timing(1, unitCount: options.preload, writes: true) { _ in
          try contestants[contestant].buildIndex()
        }
        try contestants[contestant].dropBuiltIndex()
        Clock.waitForBackgroundWork()
        return slice
      }
    }
    return measurement
  }

  /// Runs W1, beside an append of as many bytes as LevelDB's batch of one task has.
  private func runDurableInserts(
    _ stores: [any Contestant], _ tasks: inout SampleTasks, in path: String
  ) throws {
    let file = try AppendedFile(at: "\(path)/appended")
    var byteCount = 700
    var measurement = Measurement(.w1, names: stores.map(\.name) + [Suite.append])
    for _ in 0..<options.rounds {
      let slice = tasks.next(Workload.w1.sliceSize).map(PreparedTask.init)
      try measurement.addRound { contestant in
        guard contestant < stores.count else {
          return try Slice.timing(slice.count, writes: true) { _ in
            try file.append(byteCount: byteCount)
          }
        }
        let store = stores[contestant]
        let timed = try Slice.timing(slice.count, writes: true) { try store.insert(slice[$0...$0]) }
        if let level = store as? LevelContestant { byteCount = level.lastBatchByteCount }
        return timed
      }
    }
    add(measurement)
    note("W1 appends \(byteCount) bytes: the keys and values that LevelDB by hand commits.")
  }

  /// Runs durable inserts by 1, 16 and 64 threads. The latency of a slice is its whole time divided
  /// by the number of inserts.
  private func runManyWriters(
    _ hearth: HearthContestant, _ tasks: inout SampleTasks
  ) throws {
    let counts = [1, 16, 64]
    var measurement = Measurement(
      .w1x, names: counts.map(Suite.writers))
    let collection = try hearth.database.collection("tasks")
    for _ in 0..<max(3, options.rounds / 4) {
      var slices = counts.map { _ in tasks.next(640).map(PreparedTask.init) }
      try measurement.addRound { number in
        let threads = counts[number]
        let slice = threads == 1 ? Array(slices[number].prefix(100)) : slices[number]
        slices[number] = []
        let failure = Mutex<(any Error)?>(nil)
        let timed = try Slice.timing(1, unitCount: slice.count, writes: true) { _ in
          try Threads.run(threads) { thread in
            do {
              for index in stride(from: thread, to: slice.count, by: threads) {
                try collection.document(slice[index].task.id).create(slice[index].fields)
              }
            } catch {
              failure.withLock { $0 = error }
            }
          }
        }
        if let error = failure.withLock({ $0 }) { throw error }
        return timed
      }
    }
    add(measurement)
  }
}
