import Workbench

/// A contestant on SQLite's C interface: a rowid table, prepared statements, a write-ahead log.
final class SQLiteContestant: Contestant {
  /// The stored form of a task.
  enum Form {
    /// One JSON text, with indexes on expressions.
    case json
    /// One column per field. The tags are JSON text.
    case columns

    fileprivate func expression(_ field: TaskField) -> String {
      self == .json ? "json_extract(document, '$.\(field.rawValue)')" : field.rawValue
    }

    fileprivate var columnList: String {
      self == .json ? "document" : TaskField.allCases.map(\.rawValue).joined(separator: ", ")
    }
  }

  let name: String
  private let form: Form
  private let laterIndexes: [SampleIndex]
  private let database: SQLiteDatabase
  private let insertion: SQLiteStatement
  private let update: SQLiteStatement
  private let removal: SQLiteStatement
  private let statements: Statements

  /// - Parameter checkpointPages: the number of pages of the log after which SQLite copies them
  ///   into the database; `nil` is SQLite's default, 1000.
  /// - Parameter locksExclusively: whether no other process can read the file meanwhile, which
  ///   saves the locks of each statement.
  init(
    _ settings: StoreSettings, form: Form, checkpointPages: Int? = nil,
    locksExclusively: Bool = false, name: String
  ) throws {
    self.name = name
    self.form = form
    laterIndexes = settings.indexesAfterLoad ? settings.indexes.sampleIndexes : []
    database = try SQLiteDatabase(at: settings.path)
    try database.execute(
      """
      PRAGMA locking_mode = \(locksExclusively ? "EXCLUSIVE" : "NORMAL");
      PRAGMA journal_mode = WAL;
      PRAGMA synchronous = \(settings.isDurable ? "FULL" : "NORMAL");
      PRAGMA cache_size = \(-settings.memory.cacheMebibytes * 1024);
      """)
    if let checkpointPages {
      try database.execute("PRAGMA wal_autocheckpoint = \(checkpointPages)")
    }
    try Self.createSchema(
      database, form, settings.indexesAfterLoad ? [] : settings.indexes.sampleIndexes)
    let places = Array(repeating: "?", count: form == .json ? 2 : 9).joined(separator: ", ")
    insertion = try SQLiteStatement(
      database, "INSERT INTO task (id, \(form.columnList)) VALUES (\(places))")
    update = try SQLiteStatement(
      database,
      form == .json
        ? """
        UPDATE task SET document = json_set(document, '$.completed', json(iif(?, 'true', 'false')))
        WHERE id = ?
        """ : "UPDATE task SET completed = ? WHERE id = ?")
    removal = try SQLiteStatement(database, "DELETE FROM task WHERE id = ?")
    statements = try Statements(database, form, settings.indexes)
  }

  private static func createSchema(
    _ database: SQLiteDatabase, _ form: Form, _ indexes: [SampleIndex]
  ) throws {
    let columns =
      form == .json
      ? "document TEXT NOT NULL"
      : """
      title TEXT NOT NULL, priority INTEGER NOT NULL, completed INTEGER NOT NULL,
      createdTime INTEGER NOT NULL, userId TEXT NOT NULL, listId TEXT NOT NULL,
      tags TEXT NOT NULL, body TEXT NOT NULL
      """
    try database.execute(
      """
      CREATE TABLE IF NOT EXISTS task (
        number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, \(columns));
      """)
    for index in indexes { try create(index, in: database, form) }
  }

  private static func create(
    _ index: SampleIndex, in database: SQLiteDatabase, _ form: Form
  ) throws {
    let columns = index.components.map {
      "\(form.expression($0.field))\($0.descending ? " DESC" : "")"
    }
    try database.execute(
      """
      CREATE INDEX IF NOT EXISTS task_\(index.number) ON task
      (\(columns.joined(separator: ", ")), id\(index.isDescending ? " DESC" : ""))
      """)
  }

  // MARK: Reading

  /// The prepared questions. Questions that the store's indexes don't serve are not prepared.
  private struct Statements {
    let task, newest, oldestOpen, openCount, byPriority, openUrgent: SQLiteStatement
    let everything, oldest: SQLiteStatement

    init(_ database: SQLiteDatabase, _ form: Form, _ indexes: IndexSet) throws {
      func field(_ field: TaskField) -> String { form.expression(field) }
      func prepare(_ tail: String, counting: Bool = false) throws -> SQLiteStatement {
        let sql = "SELECT \(counting ? "count(*)" : "id, \(form.columnList)") FROM task \(tail)"
        if indexes == .all {
          let plan = try database.plan(of: sql)
          guard plan.contains("INDEX"), !plan.contains("TEMP B-TREE") else {
            throw StudyError("SQLite does not serve '\(sql)' from an index: \(plan)")
          }
        }
        return try SQLiteStatement(database, sql)
      }
      let (user, time, priority) = (field(.userId), field(.createdTime), field(.priority))
      let open = "\(field(.completed)) = 0"
      task = try prepare("WHERE id = ?")
      newest = try prepare("WHERE \(user) = ? ORDER BY \(time) DESC, id DESC LIMIT 20")
      oldestOpen = try prepare("WHERE \(user) = ? AND \(open) ORDER BY \(time), id LIMIT 20")
      openCount = try prepare("WHERE \(user) = ? AND \(open)", counting: true)
      byPriority = try prepare(
        "WHERE \(user) = ? AND \(priority) >= 1 ORDER BY \(priority), \(time), id LIMIT 20")
      openUrgent = try prepare("WHERE \(user) = ? AND \(open) AND \(priority) = 2 ORDER BY id")
      everything = try prepare("ORDER BY \(time), id")
      oldest = try prepare("ORDER BY \(time), id LIMIT 20")
    }
  }

  private func bound(_ question: Question) -> SQLiteStatement {
    let statement: SQLiteStatement
    switch question {
    case .task(let id):
      statement = statements.task
      statement.bind(id, at: 1)
      return statement
    case .newest(let userId):
      statement = statements.newest
      statement.bind(userId, at: 1)
    case .oldestOpen(let userId):
      statement = statements.oldestOpen
      statement.bind(userId, at: 1)
    case .openCount(let userId):
      statement = statements.openCount
      statement.bind(userId, at: 1)
    case .byPriority(let userId):
      statement = statements.byPriority
      statement.bind(userId, at: 1)
    case .openUrgent(let userId):
      statement = statements.openUrgent
      statement.bind(userId, at: 1)
    case .everything: statement = statements.everything
    case .oldest: statement = statements.oldest
    }
    return statement
  }

  func answer(_ question: Question, into tally: inout Tally) throws {
    let statement = bound(question)
    defer { statement.reset() }
    switch question {
    case .openCount:
      guard try statement.step() else { throw StudyError("SQLite does not count") }
      tally.add(count: Int(statement.integer(at: 0)))
    case .everything:
      while try statement.step() { try tally.read(row(statement)) }
    default:
      var page: [ParsedDocument] = []
      page.reserveCapacity(20)
      while try statement.step() { page.append(try row(statement)) }
      for document in page { try tally.read(document) }
    }
  }

  private func row(_ statement: SQLiteStatement) throws -> ParsedDocument {
    let id = statement.text(at: 0)
    switch form {
    case .json: return try ParsedDocument(json: statement.text(at: 1), id: id)
    case .columns:
      var document = ParsedDocument(id: id)
      for (column, field) in zip(Int32(1)..., TaskField.allCases) {
        switch field {
        case .priority, .createdTime, .completed:
          document.append(field, statement.integer(at: column))
        case .title, .userId, .listId, .tags, .body:
          document.append(field, statement.text(at: column))
        }
      }
      return document
    }
  }

  func tasks(answering question: Question) throws -> [SampleTask] {
    let statement = bound(question)
    defer { statement.reset() }
    var tasks: [SampleTask] = []
    while try statement.step() {
      let document = try row(statement)
      tasks.append(try document.task(id: document.id))
    }
    return tasks
  }

  // MARK: Writing

  func insert(_ tasks: ArraySlice<PreparedTask>) throws {
    // A single statement is a transaction of its own.
    if tasks.count > 1 { try database.execute("BEGIN") }
    for prepared in tasks {
      insertion.bind(prepared.task.id, at: 1)
      switch form {
      case .json: prepared.json.withUnsafeBytes { insertion.bind($0, at: 2) }
      case .columns: bindColumns(of: prepared.task)
      }
      try insertion.run()
    }
    if tasks.count > 1 { try database.execute("COMMIT") }
  }

  private func bindColumns(of task: SampleTask) {
    for (column, field) in zip(Int32(2)..., TaskField.allCases) {
      switch task.value(of: field) {
      case .integer(let integer): insertion.bind(integer, at: column)
      case .boolean(let boolean): insertion.bind(boolean ? 1 : 0, at: column)
      case .string(let string): insertion.bind(string, at: column)
      case .strings(let strings): insertion.bind(TaskJSON.encode(strings), at: column)
      }
    }
  }

  func setCompleted(_ completed: Bool, of id: String) throws {
    update.bind(completed ? 1 : 0, at: 1)
    update.bind(id, at: 2)
    try update.run()
  }

  func remove(id: String) throws {
    removal.bind(id, at: 1)
    try removal.run()
  }

  func buildIndex() throws {
    try Self.create(SampleIndex.userOldest, in: database, form)
  }

  func dropBuiltIndex() throws {
    try database.execute("DROP INDEX task_\(SampleIndex.userOldest.number)")
  }

  func finishLoad() throws {
    for index in laterIndexes { try Self.create(index, in: database, form) }
  }

  func settle() throws {
    try database.execute("PRAGMA wal_checkpoint(TRUNCATE); ANALYZE;")
  }
}
