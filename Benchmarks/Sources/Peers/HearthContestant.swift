import Hearth
import Workbench

/// Hearth through its public, synchronous calls.
final class HearthContestant: Contestant {
  let name: String
  let database: Database
  private let collection: CollectionReference
  /// Whether every field of a document is decoded, or the three that are read.
  private let decodesAll: Bool
  /// Whether counts name the order of the index that could serve them.
  private let countsByTime: Bool

  init(_ settings: StoreSettings, name: String = "Hearth") throws {
    self.name = name
    decodesAll = false
    countsByTime = false
    var options = Database.Options()
    options.isDurable = settings.isDurable
    options.cacheByteCount = settings.cacheMebibytes << 20
    database = try Database.open(at: settings.path, options: options)
    collection = try database.collection("tasks")
    if database.openReport.isNew { try createIndexes(settings.indexes) }
  }

  /// Another reader of the same database, which decodes whole documents.
  init(decodingAllOf other: HearthContestant) {
    name = "\(other.name), all fields"
    decodesAll = true
    countsByTime = false
    database = other.database
    collection = other.collection
  }

  /// Another reader, whose counts are sorted by time, so that the composite index serves them.
  init(countingByTime other: HearthContestant) {
    name = "\(other.name), counting by time"
    decodesAll = false
    countsByTime = true
    database = other.database
    collection = other.collection
  }

  private func createIndexes(_ indexes: IndexSet) throws {
    if !indexes.hasSingles { try database.indexes.setOverride([], of: nil, in: "tasks") }
    guard indexes != .singles else { return }
    for index in SampleIndex.composites {
      try database.indexes.create(Self.definition(index))
    }
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

  private func counted(_ query: Query) throws -> Query {
    countsByTime ? try query.order(by: "createdTime") : query
  }

  func answer(_ question: Question, into tally: inout Tally) throws {
    switch question {
    case .task(let id):
      try read(try collection.document(id).getDocument(), into: &tally)
    case .openCount:
      tally.add(count: try query(question).count())
    case .everything:
      var scanned = tally
      try query(question).forEachDocument { (document) throws(DatabaseError) in
        try self.read(document, into: &scanned)
        return true
      }
      tally = scanned
    default:
      for document in try query(question).getDocuments().documents {
        try read(document, into: &tally)
      }
    }
  }

  private func read(
    _ document: DocumentSnapshot, into tally: inout Tally
  ) throws(DatabaseError) {
    let values: (Value?, Value?, Value?)
    if decodesAll {
      let fields = try document.data()
      values = (fields?["title"], fields?["priority"], fields?["createdTime"])
    } else {
      values = (
        try document.value("title"), try document.value("priority"),
        try document.value("createdTime")
      )
    }
    guard case (.string(let title)?, .integer(let priority)?, .integer(let createdTime)?) = values
    else { throw DatabaseError(.dataLoss, "a stored task lacks a field") }
    tally.read(title: title, priority: priority, createdTime: createdTime)
  }

  func tasks(answering question: Question) throws -> [SampleTask] {
    if case .task(let id) = question {
      return [try Self.task(try collection.document(id).getDocument())]
    }
    return try query(question).getDocuments().documents.map(Self.task)
  }

  private static func task(_ document: DocumentSnapshot) throws -> SampleTask {
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

  func buildIndex() throws {
    try database.indexes.create(Self.definition(SampleIndex.userOldest))
  }

  func dropBuiltIndex() throws {
    try database.indexes.drop(Self.definition(SampleIndex.userOldest))
  }

  func settle() throws {
    try database.compact()
  }
}

extension HearthContestant {
  /// What the engine counts while it answers; `nil` for what is no query.
  func work(of question: Question) throws -> QueryStatistics? {
    if case .task = question { return nil }
    return try query(question).explain().statistics
  }
}
