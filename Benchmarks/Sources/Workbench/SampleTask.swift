/// A to-do item: the document that every workload stores, about 400 bytes as JSON.
package struct SampleTask: Sendable, Equatable {
  /// Place in the order of insertion, from 1.
  package var number: UInt64
  package var id: String
  package var title: String
  package var priority: Int64
  package var completed: Bool
  /// Time in microseconds. It never falls from one task to the next, and repeats within a burst.
  package var createdTime: Int64
  package var userId: String
  package var listId: String
  package var tags: [String]
  package var body: String

  package init(
    number: UInt64, id: String, title: String, priority: Int64, completed: Bool,
    createdTime: Int64, userId: String, listId: String, tags: [String], body: String
  ) {
    self.number = number
    self.id = id
    self.title = title
    self.priority = priority
    self.completed = completed
    self.createdTime = createdTime
    self.userId = userId
    self.listId = listId
    self.tags = tags
    self.body = body
  }

  package func value(of field: TaskField) -> SampleValue {
    switch field {
    case .title: .string(title)
    case .priority: .integer(priority)
    case .completed: .boolean(completed)
    case .createdTime: .integer(createdTime)
    case .userId: .string(userId)
    case .listId: .string(listId)
    case .tags: .strings(tags)
    case .body: .string(body)
    }
  }

  package var document: SampleDocument {
    SampleDocument(
      fields: [Field(name: "id", value: .string(id))]
        + TaskField.allCases.map { Field(name: $0.rawValue, value: value(of: $0)) })
  }
}

extension SampleTask {
  /// Creates the task from which a stored document was made.
  package init(number: UInt64, document: SampleDocument) throws {
    func value(_ name: String) throws -> SampleValue {
      guard let field = document.fields.first(where: { $0.name == name }) else {
        throw StudyError("a stored task has no \(name)")
      }
      return field.value
    }
    func string(_ name: String) throws -> String {
      guard case .string(let string) = try value(name) else {
        throw StudyError("a stored task's \(name) is no string")
      }
      return string
    }
    guard
      case .integer(let priority) = try value("priority"),
      case .boolean(let completed) = try value("completed"),
      case .integer(let createdTime) = try value("createdTime"),
      case .strings(let tags) = try value("tags")
    else { throw StudyError("a stored task has a field of another type") }
    self.init(
      number: number, id: try string("id"), title: try string("title"),
      priority: priority,
      completed: completed, createdTime: createdTime, userId: try string("userId"),
      listId: try string("listId"), tags: tags, body: try string("body"))
  }
}

package enum TaskField: String, CaseIterable {
  case title, priority, completed, createdTime, userId, listId, tags, body
}

/// An endless sequence of tasks, the same one for the same seed and count.
///
/// The tasks are spread over count / 100 users and count / 50 lists. One task in ten repeats the
/// user and the time of the one before it, so that ties occur in every order of the queries.
package struct SampleTasks: IteratorProtocol {
  private var random: SplitMix64
  package let users: [String]
  package let lists: [String]
  private var previous: SampleTask?

  package init(seed: UInt64, count: Int) {
    var random = SplitMix64(state: seed)
    users = (0..<max(1, count / 100)).map { _ in random.nextID() }
    lists = (0..<max(1, count / 50)).map { _ in random.nextID() }
    self.random = random
  }

  package mutating func next() -> SampleTask? {
    let repeats = previous != nil && Int.random(in: 0..<10, using: &random) == 0
    let elapsed = repeats ? 0 : Int64.random(in: 1...4_000_000, using: &random)
    let user = users[Int.random(in: 0..<users.count, using: &random)]
    let task = SampleTask(
      number: (previous?.number ?? 0) + 1,
      id: random.nextID(),
      title: random.nextWords(count: Int.random(in: 3...5, using: &random)),
      priority: Int64.random(in: 0...2, using: &random),
      completed: Bool.random(using: &random),
      createdTime: (previous?.createdTime ?? 1_700_000_000_000_000) + elapsed,
      userId: repeats ? previous?.userId ?? user : user,
      listId: lists[Int.random(in: 0..<lists.count, using: &random)],
      tags: (0..<Int.random(in: 0...3, using: &random)).map { _ in random.nextWords(count: 1) },
      body: random.nextWords(count: 22))
    previous = task
    return task
  }

  package mutating func next(_ count: Int) -> [SampleTask] {
    (0..<count).compactMap { _ in next() }
  }
}

/// A small seeded generator (Steele, Lea and Flood's SplitMix64).
package struct SplitMix64: RandomNumberGenerator {
  package var state: UInt64

  package init(state: UInt64) {
    self.state = state
  }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// Returns an id of 20 characters, as Firestore's clients make them.
  package mutating func nextID() -> String {
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8)
    let bytes = (0..<idByteCount).map { _ in letters[Int.random(in: 0..<62, using: &self)] }
    return String(decoding: bytes, as: UTF8.self)
  }

  package mutating func nextWords(count: Int) -> String {
    let words = (0..<count).map { _ in
      sampleWords[Int.random(in: 0..<sampleWords.count, using: &self)]
    }
    return words.joined(separator: " ")
  }
}

package let idByteCount = 20

private let sampleWords = [
  "answer", "bakery", "budget", "call", "carpet", "check", "clean", "contract", "dentist", "draft",
  "email", "fence", "filter", "garden", "gift", "harbour", "invoice", "kitchen", "ladder", "letter",
  "library", "meeting", "mirror", "notes", "order", "paint", "parcel", "phone", "piano", "plan",
  "plumber", "quote", "read", "recipe", "renew", "repair", "report", "return", "roof", "school",
  "send", "shelf", "sketch", "slides", "soup", "station", "stove", "summary", "swim", "table",
  "tax", "ticket", "trip", "update", "visit", "wash", "water", "window", "write", "yard",
]
