import Workbench

extension Suite {
  /// Measures questions to stores that were just opened and whose files the kernel has dropped from
  /// memory. Each round opens them anew.
  func measureFromDisk(
    _ workload: Workload, in path: String, _ operands: Operands
  ) throws -> Measurement {
    let engines: [Engine] = [.sqliteJSON, .sqliteColumns, .level, .hearth]
    var measurement = Measurement(workload, names: engines.map(\.rawValue))
    var random = SplitMix64(state: options.seed &+ 5)
    var mostResident = 0.0
    for engine in engines { try Disk.synchronize(engine.path(in: path)) }
    for _ in 0..<max(3, options.rounds / 4) {
      let questions = (0..<workload.sliceSize).map { _ in workload.question(operands, &random) }
      try measurement.addRound { number in
        let place = engines[number].path(in: path)
        try Disk.dropFromMemory(place)
        mostResident = max(mostResident, try Disk.residentShare(of: place))
        let store = try engines[number].open(in: path, indexes: .all, memory: options.memory)
        return try slice(questions, store)
      }
    }
    note(
      "\(workload.rawValue): of a store's files at most \((mostResident * 100).short) % were left "
        + "in the kernel's memory before a round; a cache of the host's is out of reach.")
    return measurement
  }
}
