import Workbench
import ArgumentParser

/// `directions`: one stored entry per automatic field, read backwards for descending, or two
/// entries.
struct CompareDirections: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "directions",
    abstract: "One entry per automatic field, read backwards for descending, or two.")

  @OptionGroup var options: StudyOptions

  func run() throws {
    try options.withFolder { folder in
      print("## Directions, 8 automatic fields, \(options.documents) documents\n")
      let stores = try [false, true].map { both in
        try LayoutStore(
          at: "\(folder)/\(both ? "both" : "one")", layout: .numbers,
          indexes: SampleIndex.automatic(bothDirections: both), settings: options.settings,
          name: both ? "two entries per field" : "one entry per field")
      }
      var tasks = options.sampleTasks()
      var operands = Operands()
      operands.users = tasks.users
      let load = try load(
        stores, &tasks, count: options.documents, title: "W3 bulk load, automatic indexes",
        operands: &operands)
      print(load.process.table, load.wall.table, separator: "\n")
      if options.compact { for store in stores { store.database.compact() } }
      print(diskTable(stores, count: options.documents, batchBytes: load.batchBytes))
      try comparePages(of: stores[1], operands)
    }
  }

  private func comparePages(of store: LayoutStore, _ operands: Operands) throws {
    guard
      let ascending = SampleIndex.automatic(.createdTime, descending: false),
      let descending = SampleIndex.automatic(.createdTime, descending: true)
    else { throw StudyError("the automatic indexes lack createdTime") }
    for documents in [false, true] {
      for limit in [1, 20, 1000] {
        let ways = [
          DescendingPage(store, descending, backwards: false, fetchesDocuments: documents),
          DescendingPage(store, ascending, backwards: true, fetchesDocuments: documents),
        ]
        print(try measure(ways, limit: limit, operands).table)
      }
    }
  }

  private func measure(
    _ ways: [DescendingPage], limit: Int, _ operands: Operands
  ) throws -> Measurement {
    var measurement = Measurement(
      "The \(limit) newest of a time, \(ways[0].fetchesDocuments ? "with" : "without") documents",
      unit: "us", names: ways.map(\.name))
    var random = SplitMix64(state: options.seed)
    for round in 0...options.rounds {
      let times = (0..<max(5, 400 / limit)).map { _ in
        operands.times[
          Int.random(
            in: min(2 * limit, operands.times.count / 2)..<operands.times.count, using: &random)]
      }
      var figures = [Double](repeating: 0, count: ways.count)
      var answers = [[UInt64]](repeating: [], count: ways.count)
      for contestant in measurement.order(ofRound: round) {
        let start = Clock.thread()
        for time in times {
          try ways[contestant].numbers(before: time, limit: limit, into: &answers[contestant])
        }
        figures[contestant] = (Clock.thread() - start) * 1e6 / Double(times.count)
      }
      guard answers[0] == answers[1], answers[0].count == times.count * limit else {
        throw StudyError("the two directions disagree")
      }
      if round > 0 { measurement.addRound(figures) }
    }
    return measurement
  }
}

/// A query for a page of the newest tasks up to a time, from either of the two stored orders.
private struct DescendingPage {
  let name: String
  let fetchesDocuments: Bool
  private let store: LayoutStore
  private let index: SampleIndex
  private let backwards: Bool

  init(_ store: LayoutStore, _ index: SampleIndex, backwards: Bool, fetchesDocuments: Bool) {
    self.store = store
    self.index = index
    self.backwards = backwards
    self.fetchesDocuments = fetchesDocuments
    name = backwards ? "ascending entries backwards" : "descending entries forwards"
  }

  func numbers(before time: Int64, limit: Int, into numbers: inout [UInt64]) throws {
    let cursor = LevelCursor(store.database)
    let documents = fetchesDocuments ? LevelCursor(store.database) : nil
    let prefix = store.entryPrefix(of: index, [])
    let start = store.entryPrefix(of: index, [.integer(time)])
    cursor.seek(to: backwards ? start : start + [0xFF])
    // Descending entries of `time` itself begin with `start`; skipping them leaves earlier ones.
    if backwards { if cursor.isValid { cursor.previous() } else { cursor.seekToLast() } }
    var remaining = limit
    while remaining > 0, cursor.isValid, cursor.key.begins(with: prefix) {
      var reader = RecordReader(bytes: cursor.value)
      let number = try reader.varint()
      numbers.append(number)
      if let documents {
        documents.seek(to: store.documentKey(number: number))
        _ = try TaskRecord.decode(documents.value)
      }
      remaining -= 1
      guard remaining > 0 else { break }
      if backwards { cursor.previous() } else { cursor.next() }
    }
    try cursor.throwIfFailed()
  }
}
