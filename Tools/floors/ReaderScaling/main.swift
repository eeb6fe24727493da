import Foundation
import Hearth
import Synchronization
import TestSupport

// The throughput of many readers beside one: pages of 20 documents that are all in memory, read by
// one thread and by sixteen, in turns. Run it in release:
//
//     swift run -c release ReaderScaling [threads] [rounds]

let arguments = CommandLine.arguments.dropFirst().compactMap { Int($0) }
let threadCount = arguments.first ?? 16
let rounds = arguments.dropFirst().first ?? 10

/// A database whose pages are in memory: the newest tasks of each of some users.
struct HotPages {
  private static let userCount = 100
  private static let taskCount = 100

  let folder: TemporaryFolder
  let database: Database
  /// The query of each user's page.
  let queries: [Query]

  init() throws {
    folder = try TemporaryFolder()
    var options = Database.Options()
    options.isDurable = false
    database = try Database.open(at: folder.path(of: "db"), options: options)
    let tasks = try database.collection("tasks")
    try database.indexes.create(
      IndexDefinition(
        "tasks",
        [
          IndexColumn(try FieldPath("user"), .ascending),
          IndexColumn(try FieldPath("time"), .descending),
        ]))
    for time in 0..<Self.taskCount {
      var batch = database.batch()
      for user in 0..<Self.userCount {
        batch.setData(
          [
            "user": .string("user\(user)"), "time": .integer(Int64(time)),
            "title": "Buy milk and bread", "done": false, "priority": 2,
          ], for: try tasks.document("t\(user)-\(time)"))
      }
      try batch.commit()
    }
    queries = try (0..<Self.userCount).map { user in
      try tasks.whereField("user", isEqualTo: .string("user\(user)"))
        .order(by: "time", descending: true).limit(to: 20)
    }
    // A scan is kept after some reads of it.
    for _ in 0..<20 { for query in queries { _ = try query.getDocuments() } }
  }

  /// Returns the number of pages that `threadCount` threads read in a second.
  func throughput(of threadCount: Int, seconds: Double) -> Double {
    let turn = Turn()
    let readers = DispatchGroup()
    let clock = ContinuousClock()
    let start = clock.now
    for number in 0..<threadCount {
      readers.enter()
      Thread.detachNewThread {
        read(from: number, turn)
        readers.leave()
      }
    }
    Thread.sleep(forTimeInterval: seconds)
    turn.isOver.store(true, ordering: .relaxed)
    readers.wait()
    return Double(turn.pageCount.load(ordering: .relaxed)) / ((clock.now - start) / .seconds(1))
  }

  /// Reads one page after the other until the turn is over.
  private func read(from first: Int, _ turn: Turn) {
    var (page, count) = (first, 0)
    while !turn.isOver.load(ordering: .relaxed) {
      page = (page + 7) % queries.count
      let documents = (try? queries[page].getDocuments())?.documents
      precondition(documents?.count == 20, "A page has not 20 documents.")
      count += 1
    }
    turn.pageCount.add(count, ordering: .relaxed)
  }
}

/// One turn of some threads.
final class Turn: Sendable {
  let pageCount = Atomic(0)
  let isOver = Atomic(false)
}

func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

let pages = try HotPages()
var (alone, together): ([Double], [Double]) = ([], [])
for _ in 0..<rounds {
  alone.append(pages.throughput(of: 1, seconds: 0.5))
  together.append(pages.throughput(of: threadCount, seconds: 0.5))
}
try pages.database.close()
let ratio = median(zip(alone, together).map { $1 / $0 })
print(
  "1 thread: \(Int(median(alone))) pages a second; \(threadCount) threads: "
    + "\(Int(median(together))), \((ratio * 100).rounded() / 100) times as many")
