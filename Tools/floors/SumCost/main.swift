import Hearth
import TestSupport

// Measures the cost of sums of index entries for writes: the time of one write, without sums and
// with them, in turns. Run it in release:
//
//     swift run -c release SumCost [rounds]
//
// With `put`, `update` or `batch` before the number and optionally `--sums` after it, the program
// does only that many of these. This is for a counter of instructions: the difference between two
// runs counts.

let clock = ContinuousClock()

/// A database of tasks with two composite indexes.
struct Contestant {
  enum Workload: String, CaseIterable {
    case put, update, batch
  }

  let folder: TemporaryFolder
  let database: Database
  let tasks: CollectionReference
  var times: [Workload: [Duration]] = [:]
  var number = 0

  init(keepsSums: Bool) throws {
    folder = try TemporaryFolder()
    var options = Database.Options()
    options.isDurable = false
    database = try Database.open(at: folder.path(of: "db"), options: options)
    tasks = try database.collection("tasks")
    for (field, mode) in [("time", IndexMode.descending), ("priority", .ascending)] {
      try database.indexes.create(
        IndexDefinition(
          "tasks",
          [
            IndexColumn(try FieldPath("user"), .ascending),
            IndexColumn(try FieldPath(field), mode),
          ]))
    }
    if keepsSums { try database.indexes.keepSums() }
    for _ in 0..<4 { try run(.batch) }
    times = [:]
  }

  func fields(_ number: Int) -> FieldData {
    [
      "user": .string("user\(number % 100)"), "time": .integer(Int64(number)),
      "title": "Buy milk and bread", "done": false, "priority": 2,
      "tags": .array(["home", "shop"]), "created": .timestamp(.minimum),
    ]
  }

  mutating func run(_ workload: Workload) throws {
    let time = try clock.measure {
      switch workload {
      case .put:
        number += 1
        try tasks.document("t\(number)").setData(fields(number))
      case .update:
        number += 1
        let task = try tasks.document("t\(number % 1_000 + 1)")
        try task.updateData(["priority": .integer(Int64(number))])
      case .batch:
        var batch = database.batch()
        for _ in 0..<500 {
          number += 1
          batch.setData(fields(number), for: try tasks.document("t\(number)"))
        }
        try batch.commit()
      }
    }
    times[workload, default: []].append(time)
  }

  func median(_ workload: Workload) -> Double {
    let sorted = (times[workload] ?? []).sorted()
    return sorted.isEmpty ? 0 : sorted[sorted.count / 2] / .microseconds(1)
  }
}

let arguments = Array(CommandLine.arguments.dropFirst())
let rounds = arguments.compactMap { Int($0) }.first ?? 50
if let workload = arguments.first.flatMap(Contestant.Workload.init) {
  var contestant = try Contestant(keepsSums: arguments.contains("--sums"))
  for _ in 0..<rounds { try contestant.run(workload) }
  try contestant.database.close()
} else {
  // In turns, so that other load on the machine is the same for both.
  var contestants = [try Contestant(keepsSums: false), try Contestant(keepsSums: true)]
  for round in 0..<rounds {
    for turn in 0..<2 {
      let index = (turn + round) % 2
      for _ in 0..<20 { try contestants[index].run(.put) }
      for _ in 0..<20 { try contestants[index].run(.update) }
      try contestants[index].run(.batch)
    }
  }
  for workload in Contestant.Workload.allCases {
    let (without, with) = (contestants[0].median(workload), contestants[1].median(workload))
    print(
      "\(workload.rawValue): \(Int(without.rounded())) us without sums, "
        + "\(Int(with.rounded())) us with, \(((with / without - 1) * 1_000).rounded() / 10) % more")
  }
  for contestant in contestants { try contestant.database.close() }
}
