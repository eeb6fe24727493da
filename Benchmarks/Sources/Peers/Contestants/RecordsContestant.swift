import GRDB
import Workbench

/// A contestant on GRDB with Codable records over real columns, as an application would use it.
final class RecordsContestant: Contestant {
  let name = "GRDB records"
  private let pool: DatabasePool

  init(_ settings: StoreSettings) throws {
    var configuration = Configuration()
    let cache = settings.memory.cacheMebibytes
    configuration.prepareDatabase { try $0.execute(sql: "PRAGMA cache_size = \(-cache * 1024)") }
    pool = try DatabasePool(path: settings.path, configuration: configuration)
    // A pool sets NORMAL by itself, after `prepareDatabase`.
    let mode = settings.isDurable ? "FULL" : "NORMAL"
    try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = \(mode)") }
    try pool.write { database in
      try database.create(table: "task", ifNotExists: true) { table in
        table.autoIncrementedPrimaryKey("number")
        table.column("id", .text).notNull().unique()
        for name in ["title", "userId", "listId", "tags", "body"] {
          table.column(name, .text).notNull()
        }
        for name in ["priority", "completed", "createdTime"] {
          table.column(name, .integer).notNull()
        }
      }
      for index in settings.indexes.sampleIndexes { try Self.create(index, in: database) }
    }
  }

  private static func create(_ index: SampleIndex, in database: Database) throws {
    let columns = index.components.map { "\($0.field.rawValue)\($0.descending ? " DESC" : "")" }
    try database.execute(
      sql: """
        CREATE INDEX IF NOT EXISTS task_\(index.number) ON task
        (\(columns.joined(separator: ", ")), id\(index.isDescending ? " DESC" : ""))
        """)
  }

  private func request(_ question: Question) -> QueryInterfaceRequest<TaskRow> {
    let (user, time, priority) = (Column("userId"), Column("createdTime"), Column("priority"))
    let (open, id) = (Column("completed") == false, Column("id"))
    return switch question {
    case .task(let key): TaskRow.filter(id == key)
    case .newest(let userId): TaskRow.filter(user == userId).order(time.desc, id.desc).limit(20)
    case .oldestOpen(let userId):
      TaskRow.filter(user == userId).filter(open).order(time, id).limit(20)
    case .openCount(let userId): TaskRow.filter(user == userId).filter(open)
    case .byPriority(let userId):
      TaskRow.filter(user == userId).filter(priority >= 1).order(priority, time, id).limit(20)
    case .openUrgent(let userId):
      TaskRow.filter(user == userId).filter(open).filter(priority == 2).order(id)
    case .everything: TaskRow.order(time, id)
    case .oldest: TaskRow.order(time, id).limit(20)
    }
  }

  func answer(_ question: Question, into tally: inout Tally) throws {
    let request = request(question)
    switch question {
    case .openCount: tally.add(count: try pool.read { try request.fetchCount($0) })
    case .everything:
      var scanned = tally
      try pool.read { database in
        let rows = try request.fetchCursor(database)
        while let row = try rows.next() { scanned.read(row) }
      }
      tally = scanned
    default:
      for row in try pool.read({ try request.fetchAll($0) }) { tally.read(row) }
    }
  }

  func tasks(answering question: Question) throws -> [SampleTask] {
    try pool.read { try request(question).fetchAll($0) }.map(\.task)
  }

  func insert(_ tasks: ArraySlice<PreparedTask>) throws {
    try pool.write { database in
      for prepared in tasks { try TaskRow(prepared.task).insert(database) }
    }
  }

  func setCompleted(_ completed: Bool, of id: String) throws {
    try pool.write { database in
      guard var row = try TaskRow.filter(Column("id") == id).fetchOne(database) else {
        throw StudyError("no task \(id)")
      }
      _ = try row.updateChanges(database) { $0.completed = completed }
    }
  }

  func remove(id: String) throws {
    _ = try pool.write { try TaskRow.filter(Column("id") == id).deleteAll($0) }
  }

  func buildIndex() throws {
    try pool.write { try Self.create(SampleIndex.userOldest, in: $0) }
  }

  func dropBuiltIndex() throws {
    try pool.write { try $0.execute(sql: "DROP INDEX task_\(SampleIndex.userOldest.number)") }
  }

  func settle() throws {
    try pool.writeWithoutTransaction {
      try $0.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE); ANALYZE;")
    }
  }
}

/// A task as a record.
private struct TaskRow: Codable, FetchableRecord, PersistableRecord {
  static let databaseTableName = "task"

  var number: Int64?
  var id: String
  var title: String
  var priority: Int64
  var completed: Bool
  var createdTime: Int64
  var userId: String
  var listId: String
  var tags: [String]
  var body: String

  init(_ task: SampleTask) {
    id = task.id
    title = task.title
    priority = task.priority
    completed = task.completed
    createdTime = task.createdTime
    userId = task.userId
    listId = task.listId
    tags = task.tags
    body = task.body
  }

  var task: SampleTask {
    SampleTask(
      number: 0, id: id, title: title, priority: priority, completed: completed,
      createdTime: createdTime, userId: userId, listId: listId, tags: tags, body: body)
  }
}

extension Tally {
  fileprivate mutating func read(_ row: TaskRow) {
    read(title: row.title, priority: row.priority, createdTime: row.createdTime)
  }
}
