import Hearth

/// A reader of CSV with a header row of field names (RFC 4180, separated by commas).
///
/// A cell becomes a value by its column's type, or by ``Value/init(cell:)`` if the column has none.
/// An empty cell is a missing field, except in a column of type `string`. Blank lines are skipped.
package struct CSVReader: RecordReader {
  private struct Column {
    let name: String
    let type: FieldType?
  }

  private var bytes: InputBytes
  private let converter: ValueConverter
  private let columns: [Column]
  private var row = CSVRow()

  /// Reads the header row.
  ///
  /// - Throws: `malformed` if the header can't name fields, or if a typed field has no column.
  package init(_ bytes: InputBytes, converter: ValueConverter) throws(InputError) {
    self.bytes = bytes
    self.converter = converter
    let source = bytes.source.name
    repeat {
      guard try row.read(from: &self.bytes) else {
        throw InputError(
          .malformed, in: source, "there is no header row",
          advice: "The first line must name the fields")
      }
    } while row.isBlank
    let names = try CSVReader.names(in: row, source: source)
    columns = names.map { name in
      Column(name: name, type: converter.types.last { $0.isColumn(name) }?.type)
    }
    for type in converter.types where !names.contains(where: type.isColumn) {
      throw InputError(
        .malformed, in: source, line: row.line, "there is no column \"\(type.path)\"",
        advice: "The columns are: \(names.joined(separator: ", "))")
    }
  }

  private static func names(in row: CSVRow, source: String) throws(InputError) -> [String] {
    var names: [String] = []
    for index in 0..<row.count {
      let name = try row.text(at: index, in: source)
      var problem: String?
      if name.isEmpty { problem = "column \(index + 1) has no name" }
      if names.contains(where: { $0.utf8Equal(name) }) {
        problem = "two columns are called \"\(name)\""
      }
      if row.count == 1, let separator = name.utf8.first(where: { [0x09, 0x3b].contains($0) }) {
        let separator = separator == 0x09 ? "tabs" : "semicolons"
        problem = "the columns are separated by \(separator), not by commas"
      }
      guard let problem else {
        names.append(name)
        continue
      }
      throw InputError(
        .malformed, in: source, line: row.line, problem,
        advice: "The first line must name the fields, each once, separated by commas")
    }
    return names
  }

  package mutating func next() throws(InputError) -> InputRecord? {
    repeat {
      guard try row.read(from: &bytes) else { return nil }
    } while row.isBlank
    guard row.count == columns.count else {
      throw InputError(
        .malformed, in: bytes.source.name, line: row.line,
        "the row has \(row.count) cells and the header \(columns.count)",
        advice: "A cell that contains a comma must stand in quotes")
    }
    var fields: [(String, Value)] = []
    for (index, column) in columns.enumerated() {
      if let value = try value(at: index, of: column) { fields.append((column.name, value)) }
    }
    return InputRecord(line: row.line, fields: MapValue(fields))
  }

  private func value(at index: Int, of column: Column) throws(InputError) -> Value? {
    if row[index].isEmpty, column.type != .string { return nil }
    let text = try row.text(at: index, in: bytes.source.name)
    guard let type = column.type else { return Value(cell: text) }
    do throws(ConversionFailure) {
      return try converter.value(of: text, as: type)
    } catch {
      throw InputError(
        .malformed, in: bytes.source.name, line: row.line, field: column.name, error.problem,
        advice: error.advice)
    }
  }
}
