import Hearth
import Workbench

/// The data that Hearth keeps in memory beside blocks of its files.
struct HearthMemory {
  /// Whether documents that were read stay in memory.
  var documents = false
  /// Whether the places of stored documents stay in memory, by name.
  var names = false
  /// Whether repeated index scans stay in memory.
  var scans = false

  /// Everything in memory: hot.
  static let all = HearthMemory(documents: true, names: true, scans: true)
}

/// Hearth through its public, synchronous calls.
final class HearthContestant: Contestant {
  /// The use of an answer's documents.
  private enum Reading {
    /// Three fields are read, each on its own.
    case fields
    /// Three fields are read from rows, which aren't kept.
    case rows
    /// The whole document is decoded into values, and three of them are read.
    case values
    /// The whole document is decoded into a struct.
    case structs
    /// Nothing is read of the results.
    case nothing
  }

  let name: String
  let sharesStore: Bool
  let database: Database
  private let collection: CollectionReference
  private let laterIndexes: IndexSet?
  private var reading = Reading.fields
  /// Whether counts include the order of the index that could serve them.
  private var countsByTime = false
  private let rowFields: RowFields

  init(
    _ settings: StoreSettings, keeping memory: HearthMemory = .all, name: String = "Hearth"
  ) throws {
    self.name = name
    sharesStore = false
    laterIndexes = settings.indexesAfterLoad ? settings.indexes : nil
    var options = Database.Options()
    options.isDurable = settings.isDurable
    options.cacheByteCount = settings.memory.cacheMebibytes << 20
    options.documentCacheByteCount = memory.documents ? settings.memory.documentMebibytes << 20 : 0
    if let count = settings.memory.openTableCount { options.openTableCount = count }
    options.nameCacheByteCount = memory.names ? 128 << 20 : 0
    options.scanCacheByteCount = memory.scans ? 256 << 20 : 0
    database = try Database.open(at: settings.path, options: options)
    collection = try database.collection("tasks")
    rowFields = try RowFields("title", "priority", "createdTime")
    guard database.openReport.isNew else { return }
    if !settings.indexes.hasSingles {
      try database.indexes.setOverride([], of: nil, in: "tasks")
    }
    if !settings.indexesAfterLoad { try createComposites(settings.indexes) }
  }

  /// Creates another reader of the same database.
  private init(_ other: HearthContestant, name: String) {
    self.name = name
    sharesStore = true
    database = other.database
    collection = other.collection
    rowFields = other.rowFields
    laterIndexes = nil
  }

  /// Creates another reader of the same database, which decodes whole documents.
  convenience init(decodingAllOf other: HearthContestant) {
    self.init(other, name: "\(other.name), all fields")
    reading = .values
  }

  /// Creates another reader of the same database, which reads rows.
  convenience init(readingRowsOf other: HearthContestant) {
    self.init(other, name: "\(other.name), rows")
    reading = .rows
  }

  /// Creates another reader of the same database, which reads nothing of its results.
  convenience init(readingNothingOf other: HearthContestant) {
    self.init(other, name: "\(other.name), nothing read")
    reading = .nothing
  }

  /// Creates another reader of the same database, which decodes whole documents into structs.
  convenience init(decodingStructsOf other: HearthContestant) {
    self.init(other, name: "\(other.name), structs")
    reading = .structs
  }

  /// Creates another reader, whose counts are sorted by time, so that the composite index serves
  /// them.
  convenience init(countingByTime other: HearthContestant) {
    self.init(other, name: Engine.hearthByTime.rawValue)
    countsByTime = true
  }

  private func createComposites(_ indexes: IndexSet) throws {
    guard indexes == .composites || indexes == .all else { return }
    // One scan of the documents builds all of them.
    try database.indexes.createAll(SampleIndex.composites.map(Self.definition))
  }

  private static func definition(_ index: SampleIndex) throws -> IndexDefinition {
    IndexDefinition(
      "tasks",
      try index.components.map {
        IndexColumn(try FieldPath($0.field.rawValue), $0.descending ? .descending : .ascending)
      })
  }

  private func query(_ question: Question) throws -> Query {
    switch question {
    case .newest(let userId):
      try collection.whereField("userId", isEqualTo: .string(userId))
        .order(by: "createdTime", descending: true).limit(to: 20)
    case .oldestOpen(let userId):
      try collection.whereField("userId", isEqualTo: .string(userId))
        .whereField("completed", isEqualTo: false).order(by: "createdTime").limit(to: 20)
    case .openCount(let userId):
      try counted(
        collection.whereField("userId", isEqualTo: .string(userId))
          .whereField("completed", isEqualTo: false))
    case .byPriority(let userId):
      try collection.whereField("userId", isEqualTo: .string(userId))
        .whereField("priority", isGreaterThanOrEqualTo: 1)
        .order(by: "priority").order(by: "createdTime").limit(to: 20)
    case .openUrgent(let userId):
      try collection.whereField("userId", isEqualTo: .string(userId))
        .whereField("completed", isEqualTo: false).whereField("priority", isEqualTo: 2)
    case .everything: try collection.order(by: "createdTime")
    case .oldest: try collection.order(by: "createdTime").limit(to: 20)
    case .task: throw StudyError("a task is got, not queried")
    }
  }

  private func counted(_ query: consuming Query) throws -> Query {
    countsByTime ? try query.order(by: "createdTime") : query
  }

  func answer(_ question: Question, into tally: inout Tally) throws {
    switch question {
    case .task(let id):
      try read(try collection.document(id).getDocument(), into: &tally)
    case .openCount:
      tally.add(count: try query(question).count())
    case _ where reading == .rows:
      try readRows(of: try query(question), into: &tally)
    case .everything:
      var scanned = tally
      try query(question).forEachDocument { (document) throws(DatabaseError) in
        try self.read(document, into: &scanned)
        return true
      }
      tally = scanned
    default:
      let snapshot = try query(question).getDocuments()
      if reading == .nothing {
        tally.add(count: snapshot.count)
      } else if reading == .structs {
        for task in try snapshot.documents(as: StoredTask.self) { tally.read(task) }
      } else {
        for document in snapshot.documents { try read(document, into: &tally) }
      }
    }
  }

  private func readRows(of query: Query, into tally: inout Tally) throws {
    var read = tally
    try query.forEachRow(of: rowFields) { row in
      guard let title = try row.utf8(0), let priority = try row.integer(1),
        let createdTime = try row.integer(2)
      else { throw HearthContestant.lacksField }
      read.read(titleByteCount: title.count, priority: priority, createdTime: createdTime)
      return true
    }
    tally = read
  }

  private func read(
    _ document: DocumentSnapshot, into tally: inout Tally
  ) throws(DatabaseError) {
    switch reading {
    case .fields, .rows:
      guard case .string(let title)? = try document.value("title"),
        case .integer(let priority)? = try document.value("priority"),
        case .integer(let createdTime)? = try document.value("createdTime")
      else { throw HearthContestant.lacksField }
      tally.read(title: title, priority: priority, createdTime: createdTime)
    case .values:
      let fields = try document.data()
      guard case .string(let title)? = fields?["title"],
        case .integer(let priority)? = fields?["priority"],
        case .integer(let createdTime)? = fields?["createdTime"]
      else { throw HearthContestant.lacksField }
      tally.read(title: title, priority: priority, createdTime: createdTime)
    case .structs: tally.read(try document.data(as: StoredTask.self))
    case .nothing: tally.add(count: 1)
    }
  }

  private static let lacksField = DatabaseError(.dataLoss, "a stored task lacks a field")

  func tasks(answering question: Question) throws -> [SampleTask] {
    if case .task(let id) = question {
      return [try task(try collection.document(id).getDocument())]
    }
    return try query(question).getDocuments().documents.map(task)
  }

  private func task(_ document: DocumentSnapshot) throws -> SampleTask {
    if reading == .structs { return try document.data(as: StoredTask.self).task }
    guard let fields = try document.data(),
      let title = fields["title"]?.stringValue, let priority = fields["priority"]?.integerValue,
      let completed = fields["completed"]?.booleanValue,
      let createdTime = fields["createdTime"]?.integerValue,
      let userId = fields["userId"]?.stringValue, let listId = fields["listId"]?.stringValue,
      let tags = fields["tags"]?.arrayValue, let body = fields["body"]?.stringValue
    else { throw StudyError("a stored task lacks a field") }
    return SampleTask(
      number: 0, id: document.id, title: title, priority: priority, completed: completed,
      createdTime: createdTime, userId: userId, listId: listId,
      tags: tags.compactMap(\.stringValue), body: body)
  }

  func insert(_ tasks: ArraySlice<PreparedTask>) throws {
    if tasks.count == 1, let only = tasks.first {
      try collection.document(only.task.id).create(only.fields)
      return
    }
    var batch = database.batch()
    for prepared in tasks {
      batch.create(prepared.fields, for: try collection.document(prepared.task.id))
    }
    try batch.commit()
  }

  func setCompleted(_ completed: Bool, of id: String) throws {
    try collection.document(id).updateData(["completed": .boolean(completed)])
  }

  func remove(id: String) throws {
    try collection.document(id).delete()
  }

  /// Adds the documents to the index entries that Q2 and Q3 read.
  func coverPages() throws {
    for index in [SampleIndex.userNewest, .userCompleted] {
      try database.indexes.tune(Self.definition(index), covering: true)
    }
  }

  /// Keeps the counts for Q4.
  func keepOpenCounts() throws {
    try database.indexes.keepCounts(
      of: [FieldPath("userId"), FieldPath("completed")], in: "tasks")
  }

  func buildIndex() throws {
    try database.indexes.create(Self.definition(SampleIndex.userOldest))
  }

  func dropBuiltIndex() throws {
    try database.indexes.drop(Self.definition(SampleIndex.userOldest))
  }

  func finishLoad() throws {
    if let laterIndexes { try createComposites(laterIndexes) }
  }

  func settle() throws {
    try database.compact()
  }
}

extension HearthContestant {
  /// Returns the engine's counters for the answer; `nil` for a question that is no query.
  func work(of question: Question) throws -> QueryStatistics? {
    if case .task = question { return nil }
    return try query(question).explain().statistics
  }
}

/// A task as a struct of an application.
private struct StoredTask: Codable {
  @DocumentID var id: String?
  var title: String
  var priority: Int64
  var completed: Bool
  var createdTime: Int64
  var userId: String
  var listId: String
  var tags: [String]
  var body: String

  var task: SampleTask {
    SampleTask(
      number: 0, id: id ?? "", title: title, priority: priority, completed: completed,
      createdTime: createdTime, userId: userId, listId: listId, tags: tags, body: body)
  }
}

extension Tally {
  fileprivate mutating func read(_ task: StoredTask) {
    read(title: task.title, priority: task.priority, createdTime: task.createdTime)
  }
}
