import Workbench

extension Suite {
  /// Runs Q8: a queue of a thousand tasks through which others pass.
  func runQueue() throws {
    try withStores("queue") { path in
      let engines: [Engine] = [.sqliteJSON, .sqliteColumns, .level, .hearth]
      let stores = try open(engines, in: path, .singles)
      var tasks = SampleTasks(seed: options.seed, count: 1000)
      var operands = Operands(users: tasks.users)
      _ = try load(stores, &tasks, count: 1000, as: .w3a, operands: &operands)
      var measurement = Measurement(.q8, names: stores.map(\.name))
      var head = operands.ids[...]
      var cycle = 0
      while cycle < options.queueCycles {
        let count = min(500, options.queueCycles - cycle)
        let slice = tasks.next(count).map(PreparedTask.init)
        head.append(contentsOf: slice.map(\.task.id))
        let gone = Array(head.prefix(count))
        try measurement.addRound { contestant in
          try queueSlice(slice, gone, stores[contestant])
        }
        head = head.dropFirst(count)
        cycle += count
      }
      add(measurement)
      let drifts = measurement.result.contestants.map {
        "\($0.name) \($0.drift.first.short) -> \($0.drift.last.short) us"
      }
      note(
        "Q8, median of the first tenth of \(options.queueCycles) cycles and of the last: "
          + drifts.joined(separator: ", ") + ".")
    }
  }

  private func queueSlice(
    _ new: [PreparedTask], _ gone: [String], _ store: any Contestant
  ) throws -> Slice {
    var tally = Tally()
    var slice = try Slice.timing(new.count, writes: true) { index in
      try store.insert(new[index...index])
      try store.answer(.oldest, into: &tally)
      try store.remove(id: gone[index])
    }
    slice.tally = tally
    return slice
  }
}
