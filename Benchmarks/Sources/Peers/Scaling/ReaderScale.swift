import ArgumentParser
import Hearth
import Synchronization
import Workbench

/// `readers`: the pages that threads read at once, beside those that one thread reads.
struct ReaderScale: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "readers",
    abstract: "Hot pages by one thread and by many.",
    discussion: """
      Each round runs every number of threads once. The last column is what the processors give \
      in the same round to threads that share nothing.
      """)

  @Option(help: "How many documents.")
  var documents = 20_000

  @Option(help: "How many rounds.")
  var rounds = 15

  @Option(help: "How long a slice runs, in seconds.")
  var seconds = 0.25

  @Flag(help: "Read no field of the documents.")
  var withoutFields = false

  @Option(help: "The folder in which the database is made.")
  var folder = "/tmp"

  private static let threadCounts = [1, 2, 4, 16]

  func validate() throws {
    guard documents >= 1000, documents.isMultiple(of: 500) else {
      throw ValidationError("--documents needs a multiple of 500, at least 1000")
    }
    guard rounds >= 3, seconds > 0 else {
      throw ValidationError("--rounds needs at least 3, and --seconds more than 0")
    }
  }

  func run() throws {
    let path = try Disk.makeTemporaryFolder(in: folder)
    defer { Disk.remove(path) }
    let store = try HearthContestant(
      StoreSettings(
        path: path, indexes: .composites,
        memory: MemorySettings(cacheMebibytes: 256, documentMebibytes: 256), isDurable: false))
    var tasks = SampleTasks(seed: 1, count: documents)
    try store.load(documents, from: &tasks)
    try Readers.warm(store, asking: [.q2], of: tasks.users)
    let collection = try store.database.collection("tasks")
    show(
      try table { [users = tasks.users, withoutFields] threads in
        try (
          pages: rate(of: threads) { random in
            let page = try ReaderScale.page(of: &random, users, in: collection)
            if !withoutFields { try ReaderScale.readFields(of: page) }
          },
          machine: rate(of: threads) { for _ in 0..<10_000 { _ = $0.next() } }
        )
      })
    try store.database.close()
  }

  private func table(_ measure: (Int) throws -> (pages: Double, machine: Double)) throws -> String {
    var rates = ReaderScale.threadCounts.map { _ in [Double]() }
    var ratios = rates
    var machine = rates
    for _ in 0..<rounds {
      let round = try ReaderScale.threadCounts.map(measure)
      for index in round.indices {
        rates[index].append(round[index].pages)
        ratios[index].append(round[index].pages / round[0].pages)
        machine[index].append(round[index].machine / round[0].machine)
      }
    }
    let lines = ReaderScale.threadCounts.indices.map { index in
      "| \(ReaderScale.threadCounts[index]) | \(Spread(rates[index]).median.short) "
        + "| \(Spread(ratios[index]).median.short) | \(Spread(machine[index]).median.short) |"
    }
    return """
      | threads | pages a second | of one thread | of one thread, nothing shared |
      |---:|---:|---:|---:|
      \(lines.joined(separator: "\n"))
      """
  }

  /// Returns how often `body` ran in a second, on all threads together.
  private func rate(
    of threads: Int, _ body: @escaping @Sendable (inout SplitMix64) throws -> Void
  ) throws -> Double {
    let outcome = Outcome()
    let start = Clock.wall()
    try Threads.run(threads) { [seconds] thread in
      var random = SplitMix64(state: UInt64(thread) + 1)
      var runs = 0
      do {
        while Clock.wall() - start < seconds {
          try body(&random)
          runs += 1
        }
      } catch {
        outcome.failure.withLock { $0 = error }
      }
      outcome.runs.wrappingAdd(runs, ordering: .relaxed)
    }
    if let error = outcome.failure.withLock({ $0 }) { throw error }
    return Double(outcome.runs.load(ordering: .relaxed)) / (Clock.wall() - start)
  }

  /// Returns the newest tasks of some user.
  private static func page(
    of random: inout SplitMix64, _ users: [String], in collection: CollectionReference
  ) throws -> QuerySnapshot {
    let user = users[Int.random(in: users.indices, using: &random)]
    return try collection.whereField("userId", isEqualTo: .string(user))
      .order(by: "createdTime", descending: true).limit(to: 20).getDocuments()
  }

  /// Reads three fields of each document.
  private static func readFields(of page: QuerySnapshot) throws {
    for document in page.documents {
      guard try document.value("title") != nil, try document.value("priority") != nil,
        try document.value("createdTime") != nil
      else { throw StudyError("a stored task lacks a field") }
    }
  }
}

/// The sum of what threads did, and the error of one of them.
private final class Outcome: Sendable {
  let runs = Atomic(0)
  let failure = Mutex<(any Error)?>(nil)
}
