import Hearth
import Workbench

/// The timed questions, each with its operand.
enum Question: Sendable {
  /// Q1: the task of this id.
  case task(id: String)
  /// Q2: this user's 20 newest tasks.
  case newest(userId: String)
  /// Q3: this user's 20 oldest tasks that are open.
  case oldestOpen(userId: String)
  /// Q4: the number of this user's open tasks.
  case openCount(userId: String)
  /// Q5: this user's first 20 tasks of priority 1 and above, by priority, then time.
  case byPriority(userId: String)
  /// Q6: this user's open tasks of priority 2, by name.
  case openUrgent(userId: String)
  /// Q7: every task by time.
  case everything
  /// Q8: the 20 oldest tasks of all.
  case oldest
}

/// A summary of the data that was read of an answer. Contestants that answer alike have equal
/// tallies.
struct Tally: Equatable {
  private(set) var count = 0
  private(set) var checksum: UInt64 = 0

  /// Reads three fields of a document, as a list of tasks on a screen would.
  mutating func read(title: String, priority: Int64, createdTime: Int64) {
    read(titleByteCount: title.utf8.count, priority: priority, createdTime: createdTime)
  }

  mutating func read(titleByteCount: Int, priority: Int64, createdTime: Int64) {
    count += 1
    checksum =
      checksum &* 31 &+ UInt64(titleByteCount) &+ UInt64(bitPattern: priority)
      &+ UInt64(bitPattern: createdTime)
  }

  mutating func add(count: Int) {
    self.count += count
  }
}

/// An engine with the sample tasks in it.
///
/// `answer` does the work of an application: it asks through prepared or built queries, keeps the
/// page's whole documents to its end, and reads three fields of each.
protocol Contestant: AnyObject {
  var name: String { get }
  /// Whether the contestant reads the store of another contestant, which has just read it.
  var sharesStore: Bool { get }
  func answer(_ question: Question, into tally: inout Tally) throws
  /// Returns the same answer with all fields, for comparing.
  func tasks(answering question: Question) throws -> [SampleTask]
  /// Inserts tasks as one commit.
  func insert(_ tasks: ArraySlice<PreparedTask>) throws
  /// Sets one indexed field of a task, as one commit.
  func setCompleted(_ completed: Bool, of id: String) throws
  func remove(id: String) throws
  /// Builds the index (userId, createdTime) over the existing tasks (W4).
  func buildIndex() throws
  func dropBuiltIndex() throws
  /// Does the work that a load leaves to its end.
  func finishLoad() throws
  /// Brings the files to rest after a load: a checkpoint, or a compaction.
  func settle() throws
}

extension Contestant {
  var sharesStore: Bool { false }

  func finishLoad() throws {}

  /// Inserts tasks in batches of 500.
  ///
  /// - Parameter note: receives each batch after its insert.
  /// - Returns: the seconds that the inserts took.
  @discardableResult
  func load(
    _ count: Int, from tasks: inout SampleTasks, _ note: ([PreparedTask]) -> Void = { _ in }
  ) throws -> Double {
    var seconds = 0.0
    for _ in 0..<(count / 500) {
      let batch = tasks.next(500).map(PreparedTask.init)
      let start = Clock.wall()
      try insert(batch[...])
      seconds += Clock.wall() - start
      note(batch)
    }
    return seconds
  }
}

/// The indexes that a store keeps.
enum IndexSet: String {
  /// The five composite indexes and no single-field index.
  case composites
  /// The five composite indexes, and six single-field indexes; in Hearth all automatic ones.
  case all
  /// The single-field indexes alone.
  case singles
  /// No index.
  case none

  var hasSingles: Bool { self == .all || self == .singles }

  var sampleIndexes: [SampleIndex] {
    switch self {
    case .composites: SampleIndex.composites
    case .all: SampleIndex.composites + SampleIndex.singles
    case .singles: SampleIndex.singles
    case .none: []
    }
  }
}

/// The settings for opening a store.
struct StoreSettings {
  var path: String
  var indexes: IndexSet
  var memory: MemorySettings
  /// Whether every commit waits for the disk.
  var isDurable = false
  /// Whether `finishLoad()` makes the composite indexes, instead of the opening of the store.
  var indexesAfterLoad = false
}

/// Limits of the memory of each engine.
struct MemorySettings {
  /// Mebibytes for pages or blocks of the files.
  var cacheMebibytes: Int
  /// Mebibytes for documents, if Hearth is hot.
  var documentMebibytes: Int
  /// Number of tables that Hearth keeps open; `nil` for its default.
  var openTableCount: Int?
}

/// A task in the form that each contestant takes, made before the clock starts.
struct PreparedTask: Sendable {
  let task: SampleTask
  let fields: MapValue
  let json: [UInt8]
  let record: [UInt8]

  init(_ task: SampleTask) {
    self.task = task
    fields = MapValue(TaskField.allCases.map { ($0.rawValue, Value(task.value(of: $0))) })
    let document = SampleDocument(
      fields: TaskField.allCases.map { Field(name: $0.rawValue, value: task.value(of: $0)) })
    json = TaskJSON.encode(document)
    record = TaskRecord.encode(document)
  }
}

extension Value {
  fileprivate init(_ value: SampleValue) {
    switch value {
    case .integer(let integer): self = .integer(integer)
    case .boolean(let boolean): self = .boolean(boolean)
    case .string(let string): self = .string(string)
    case .strings(let strings): self = .array(strings.map { .string($0) })
    }
  }
}

extension Tally {
  /// Reads the three fields of a parsed document.
  mutating func read(_ document: ParsedDocument) throws {
    read(
      title: try document.string(.title), priority: try document.integer(.priority),
      createdTime: try document.integer(.createdTime))
  }
}
