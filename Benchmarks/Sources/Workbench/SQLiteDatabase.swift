import CSQLite

/// SQLite's C interface with Swift's lifetimes, and nothing more.
package final class SQLiteDatabase {
  fileprivate let database: OpaquePointer

  package init(at path: String) throws {
    var opened: OpaquePointer?
    let code = sqlite3_open(path, &opened)
    guard let opened, code == SQLITE_OK else {
      throw StudyError("SQLite did not open \(path): code \(code)")
    }
    database = opened
  }

  deinit {
    sqlite3_close_v2(database)
  }

  package func execute(_ sql: String) throws {
    guard sqlite3_exec(database, sql, nil, nil, nil) == SQLITE_OK else { throw failure(sql) }
  }

  /// Returns the text of a statement's plan.
  package func plan(of sql: String) throws -> String {
    let statement = try SQLiteStatement(self, "EXPLAIN QUERY PLAN \(sql)")
    var lines: [String] = []
    while try statement.step() {
      lines.append(String(decoding: statement.text(at: 3), as: UTF8.self))
    }
    return lines.joined(separator: "; ")
  }

  fileprivate func failure(_ context: String) -> StudyError {
    StudyError("SQLite: \(String(cString: sqlite3_errmsg(database))) in \(context)")
  }
}

/// A prepared statement. Bound bytes must live until the statement has been stepped.
package final class SQLiteStatement {
  private let database: SQLiteDatabase
  private let statement: OpaquePointer
  private let sql: String

  package init(_ database: SQLiteDatabase, _ sql: String) throws {
    self.database = database
    self.sql = sql
    var prepared: OpaquePointer?
    guard
      sqlite3_prepare_v2(database.database, sql, -1, &prepared, nil) == SQLITE_OK, let prepared
    else { throw database.failure(sql) }
    statement = prepared
  }

  deinit {
    sqlite3_finalize(statement)
  }

  package func bind(_ value: Int64, at index: Int32) {
    sqlite3_bind_int64(statement, index, value)
  }

  package func bind(_ text: String, at index: Int32) {
    var text = text
    text.withUTF8 { bind(UnsafeRawBufferPointer($0), at: index) }
  }

  package func bind(_ text: UnsafeRawBufferPointer, at index: Int32) {
    // SQLITE_TRANSIENT: SQLite copies before the call returns.
    let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    let chars = text.bindMemory(to: CChar.self)
    sqlite3_bind_text(statement, index, chars.baseAddress, Int32(chars.count), transient)
  }

  /// Steps to the next row; returns whether there is one.
  package func step() throws -> Bool {
    switch sqlite3_step(statement) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    default: throw database.failure(sql)
    }
  }

  /// Returns the text of a column; valid until the next step.
  package func text(at column: Int32) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(
      start: sqlite3_column_text(statement, column),
      count: Int(sqlite3_column_bytes(statement, column)))
  }

  package func integer(at column: Int32) -> Int64 {
    sqlite3_column_int64(statement, column)
  }

  /// Steps a statement that returns no rows, and makes it ready for the next run.
  package func run() throws {
    defer { reset() }
    guard try !step() else { throw StudyError("SQLite has rows for \(sql)") }
  }

  package func reset() {
    sqlite3_reset(statement)
  }
}

extension SQLiteDatabase {
  package static var version: String { String(cString: sqlite3_libversion()) }
}
