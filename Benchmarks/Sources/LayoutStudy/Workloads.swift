import Workbench

/// The timed queries and the choice of their operands.
enum Workload: String, CaseIterable {
  case q1 = "Q1 get by id"
  case q2 = "Q2 a user's 20 newest"
  case q3 = "Q3 a user's 20 oldest that are open"
  case q7 = "Q7 scan by time, per document"
  case feed = "F1 20 documents by time"
  case q7Title = "Q7t scan by title, per document"
  case q8 = "Q8 scan of an equality, per document"
  case listing = "L1 20 documents by name"
  case listingAll = "L2 scan by name, per document"

  /// Whether the query reads at most a page and keeps it; the others are scans.
  var yieldsPages: Bool {
    switch self {
    case .q1, .q2, .q3, .feed, .listing: true
    case .q7, .q7Title, .q8, .listingAll: false
    }
  }

  /// Field whose order is compared for a contestant that doesn't order ties by name.
  fileprivate var sortField: TaskField {
    switch self {
    case .q7Title: .title
    case .q8: .completed
    default: .createdTime
    }
  }

  /// - Parameter scanLimit: the number of documents that a scan reads.
  func query(
    _ operands: Operands, scanLimit: Int, random: inout SplitMix64
  ) -> StudyQuery {
    let id = operands.ids[Int.random(in: 0..<operands.ids.count, using: &random)]
    let earlyID = random.nextEarlyID()
    let user = operands.users[Int.random(in: 0..<operands.users.count, using: &random)]
    let earlyTitle = random.nextEarlyWord()
    return switch self {
    case .q1: .get(id: id)
    case .q2: .newest(userId: user)
    case .q3: .open(userId: user)
    case .q7: .byTime(from: operands.randomTime(leaving: scanLimit, &random), limit: scanLimit)
    case .feed: .byTime(from: operands.randomTime(leaving: 20, &random), limit: 20)
    case .q7Title: .byTitle(from: earlyTitle, limit: scanLimit)
    case .q8: .openByName(from: earlyID, limit: scanLimit)
    case .listing: .byName(from: id, limit: 20)
    case .listingAll: .byName(from: earlyID, limit: scanLimit)
    }
  }
}

/// The loaded ids, users and times, from which operands are drawn.
struct Operands {
  var ids: [String] = []
  var times: [Int64] = []
  var users: [String] = []

  mutating func add(_ tasks: [PreparedTask]) {
    ids.append(contentsOf: tasks.map(\.task.id))
    times.append(contentsOf: tasks.map(\.task.createdTime))
  }

  /// Returns a time that at least `count` tasks follow, if there are enough tasks.
  func randomTime(leaving count: Int, _ random: inout SplitMix64) -> Int64 {
    times[Int.random(in: 0...max(0, times.count - count), using: &random)]
  }
}

/// Asks every reader the same random questions and compares the answers with the first reader's.
func checkAnswers(
  of readers: [any Reader], operands: Operands, questions: Int, seed: UInt64
) throws {
  var random = SplitMix64(state: seed)
  for workload in Workload.allCases {
    for _ in 0..<questions {
      let query = workload.query(operands, scanLimit: 500, random: &random)
      var expected = Answer()
      try readers[0].answer(query, into: &expected)
      guard expected.count > 0 else { throw StudyError("\(query) found nothing") }
      for reader in readers.dropFirst() {
        var found = Answer()
        try reader.answer(query, into: &found)
        guard agrees(found, with: expected, reader, sortField: workload.sortField) else {
          throw StudyError("\(reader.name) answers \(query) differently")
        }
      }
    }
  }
}

private func agrees(
  _ found: Answer, with expected: Answer, _ reader: any Reader, sortField: TaskField
) -> Bool {
  guard found.count == expected.count else { return false }
  guard reader.yieldsDocuments else { return true }
  guard !reader.ordersTiesByName else { return found.documents == expected.documents }
  func sortKeys(_ answer: Answer) -> [Field] {
    answer.documents.flatMap { $0.fields.filter { $0.name == sortField.rawValue } }
  }
  return sortKeys(found) == sortKeys(expected)
}

/// Times `workload` in microseconds of this thread per query, or per document of a scan.
///
/// There are as many sets of operands as readers. In each round every reader takes another set, so
/// that no reader finds data in the processor's caches that the one before it left there. Over as
/// many rounds as there are readers, all answer the same questions.
func measure(
  _ workload: Workload, _ readers: [any Reader], operands: Operands, rounds: Int,
  queriesPerSlice: Int, scanLimit: Int, seed: UInt64
) throws -> Measurement {
  var measurement = Measurement(workload.rawValue, unit: "us", names: readers.map(\.name))
  var random = SplitMix64(state: seed)
  let sets = readers.indices.map { _ in
    (0..<(workload.yieldsPages ? queriesPerSlice : 1)).map { _ in
      workload.query(operands, scanLimit: scanLimit, random: &random)
    }
  }
  // Every reader runs every set once before the clock counts. Otherwise the last reader of a
  // database would pay for loading its blocks, and those before it would find them loaded.
  for queries in sets {
    for reader in readers { _ = try runSlice(reader, queries, workload) }
  }
  for round in 0..<rounds {
    var figures = [Double](repeating: 0, count: readers.count)
    for contestant in measurement.order(ofRound: round) {
      let queries = sets[(contestant + round) % sets.count]
      figures[contestant] = try runSlice(readers[contestant], queries, workload)
    }
    measurement.addRound(figures)
  }
  return measurement
}

/// Returns the time of one slice. It is a function of its own, so that a profiler can count only
/// this.
@inline(never)
func runSlice(
  _ reader: any Reader, _ queries: [StudyQuery], _ workload: Workload
) throws -> Double {
  var answer = Answer()
  answer.keepsDocuments = workload.yieldsPages
  var count = 0
  let start = Clock.thread()
  for query in queries {
    answer.begin()
    try reader.answer(query, into: &answer)
    count += answer.count
  }
  let elapsed = Clock.thread() - start
  return elapsed * 1e6 / Double(workload.yieldsPages ? queries.count : count)
}
