import Workbench

extension Suite {
  /// Measures whole loads into empty stores, in batches of 500, until all indexes serve: once with
  /// the indexes made first, once with the indexes made over the documents.
  func measureWholeLoads() throws -> Measurement {
    let engines: [Engine] = [
      .sqliteJSON, .sqliteJSONLargeLog, .sqliteJSONIndexesAfter, .sqliteColumns,
      .sqliteColumnsIndexesAfter, .level, .hearth, .hearthIndexesAfter,
    ]
    var tasks = SampleTasks(seed: options.seed, count: options.preload)
    let prepared = tasks.next(options.preload).map(PreparedTask.init)
    show("Loading \(prepared.count) documents into \(engines.count) stores, three times …")
    var measurement = Measurement(.w3Whole, names: engines.map(\.rawValue))
    for _ in 0..<3 {
      try withStores("loads") { path in
        try measurement.addRound { number in
          let store = try engines[number].open(
            in: path, indexes: .composites, memory: options.memory)
          return try Slice.timing(1, unitCount: prepared.count, writes: true) { _ in
            for start in stride(from: 0, to: prepared.count, by: 500) {
              try store.insert(prepared[start..<min(start + 500, prepared.count)])
            }
            try store.finishLoad()
          }
        }
      }
    }
    return measurement
  }
}
