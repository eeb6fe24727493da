import Dispatch
import Hearth
import HearthOrderedStore
import TestSupport

// Measures the cost of listeners: the time of a write beside listeners that don't see it, and the
// time from a commit to the event of one that does, and of a thousand on the same query. Run it in
// release:
//
//     swift run -c release ListenerCost [writes] [--no-sync]

let arguments = CommandLine.arguments.dropFirst()
let writeCount = arguments.compactMap { Int($0) }.first ?? 2_000
let isDurable = !arguments.contains("--no-sync")
let clock = ContinuousClock()

/// A database of tasks, with listeners on the pages of users whose tasks are not written.
struct Contestant {
  let listenerCount: Int
  let folder: TemporaryFolder
  let database: Database
  let tasks: CollectionReference
  var times: [Duration] = []
  var number = 0

  init(listenerCount: Int) throws {
    self.listenerCount = listenerCount
    folder = try TemporaryFolder()
    var options = Database.Options()
    options.isDurable = isDurable
    database = try Database.open(at: folder.path(of: "db"), options: options)
    tasks = try database.collection("tasks")
    try database.indexes.create(
      IndexDefinition(
        "tasks",
        [
          IndexColumn(try FieldPath("user"), .ascending),
          IndexColumn(try FieldPath("time"), .descending),
        ]))
    try tasks.document("first").setData(fields(of: "none", 0))
    for user in 0..<listenerCount { listen(to: "user\(user)") { _ in } }
    database.settleListeners()
  }

  func fields(of user: String, _ time: Int) -> FieldData {
    [
      "user": .string(user), "time": .integer(Int64(time)), "title": "Buy milk and bread",
      "done": false, "priority": 2, "tags": .array(["home", "shop"]),
    ]
  }

  @discardableResult
  func listen(
    to user: String, _ listener: @escaping @Sendable (Result<QuerySnapshot, DatabaseError>) -> Void
  ) -> ListenerRegistration? {
    try? tasks.whereField("user", isEqualTo: .string(user)).order(by: "time", descending: true)
      .limit(to: 20).addSnapshotListener(listener)
  }

  mutating func write() throws {
    number += 1
    let data = fields(of: "one", number)
    let document = try tasks.document("t\(number)")
    times.append(try clock.measure { try document.setData(data) })
  }
}

func microseconds(_ duration: Duration) -> Double {
  (duration / .microseconds(1) * 10).rounded() / 10
}

func percentile(_ times: [Duration], _ share: Double) -> Double {
  let sorted = times.sorted()
  return microseconds(sorted[min(sorted.count - 1, Int(Double(sorted.count) * share))])
}

func mean(_ times: [Duration]) -> Double {
  microseconds(times.reduce(.zero, +) / times.count)
}

print("\(writeCount) writes each, sync \(isDurable)")

// In turns of twenty writes, so that other load on the machine is the same for all.
var contestants: [Contestant] = []
for count in [0, 10, 1_000, 10_000] {
  contestants.append(try Contestant(listenerCount: count))
}
for index in contestants.indices {
  for _ in 0..<100 { try contestants[index].write() }
  contestants[index].times = []
}
for round in 0..<(writeCount / 20) {
  for turn in contestants.indices {
    let index = (turn + round) % contestants.count
    for _ in 0..<20 { try contestants[index].write() }
  }
}
for contestant in contestants {
  let times = contestant.times
  print(
    "\(contestant.listenerCount) listeners: write median \(percentile(times, 0.5)) us, "
      + "mean \(mean(times)) us, p99 \(percentile(times, 0.99)) us")
}
// The first listener has a cost; the ones after it should have none.
let rise = percentile(contestants[3].times, 0.5) / percentile(contestants[1].times, 0.5) - 1
print("from 10 to 10000 listeners: median \((rise * 1_000).rounded() / 10) % more")

// One write at a time, and the event that follows.
let contestant = contestants[2]
let arrivals = Lock<[ContinuousClock.Instant]>([])
let arrived = DispatchSemaphore(value: 0)
let registration = contestant.listen(to: "another") { _ in
  arrivals.withLock { $0.append(.now) }
  arrived.signal()
}
arrived.wait()
var (calls, fromCall, fromCommit) = ([Duration](), [Duration](), [Duration]())
for number in 0..<writeCount {
  let document = try contestant.tasks.document("e\(number)")
  let data = contestant.fields(of: "another", number)
  let start = clock.now
  try document.setData(data)
  let end = clock.now
  arrived.wait()
  guard let arrival = arrivals.withLock({ $0.last }) else { break }
  calls.append(end - start)
  fromCall.append(arrival - start)
  fromCommit.append(arrival - end)
}
registration?.remove()
for (name, times) in [
  ("the write returns", calls), ("from the call to the event", fromCall),
  ("from the return to the event", fromCommit),
] {
  print(
    "\(name): median \(percentile(times, 0.5)) us, p90 \(percentile(times, 0.9)) us, "
      + "p99 \(percentile(times, 0.99)) us")
}
for contestant in contestants { try contestant.database.close() }

/// Measures the time from a write to the last of its events, all of one query.
func measureEqualListeners(_ count: Int, writes: Int) throws {
  var contestant = try Contestant(listenerCount: 0)
  let delivered = DispatchGroup()
  for _ in 0..<count {
    delivered.enter()
    contestant.listen(to: "one") { _ in delivered.leave() }
  }
  delivered.wait()
  var times: [Duration] = []
  for _ in 0..<writes {
    for _ in 0..<count { delivered.enter() }
    let start = clock.now
    try contestant.write()
    delivered.wait()
    times.append(clock.now - start)
  }
  print(
    "\(count) listeners of one query: from the call to the last event "
      + "median \(percentile(times, 0.5)) us, p99 \(percentile(times, 0.99)) us")
  try contestant.database.close()
}

for count in [1, 10, 100, 1_000] {
  try measureEqualListeners(count, writes: max(20, writeCount / 10))
}
