import Workbench

/// A store of tasks as JSON text in a rowid table with expression indexes. Each index ends in the
/// id, so that ties are in order of name.
final class SQLiteStore: Writer {
  let name = "SQLite JSON"
  let path: String
  let lastBatchByteCount = 0
  fileprivate let database: SQLiteDatabase
  private let insertion: SQLiteStatement
  private let update: SQLiteStatement

  /// - Parameter isDurable: whether every commit is synced (`FULL`) or only checkpoints (`NORMAL`).
  init(
    at path: String, indexes: [SampleIndex], cacheMebibytes: Int, isDurable: Bool = false
  ) throws {
    self.path = path
    database = try SQLiteDatabase(at: path)
    try database.execute(
      """
      PRAGMA journal_mode = WAL;
      PRAGMA synchronous = \(isDurable ? "FULL" : "NORMAL");
      PRAGMA wal_autocheckpoint = 16384;
      PRAGMA cache_size = \(-cacheMebibytes * 1024);
      CREATE TABLE task (
        number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, document TEXT NOT NULL);
      """)
    for index in indexes {
      let columns = index.components.map {
        "json_extract(document, '$.\($0.field.rawValue)')\($0.descending ? " DESC" : "")"
      }
      try database.execute(
        """
        CREATE INDEX task_\(index.number) ON task
        (\(columns.joined(separator: ", ")), id\(index.isDescending ? " DESC" : ""))
        """)
    }
    insertion = try SQLiteStatement(database, "INSERT INTO task VALUES (?, ?, ?)")
    update = try SQLiteStatement(
      database,
      """
      UPDATE task SET document = json_set(document, '$.completed',
        json(iif(json_extract(document, '$.completed'), 'false', 'true'))) WHERE id = ?
      """)
  }

  func insert(_ tasks: ArraySlice<PreparedTask>, sync: Bool) throws {
    try database.execute("BEGIN")
    for prepared in tasks {
      insertion.bind(Int64(prepared.task.number), at: 1)
      insertion.bind(prepared.task.id, at: 2)
      prepared.json.withUnsafeBytes { insertion.bind($0, at: 3) }
      _ = try insertion.step()
      insertion.reset()
    }
    try database.execute("COMMIT")
  }

  func toggleCompleted(id: String) throws {
    update.bind(id, at: 1)
    _ = try update.step()
    update.reset()
  }

  func settle() throws {
    try database.execute("PRAGMA wal_checkpoint(TRUNCATE); ANALYZE;")
  }
}

/// A reader of a `SQLiteStore` through prepared statements.
final class SQLiteReader: Reader {
  let name: String
  let ordersTiesByName = true
  let yieldsDocuments: Bool
  private let get: SQLiteStatement
  private let newest: SQLiteStatement
  private let open: SQLiteStatement
  private let byTime: SQLiteStatement
  private let byTitle: SQLiteStatement
  private let openByName: SQLiteStatement
  private let byName: SQLiteStatement

  /// - Parameter parses: whether rows become documents or stay text.
  init(_ store: SQLiteStore, parses: Bool) throws {
    name = "\(store.name), \(parses ? "parsed" : "text only")"
    yieldsDocuments = parses
    func field(_ name: String) -> String { "json_extract(document, '$.\(name)')" }
    func prepare(_ tail: String) throws -> SQLiteStatement {
      let sql = "SELECT document FROM task \(tail)"
      let plan = try store.database.plan(of: sql)
      guard plan.contains("USING INDEX"), !plan.contains("TEMP B-TREE") else {
        throw StudyError("SQLite does not serve '\(sql)' from an index: \(plan)")
      }
      return try SQLiteStatement(store.database, sql)
    }
    get = try prepare("WHERE id = ?")
    newest = try prepare(
      "WHERE \(field("userId")) = ? ORDER BY \(field("createdTime")) DESC, id DESC LIMIT 20")
    open = try prepare(
      """
      WHERE \(field("userId")) = ? AND \(field("completed")) = 0
      ORDER BY \(field("createdTime")), id LIMIT 20
      """)
    byTime = try prepare(
      "WHERE \(field("createdTime")) >= ? ORDER BY \(field("createdTime")), id LIMIT ?")
    byTitle = try prepare("WHERE \(field("title")) >= ? ORDER BY \(field("title")), id LIMIT ?")
    openByName = try prepare("WHERE \(field("completed")) = 0 AND id >= ? ORDER BY id LIMIT ?")
    byName = try prepare("WHERE id >= ? ORDER BY id LIMIT ?")
  }

  func answer(_ query: StudyQuery, into answer: inout Answer) throws {
    let statement: SQLiteStatement
    switch query {
    case .get(let id):
      statement = get
      statement.bind(id, at: 1)
    case .newest(let userId):
      statement = newest
      statement.bind(userId, at: 1)
    case .open(let userId):
      statement = open
      statement.bind(userId, at: 1)
    case .byTime(let time, let limit):
      statement = byTime
      statement.bind(time, at: 1)
      statement.bind(Int64(limit), at: 2)
    case .byTitle(let title, let limit):
      statement = byTitle
      statement.bind(title, at: 1)
      statement.bind(Int64(limit), at: 2)
    case .openByName(let id, let limit):
      statement = openByName
      statement.bind(id, at: 1)
      statement.bind(Int64(limit), at: 2)
    case .byName(let id, let limit):
      statement = byName
      statement.bind(id, at: 1)
      statement.bind(Int64(limit), at: 2)
    }
    defer { statement.reset() }
    while try statement.step() {
      let text = statement.text(at: 0)
      if yieldsDocuments {
        answer.receive(try TaskJSON.decode(text))
      } else {
        answer.receive(bytes: text)
      }
    }
  }
}
