import Workbench

/// The cost of loading a set of stores, with one measurement for each kind of cost.
struct LoadMeasurement {
  /// Microseconds of the whole process per document, including background work.
  var process: Measurement
  /// Microseconds of wall time per document, until the last batch returned.
  var wall: Measurement
  /// Bytes of keys and values per document as given to the store; 0 if they are not known.
  var batchBytes: [Double]
}

/// Loads the same `count` tasks into every store in alternating slices.
///
/// - Parameter operands: the operands, to which the loaded tasks are added.
func load(
  _ writers: [any Writer], _ tasks: inout SampleTasks, count: Int, title: String,
  batchSize: Int = 500, sliceSize: Int = 5000, sync: Bool = false, operands: inout Operands
) throws -> LoadMeasurement {
  let names = writers.map(\.name)
  var result = LoadMeasurement(
    process: Measurement("\(title), processor time", unit: "us/doc", names: names),
    wall: Measurement("\(title), time on the wall", unit: "us/doc", names: names),
    batchBytes: [Double](repeating: 0, count: names.count))
  var loaded = 0
  var round = 0
  while loaded < count {
    let slice = tasks.next(min(sliceSize, count - loaded)).map(PreparedTask.init)
    operands.add(slice)
    loaded += slice.count
    var wall = [Double](repeating: 0, count: names.count)
    var process = wall
    for contestant in result.wall.order(ofRound: round) {
      let writer = writers[contestant]
      let start = (wall: Clock.wall(), process: Clock.process())
      for batch in stride(from: 0, to: slice.count, by: batchSize) {
        try writer.insert(slice[batch..<min(batch + batchSize, slice.count)], sync: sync)
        result.batchBytes[contestant] += Double(writer.lastBatchByteCount) / Double(count)
      }
      wall[contestant] = (Clock.wall() - start.wall) * 1e6 / Double(slice.count)
      Clock.waitForBackgroundWork()
      process[contestant] = (Clock.process() - start.process) * 1e6 / Double(slice.count)
    }
    result.wall.addRound(wall)
    result.process.addRound(process)
    round += 1
  }
  return result
}

/// Inverts `completed` of random tasks, the same ones in every store, without syncing.
func measureUpdates(
  _ writers: [any Writer], operands: Operands, rounds: Int, updatesPerSlice: Int, seed: UInt64
) throws -> Measurement {
  var measurement = Measurement(
    "W5 update one indexed field, processor time", unit: "us", names: writers.map(\.name))
  var random = SplitMix64(state: seed)
  for round in 0..<rounds {
    let ids = (0..<updatesPerSlice).map { _ in
      operands.ids[Int.random(in: 0..<operands.ids.count, using: &random)]
    }
    var figures = [Double](repeating: 0, count: writers.count)
    for contestant in measurement.order(ofRound: round) {
      let start = Clock.process()
      for id in ids { try writers[contestant].toggleCompleted(id: id) }
      Clock.waitForBackgroundWork()
      figures[contestant] = (Clock.process() - start) * 1e6 / Double(ids.count)
    }
    measurement.addRound(figures)
  }
  return measurement
}

/// Returns the bytes of each store on disk and per document, as a table in Markdown.
func diskTable(_ writers: [any Writer], count: Int, batchBytes: [Double]) -> String {
  var lines = [
    "**Bytes** of \(count) documents", "",
    "| contestant | on disk, per document | ratio | written to the log, per document |",
    "|---|---:|---:|---:|",
  ]
  let sizes = writers.map { Double(Disk.byteCount(at: $0.path)) }
  for (contestant, writer) in writers.enumerated() {
    lines.append(
      "| \(writer.name) | \((sizes[contestant] / Double(count)).short)"
        + " | \((sizes[contestant] / sizes[0]).short)"
        + " | \(batchBytes[contestant] == 0 ? "-" : batchBytes[contestant].short) |")
  }
  return lines.joined(separator: "\n") + "\n"
}
