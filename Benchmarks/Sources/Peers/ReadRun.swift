import Workbench

extension Suite {
  /// The stores with all indexes: load, questions, questions among updates, inserts.
  func runReadStores() throws {
    try withStores("all") { path in
      let stores = try open(Engine.readers, in: path, .all)
      var tasks = SampleTasks(seed: options.seed, count: options.documents)
      var operands = Operands(users: tasks.users)
      show("Loading \(options.documents) documents, all indexes …")
      let loading = try load(
        stores, &tasks, count: options.documents, as: .w3a, operands: &operands)
      if runs(.w3a) { add(loading) }
      for store in stores { try store.settle() }
      var readers = stores
      if let hearth = stores.last as? HearthContestant {
        readers.append(HearthContestant(decodingAllOf: hearth))
      }
      try checkAnswers(readers, Workload.questions, operands: operands)
      for workload in Workload.questions where runs(workload) && workload != .q6 {
        let counter = workload == .q4 ? (stores.last as? HearthContestant) : nil
        add(
          try measure(
            workload,
            counter.map { stores + [HearthContestant(countingByTime: $0)] } ?? readers, operands))
      }
      if runs(.q6) { try runEqualities(readers, operands) }
      if runs(.q7) { add(try measureScan(readers)) }
      if runs(.q9) { add(try measureMixed(stores, &operands)) }
      if runs(.w2a) {
        add(try measureInserts(.w2a, stores, &tasks, &operands, rounds: options.rounds))
      }
    }
  }

  /// Slices of one kind of question.
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

  private func slice(_ questions: [Question], _ contestant: any Contestant) throws -> Slice {
    var tally = Tally()
    var slice = try Slice.timing(questions.count) {
      try contestant.answer(questions[$0], into: &tally)
    }
    slice.tally = tally
    return slice
  }

  /// Q6, beside the five composites also by single-field indexes alone, from stores without others.
  private func runEqualities(_ readers: [any Contestant], _ operands: Operands) throws {
    try withStores("singles") { path in
      let cache = options.cacheMebibytes
      let singles = [
        try Engine.sqliteJSON.open(
          in: path, indexes: .singles, cacheMebibytes: cache, name: Suite.automaticSQLite),
        try Engine.hearth.open(
          in: path, indexes: .singles, cacheMebibytes: cache, name: Suite.automaticHearth),
      ]
      var tasks = SampleTasks(seed: options.seed, count: options.documents)
      var loaded = Operands(users: tasks.users)
      _ = try load(
        singles, &tasks, count: options.documents, as: .w3a, operands: &loaded)
      for store in singles { try store.settle() }
      try checkAnswers([readers[0]] + singles, [.q6], operands: operands)
      add(try measure(.q6, readers + singles, operands))
    }
  }

  private func measureScan(_ contestants: [any Contestant]) throws -> Measurement {
    var measurement = Measurement(.q7, names: contestants.map(\.name))
    for _ in 0..<max(3, options.rounds / 5) {
      try measurement.addRound { contestant in
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

  /// Q2 with an update of one indexed field as every twentieth operation. Only reads are timed.
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
