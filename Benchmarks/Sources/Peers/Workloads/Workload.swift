import Workbench

/// The workloads, in the order in which they run.
enum Workload: String, CaseIterable, Codable {
  case w3a = "W3a"
  case q1 = "Q1"
  case q2 = "Q2"
  case q2Struct = "Q2-struct"
  case q3 = "Q3"
  case q4 = "Q4"
  case q5 = "Q5"
  case q6 = "Q6"
  case q7 = "Q7"
  case q9 = "Q9"
  case w2a = "W2a"
  case q1Disk = "Q1-disk"
  case q2Disk = "Q2-disk"
  case w3Whole = "W3-whole"
  case w3 = "W3"
  case w4 = "W4"
  case w2 = "W2"
  case w5 = "W5"
  case w1 = "W1"
  case w1x = "W1x"
  case q8 = "Q8"

  var title: String {
    switch self {
    case .q1: "get a document by id"
    case .q2: "a user's 20 newest"
    case .q2Struct: "a user's 20 newest, each decoded into a struct"
    case .q1Disk: "get a document by id, from a store whose files are in no memory"
    case .q2Disk: "a user's 20 newest, from a store whose files are in no memory"
    case .q3: "a user's 20 oldest that are open"
    case .q4: "count of a user's open documents"
    case .q5: "a user's 20 of priority 1 and above, by priority and time"
    case .q6: "a user's open documents of priority 2"
    case .q7: "all documents by time"
    case .q8: "queue: append, page of the 20 oldest, delete the oldest"
    case .q9: "Q2 while every twentieth operation is an update"
    case .w1: "durable insert, five composites"
    case .w1x: "durable inserts by many writers at once, five composites"
    case .w2: "insert without sync, five composites"
    case .w2a: "insert without sync, five composites and the single-field indexes"
    case .w3: "bulk load in batches of 500, five composites"
    case .w3Whole: "a whole bulk load into an empty store, also with the composites made after it"
    case .w3a: "bulk load in batches of 500, five composites and the single-field indexes"
    case .w4: "build (userId, createdTime) over the documents that are there"
    case .w5: "update one indexed field without sync, five composites"
    }
  }

  var unit: String {
    switch self {
    case .q7, .w3, .w3a, .w3Whole, .w4: "us/doc"
    case .q8: "us/cycle"
    default: "us"
    }
  }

  /// Whether it runs on the stores with all indexes.
  var isOnReadStores: Bool {
    switch self {
    case .q1, .q1Disk, .q2, .q2Disk, .q2Struct, .q3, .q4, .q5, .q6, .q7, .q9, .w2a, .w3a: true
    case .q8, .w1, .w1x, .w2, .w3, .w3Whole, .w4, .w5: false
    }
  }

  /// Whether it runs on the stores with the five composites alone.
  var isOnWriteStores: Bool {
    switch self {
    case .w1, .w1x, .w2, .w3, .w4, .w5: true
    default: false
    }
  }

  /// Questions that every contestant answers.
  static let questions: [Workload] = [.q1, .q2, .q3, .q4, .q5, .q6]

  /// Number of operations in a slice.
  var sliceSize: Int {
    switch self {
    case .q1, .q4: 500
    case .w1, .q1Disk, .q2Disk: 50
    default: 100
    }
  }

  /// Questions about a user's tasks.
  static let userQuestions: [Workload] = [.q2, .q3, .q4, .q5, .q6]

  /// Returns a question with random operands.
  func question(_ operands: Operands, _ random: inout SplitMix64) -> Question {
    let user = operands.users[Int.random(in: 0..<operands.users.count, using: &random)]
    return switch self {
    case .q1, .q1Disk: .task(id: operands.randomID(&random))
    case .q7: .everything
    case .q8: .oldest
    default: question(of: user)
    }
  }

  /// Returns the workload's question about a user's tasks; the question for the newest if the
  /// workload has no other.
  func question(of userId: String) -> Question {
    switch self {
    case .q3: .oldestOpen(userId: userId)
    case .q4: .openCount(userId: userId)
    case .q5: .byPriority(userId: userId)
    case .q6: .openUrgent(userId: userId)
    default: .newest(userId: userId)
    }
  }
}

/// The ids and users of the loaded stores, from which operands are drawn.
struct Operands {
  private(set) var ids: [String] = []
  private var completed: [Bool] = []
  let users: [String]

  init(users: [String]) {
    self.users = users
  }

  mutating func add(_ tasks: [PreparedTask]) {
    add(tasks.map(\.task))
  }

  mutating func add(_ tasks: [SampleTask]) {
    ids.append(contentsOf: tasks.map(\.id))
    completed.append(contentsOf: tasks.map(\.completed))
  }

  func randomID(_ random: inout SplitMix64) -> String {
    ids[Int.random(in: 0..<ids.count, using: &random)]
  }

  /// Returns a random task's id and the opposite of its `completed`.
  mutating func randomUpdate(_ random: inout SplitMix64) -> (id: String, completed: Bool) {
    let index = Int.random(in: 0..<ids.count, using: &random)
    completed[index].toggle()
    return (ids[index], completed[index])
  }
}
