public import HearthDocumentModel
import HearthDocumentEngine
import HearthStorageFormat

/// One result of a query, whose fields are read straight from the stored bytes.
///
/// A row lives as long as the call that it is passed to, and the compiler holds it there. Its calls
/// take the number of a column, which is the field's position in ``RowFields``. They return `nil`
/// if the document lacks the field, or has a value of another type there: the integer 42 is not a
/// double. ``value(_:)`` returns a value of any type.
///
/// All of them throw `dataLoss` if the stored bytes are damaged, and `outOfRange` for a column that
/// the row doesn't have.
public struct Row: ~Copyable, ~Escapable {
  private let row: RecordRow

  @_lifetime(copy row)
  init(_ row: consuming RecordRow) {
    self.row = row
  }

  // MARK: The document

  /// Path of the document.
  public var path: ResourcePath { row.record.path }
  /// Id of the document.
  public var id: String { path.lastSegment ?? "" }
  /// Time of the commit that created the document.
  public var createTime: Timestamp { row.record.createTime }
  /// Time of the commit that last changed the document.
  public var updateTime: Timestamp { row.record.updateTime }
  /// Number of columns.
  public var count: Int { row.count }

  // MARK: Columns

  /// Whether the document has the field of a column, with null or another value.
  public func hasValue(_ column: Int) throws(DatabaseError) -> Bool {
    if row.hasValue(column) { return true }
    try check(column)
    return false
  }

  /// Returns the value in a column, of any type; `nil` if the document lacks the field.
  public func value(_ column: Int) throws(DatabaseError) -> Value? {
    try read(column) { (row, column) throws(CorruptBytes) in try row.value(column) }
  }

  /// Returns the boolean in a column.
  public func boolean(_ column: Int) throws(DatabaseError) -> Bool? {
    try read(column) { (row, column) throws(CorruptBytes) in try row.boolean(column) }
  }

  /// Returns the integer in a column.
  public func integer(_ column: Int) throws(DatabaseError) -> Int64? {
    try read(column) { (row, column) throws(CorruptBytes) in try row.integer(column) }
  }

  /// Returns the double in a column.
  public func double(_ column: Int) throws(DatabaseError) -> Double? {
    try read(column) { (row, column) throws(CorruptBytes) in try row.double(column) }
  }

  /// Returns the timestamp in a column.
  public func timestamp(_ column: Int) throws(DatabaseError) -> Timestamp? {
    try read(column) { (row, column) throws(CorruptBytes) in try row.timestamp(column) }
  }

  /// Returns a copy of the string in a column.
  public func string(_ column: Int) throws(DatabaseError) -> String? {
    try read(column) { (row, column) throws(CorruptBytes) in try row.string(column) }
  }

  /// Returns the UTF-8 of the string in a column, without copying it. The span lives as long as the
  /// row.
  @_lifetime(borrow self)
  public func utf8(_ column: Int) throws(DatabaseError) -> UTF8Span? {
    do {
      if let value = try row.utf8(column) { return value }
    } catch {
      throw damage(error)
    }
    try check(column)
    return nil
  }

  /// Returns a copy of the bytes in a column.
  public func bytes(_ column: Int) throws(DatabaseError) -> [UInt8]? {
    try read(column) { (row, column) throws(CorruptBytes) in try row.byteArray(column) }
  }

  @inline(__always)
  private func read<Field>(
    _ column: Int, _ field: (borrowing RecordRow, Int) throws(CorruptBytes) -> Field?
  ) throws(DatabaseError) -> Field? {
    do {
      if let value = try field(row, column) { return value }
    } catch {
      throw damage(error)
    }
    try check(column)
    return nil
  }

  /// Throws for a column that the row doesn't have. Columns with a value need no check.
  private func check(_ column: Int) throws(DatabaseError) {
    guard column < 0 || column >= row.count else { return }
    throw DatabaseError(
      .outOfRange, "There is no column \(column): the row has columns 0 to \(row.count - 1).")
  }

  @inline(never)
  private func damage(_ error: CorruptBytes) -> DatabaseError { DatabaseError(reporting: error) }
}
