import Workbench

extension Suite {
  /// Runs the workloads on the stores with all indexes: load, questions, questions among updates,
  /// inserts.
  func runReadStores() throws {
    try withStores("all") { path in
      var tasks = SampleTasks(seed: options.seed, count: options.documents)
      var operands = Operands(users: tasks.users)
      try loadReadStores(in: path, &tasks, &operands)
      do {
        let readers = try Readers(self, in: path)
        try askQuestions(readers, &operands)
        note(readers.cacheNote)
        if runs(.w2a) {
          add(
            try measureInserts(.w2a, readers.bases, &tasks, &operands, rounds: options.rounds))
        }
      }
      // The end of the block has closed all of them.
      for workload in [Workload.q1Disk, .q2Disk] where runs(workload) {
        add(try measureFromDisk(workload, in: path, operands))
      }
    }
  }

  /// Loads the stores and closes them; then gives each of the other readers a copy.
  private func loadReadStores(
    in path: String, _ tasks: inout SampleTasks, _ operands: inout Operands
  ) throws {
    do {
      let stores = try open(Engine.readers, in: path, .all)
      show("Loading \(options.documents) documents, all indexes …")
      let loading = try load(
        stores, &tasks, count: options.documents, as: .w3a, operands: &operands)
      if runs(.w3a) { add(loading) }
      for store in stores { try store.settle() }
    }
    for engine in Engine.copyReaders {
      try Engine.copyStore(from: engine.original.path(in: path), to: engine.path(in: path))
      for store in try open([engine], in: path, .all) {
        try engine.tune(store)
        try store.settle()
      }
    }
  }

  private func askQuestions(_ readers: Readers, _ operands: inout Operands) throws {
    try checkAnswers(readers.all, Workload.questions, operands: operands)
    try readers.warm(operands)
    for workload in Workload.questions where runs(workload) && workload != .q6 {
      add(try measure(workload, readers.contestants(of: workload), operands))
    }
    if runs(.q2Struct) {
      add(try measure(.q2Struct, readers.contestants(of: .q2Struct), operands))
    }
    if runs(.q6) { try runEqualities(readers, operands) }
    if runs(.q7) { add(try measureScan(readers.contestants(of: .q7))) }
    if runs(.q9) { add(try measureMixed(readers.contestants(of: .q9), &operands)) }
  }

  /// Measures slices of one kind of question.
  func measure(
    _ workload: Workload, _ contestants: [any Contestant], _ operands: Operands
  ) throws -> Measurement {
    var measurement = Measurement(workload, names: contestants.map(\.name))
    var random = SplitMix64(state: options.seed &+ 2)
    func questions() -> [Question] {
      (0..<workload.sliceSize).map { _ in workload.question(operands, &random) }
    }
    let warmUp = questions()
    for contestant in contestants { _ = try slice(warmUp, contestant) }
    for _ in 0..<options.rounds {
      let questions = questions()
      try measurement.addRound { try slice(questions, contestants[$0]) }
    }
    return measurement
  }

  func slice(_ questions: [Question], _ contestant: any Contestant) throws -> Slice {
    if contestant.sharesStore { processorCache.fill() }
    var tally = Tally()
    var slice = try Slice.timing(questions.count) {
      try contestant.answer(questions[$0], into: &tally)
    }
    slice.tally = tally
    return slice
  }

  /// Runs Q6 on the stores with the five composites, and on stores with single-field indexes alone.
  private func runEqualities(_ readers: Readers, _ operands: Operands) throws {
    try withStores("singles") { path in
      let singles = try open([.sqliteSingles, .hearthAutomatic], in: path, .singles)
      var tasks = SampleTasks(seed: options.seed, count: options.documents)
      var loaded = Operands(users: tasks.users)
      _ = try load(
        singles, &tasks, count: options.documents, as: .w3a, operands: &loaded)
      for store in singles { try store.settle() }
      for store in singles { try Readers.warm(store, operands, asking: [.q6]) }
      try checkAnswers([readers.bases[0]] + singles, [.q6], operands: operands)
      add(try measure(.q6, readers.contestants(of: .q6) + singles, operands))
    }
  }

  private func measureScan(_ contestants: [any Contestant]) throws -> Measurement {
    var measurement = Measurement(.q7, names: contestants.map(\.name))
    for _ in 0..<max(3, options.rounds / 5) {
      try measurement.addRound { contestant in
        if contestants[contestant].sharesStore { processorCache.fill() }
        var tally = Tally()
        var slice = try Slice.timing(1, unitCount: options.documents) { _ in
          try contestants[contestant].answer(.everything, into: &tally)
        }
        slice.tally = tally
        return slice
      }
    }
    return measurement
  }

  /// Measures Q2 with an update of one indexed field as every twentieth operation. Only reads are
  /// timed.
  private func measureMixed(
    _ contestants: [any Contestant], _ operands: inout Operands
  ) throws -> Measurement {
    var measurement = Measurement(.q9, names: contestants.map(\.name))
    var random = SplitMix64(state: options.seed &+ 3)
    for _ in 0..<options.rounds {
      let pairs = (0..<5).map { _ in
        (
          update: operands.randomUpdate(&random),
          questions: (0..<19).map { _ in Workload.q2.question(operands, &random) }
        )
      }
      try measurement.addRound { number in
        let contestant = contestants[number]
        var latencies: [Double] = []
        var cpu = 0.0
        var tally = Tally()
        for pair in pairs {
          try contestant.setCompleted(pair.update.completed, of: pair.update.id)
          let slice = try Slice.timing(pair.questions.count) {
            try contestant.answer(pair.questions[$0], into: &tally)
          }
          latencies += slice.latencies
          cpu += slice.cpu / Double(pairs.count)
        }
        Clock.waitForBackgroundWork()
        return Slice(latencies: latencies, cpu: cpu, tally: tally)
      }
    }
    return measurement
  }
}
