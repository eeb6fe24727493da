package import HearthDocumentModel

/// Some fields of one record, in columns.
///
/// Its calls take the number of a column. They return `nil` if there is no such column, or if the
/// record lacks the field, or has a value of another type there. All of them throw
/// ``CorruptBytes``.
package struct RecordRow: ~Copyable, ~Escapable {
  private let bytes: RawSpan
  private let columns: Span<FieldColumns.Column>
  /// The record, which its caller keeps alive.
  private let owner: Unmanaged<DocumentRecord>

  @_lifetime(borrow record, copy columns)
  init(_ record: borrowing DocumentRecord, _ columns: Span<FieldColumns.Column>) {
    bytes = record.bytes
    self.columns = columns
    owner = .passUnretained(copy record)
  }

  /// Number of columns.
  package var count: Int { columns.count }

  /// The record of the row.
  package var record: DocumentRecord { owner.takeUnretainedValue() }

  /// Whether the record has the field.
  package func hasValue(_ column: Int) -> Bool {
    place(column) != FieldColumns.Column.missing
  }

  package func value(_ column: Int) throws(CorruptBytes) -> Value? {
    let place = place(column)
    return place == FieldColumns.Column.missing ? nil : try record.value(at: place)
  }

  package func boolean(_ column: Int) throws(CorruptBytes) -> Bool? {
    let place = place(column)
    guard place != FieldColumns.Column.missing else { return nil }
    var reader = ByteReader(bytes, at: place)
    switch try reader.readTag() {
    case .false: return false
    case .true: return true
    default: return nil
    }
  }

  package func integer(_ column: Int) throws(CorruptBytes) -> Int64? {
    guard var reader = try reader(of: .integer, column) else { return nil }
    return try reader.readSigned("integer")
  }

  package func double(_ column: Int) throws(CorruptBytes) -> Double? {
    guard var reader = try reader(of: .double, column) else { return nil }
    return try reader.readDouble("double")
  }

  package func timestamp(_ column: Int) throws(CorruptBytes) -> Timestamp? {
    guard var reader = try reader(of: .timestamp, column) else { return nil }
    return try reader.readTimestamp("timestamp")
  }

  package func string(_ column: Int) throws(CorruptBytes) -> String? {
    guard var reader = try reader(of: .string, column) else { return nil }
    return try reader.readString("string")
  }

  /// Returns the UTF-8 of a string, without copying it.
  @_lifetime(copy self)
  package func utf8(_ column: Int) throws(CorruptBytes) -> UTF8Span? {
    guard var reader = try reader(of: .string, column) else { return nil }
    return try reader.readUTF8("string")
  }

  package func byteArray(_ column: Int) throws(CorruptBytes) -> [UInt8]? {
    guard var reader = try reader(of: .bytes, column) else { return nil }
    return try reader.readByteArray("bytes")
  }

  @inline(__always)
  private func place(_ column: Int) -> Int {
    guard column >= 0, column < columns.count else { return FieldColumns.Column.missing }
    return columns[unchecked: column].place
  }

  /// Returns a reader behind the tag of a column's value; `nil` if the record has no value of that
  /// type there.
  @inline(__always)
  @_lifetime(copy self)
  private func reader(of tag: ValueTag, _ column: Int) throws(CorruptBytes) -> ByteReader? {
    let place = place(column)
    guard place != FieldColumns.Column.missing else { return nil }
    var reader = ByteReader(bytes, at: place)
    return try reader.readTag() == tag ? reader : nil
  }
}

extension FieldColumns {
  /// Returns the row of the record in which the fields were found last.
  @_lifetime(borrow self, borrow record)
  package func row(of record: borrowing DocumentRecord) -> RecordRow {
    RecordRow(record, columns.span)
  }
}
