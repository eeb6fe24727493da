import Workbench

/// What is measured, in the order in which it runs.
enum Workload: String, CaseIterable, Codable {
  case w3a = "W3a"
  case q1 = "Q1"
  case q2 = "Q2"
  case q3 = "Q3"
  case q4 = "Q4"
  case q5 = "Q5"
  case q6 = "Q6"
  case q7 = "Q7"
  case q9 = "Q9"
  case w2a = "W2a"
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
    case .w3a: "bulk load in batches of 500, five composites and the single-field indexes"
    case .w4: "build (userId, createdTime) over the documents that are there"
    case .w5: "update one indexed field without sync, five composites"
    }
  }

  var unit: String {
    switch self {
    case .q7, .w3, .w3a, .w4: "us/doc"
    case .q8: "us/cycle"
    default: "us"
    }
  }

  /// Whether it runs on the stores with all indexes.
  var isOnReadStores: Bool {
    switch self {
    case .q1, .q2, .q3, .q4, .q5, .q6, .q7, .q9, .w2a, .w3a: true
    case .q8, .w1, .w1x, .w2, .w3, .w4, .w5: false
    }
  }

  /// The questions that are asked of every contestant.
  static let questions: [Workload] = [.q1, .q2, .q3, .q4, .q5, .q6]

  /// How many questions a slice has.
  var sliceSize: Int {
    switch self {
    case .q1, .q4: 500
    case .w1: 50
    default: 100
    }
  }

  /// A question with random operands.
  func question(_ operands: Operands, _ random: inout SplitMix64) -> Question {
    let user = operands.users[Int.random(in: 0..<operands.users.count, using: &random)]
    return switch self {
    case .q1: .task(id: operands.randomID(&random))
    case .q3: .oldestOpen(userId: user)
    case .q4: .openCount(userId: user)
    case .q5: .byPriority(userId: user)
    case .q6: .openUrgent(userId: user)
    case .q7: .everything
    case .q8: .oldest
    default: .newest(userId: user)
    }
  }
}

/// How Hearth is to compare with one of the others: the ratio of their times.
struct Goal: Codable {
  let contestant: String
  let baseline: String
  let must: Double
  let reach: Double

  private init(_ contestant: String, to baseline: Engine, _ must: Double, _ reach: Double) {
    self.contestant = contestant
    self.baseline = baseline.rawValue
    self.must = must
    self.reach = reach
  }

  static func goals(of workload: Workload) -> [Goal] {
    func hearth(_ must: Double, _ reach: Double, to baseline: Engine = .sqliteJSON) -> [Goal] {
      [Goal("Hearth", to: baseline, must, reach)]
    }
    return switch workload {
    case .q1: hearth(0.25, 0.18)
    case .q2: hearth(0.20, 0.12)
    case .q3: hearth(0.20, 0.13)
    case .q4: hearth(0.75, 0.62)
    case .q5: hearth(0.22, 0.14)
    case .q6: [Goal(Suite.automaticHearth, to: .sqliteJSON, 0.70, 0.50)]
    case .q7: hearth(0.60, 0.48)
    case .q8: hearth(1.0, 0.5)
    case .w2: hearth(0.25, 0.17)
    case .w2a: hearth(0.35, 0.20)
    case .w3: hearth(0.30, 0.18)
    case .w4: hearth(0.75, 0.55)
    case .w5: hearth(0.35, 0.22)
    case .w1: [Goal("Hearth", toBaseline: Suite.append, 1.2, 1.05)]
    case .w1x: [Goal("Hearth, 64 writers", toBaseline: "Hearth, 1 writer", 0.1, 0.05)]
    case .q9, .w3a: []
    }
  }

  private init(
    _ contestant: String, toBaseline baseline: String, _ must: Double, _ reach: Double
  ) {
    self.contestant = contestant
    self.baseline = baseline
    self.must = must
    self.reach = reach
  }
}

/// What the loaded stores hold, kept to ask for it.
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

  /// A task and what it is to be turned to, which is what it was not.
  mutating func randomUpdate(_ random: inout SplitMix64) -> (id: String, completed: Bool) {
    let index = Int.random(in: 0..<ids.count, using: &random)
    completed[index].toggle()
    return (ids[index], completed[index])
  }
}
