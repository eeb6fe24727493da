import ArgumentParser
import Foundation
import GRDB
import Hearth

/// A benchmark that decodes stored tasks through synthesized `Codable`, beside Foundation's JSON
/// decoder over the same tasks as JSON and GRDB's records over the same tasks in a table.
///
/// Every figure is the median of several passes over all tasks, in nanoseconds per task. The best
/// pass follows it, and the ratio of Foundation's median to this one. Each pass adds up a field of
/// the values that it decoded, so that no decoding can be optimized away.
@main
struct DecodingBenchmark: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Decode stored tasks into structs, beside JSONDecoder and GRDB.")

  @Option(help: "How many tasks.")
  var tasks = 100_000

  @Option(help: "How many passes.")
  var passes = 7

  func validate() throws {
    guard tasks > 0, passes > 0 else { throw ValidationError("Give it tasks and passes.") }
  }

  @Option(help: "Only what has this in its name, to watch it in a profiler.")
  var only = ""

  func run() throws {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "decoding-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }

    let collection = try fillHearth(folder.appending(path: "hearth").path)
    let snapshot = try collection.getDocuments()
    let queue = try fillTable(folder.appending(path: "tasks.sqlite").path)
    let rows = try queue.read { try Row.fetchAll($0, sql: "SELECT * FROM task") }
    let texts = try (0..<tasks).map { try JSONEncoder().encode(Task.sample($0)) }
    let dated = JSONEncoder()
    dated.dateEncodingStrategy = .iso8601
    let datedTexts = try (0..<tasks).map { try dated.encode(Task.sample($0)) }
    let samples = (0..<tasks).map(Task.sample)
    try compare([
      Contender("Foundation JSONDecoder, dates as numbers") {
        let decoder = JSONDecoder()
        return try texts.reduce(0) { $0 + (try decoder.decode(Task.self, from: $1)).priority }
      },
      Contender("Foundation JSONDecoder, dates as ISO 8601 text") {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        return try datedTexts.reduce(0) { $0 + (try decoder.decode(Task.self, from: $1)).priority }
      },
      Contender("Foundation JSONDecoder, dates as numbers, kept in an array") {
        let decoder = JSONDecoder()
        return try texts.map { try decoder.decode(Task.self, from: $0) }
          .reduce(0) { $0 + $1.priority }
      },
      Contender("GRDB record from a fetched row") {
        try rows.reduce(0) { $0 + (try TaskRow(row: $1)).priority }
      },
      Contender("GRDB fetchAll, reading included") {
        try queue.read { try TaskRow.fetchAll($0) }.reduce(0) { $0 + $1.priority }
      },
      Contender("Hearth data(as:) of a fetched document") {
        let documents = snapshot.documents
        return try documents.indices.reduce(0) {
          $0 + (try documents[$1].data(as: Task.self)).priority
        }
      },
      Contender("Hearth documents(as:) of fetched documents") {
        try snapshot.documents(as: Task.self).reduce(0) { $0 + $1.priority }
      },
      Contender("Hearth getDocuments().documents(as:), reading included") {
        try collection.getDocuments().documents(as: Task.self).reduce(0) { $0 + $1.priority }
      },
    ])
    print("")
    try compare([
      Contender("Foundation JSONEncoder") {
        let encoder = JSONEncoder()
        return try samples.reduce(0) { $0 + (try encoder.encode($1)).count }
      },
      Contender("Hearth DocumentEncoder") {
        let encoder = DocumentEncoder()
        return try samples.reduce(0) { $0 + (try encoder.encode($1)).count }
      },
    ])
  }

  private func fillHearth(_ path: String) throws -> CollectionReference {
    var options = Database.Options()
    options.isDurable = false
    let database = try Database.open(at: path, options: options)
    let collection = try database.collection("tasks")
    for start in stride(from: 0, to: tasks, by: 500) {
      var batch = database.batch()
      for number in start..<min(start + 500, tasks) {
        try batch.setData(
          from: Task.sample(number), for: try collection.document("task-\(number)"))
      }
      try batch.commit()
    }
    return collection
  }

  private func fillTable(_ path: String) throws -> DatabaseQueue {
    let queue = try DatabaseQueue(path: path)
    try queue.write { db in
      try db.create(table: "task") { table in
        table.primaryKey("id", .integer)
        for name in ["title", "userID", "city"] { table.column(name, .text).notNull() }
        table.column("details", .text)
        for name in ["priority", "isDone", "floor"] { table.column(name, .integer).notNull() }
        for name in ["estimate", "createdTime"] { table.column(name, .double).notNull() }
      }
      for number in 0..<tasks { try TaskRow(number).insert(db) }
    }
    return queue
  }

  /// Runs the contenders in turns, so that other work on the machine affects all alike.
  private func compare(_ contenders: [Contender]) throws {
    let contenders = contenders.filter { only.isEmpty || $0.name.contains(only) }
    var times = [[Double]](repeating: [], count: contenders.count)
    for _ in 0..<passes {
      for (index, contender) in contenders.enumerated() {
        let start = ContinuousClock.now
        guard try contender.body() != 0 else { throw ExitCode.failure }
        let elapsed = (ContinuousClock.now - start).components
        let nanoseconds = Double(elapsed.seconds) * 1e9 + Double(elapsed.attoseconds) / 1e9
        times[index].append(nanoseconds / Double(tasks))
      }
    }
    let medians = times.map { $0.sorted()[$0.count / 2] }
    for (index, contender) in contenders.enumerated() {
      print(
        String(
          format: "%6.0f ns (best %6.0f) %5.1f x  %@", medians[index], times[index].min() ?? 0,
          medians[0] / medians[index], contender.name))
    }
  }
}

private struct Contender {
  let name: String
  let body: () throws -> Int

  init(_ name: String, _ body: @escaping () throws -> Int) {
    self.name = name
    self.body = body
  }
}
