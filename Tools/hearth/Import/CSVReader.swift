import Hearth

/// A reader of CSV with a header row of field names (RFC 4180, between commas or another byte).
///
/// A cell becomes a value by its column's type, or by ``Value/init(cell:)`` if the column has none,
/// and null if its text stands for null. An empty cell is a missing field, except in a column of
/// type `string`. Blank lines are skipped.
package struct CSVReader: RecordReader {
  private struct Column {
    let name: String
    let type: FieldType?
  }

  private var bytes: InputBytes
  private let converter: ValueConverter
  private let cells: CellRules
  private let columns: [Column]
  /// The columns by their names, which is the order of a document's fields.
  private let order: [Int]
  private var row: CSVRow

  /// Reads the header row.
  ///
  /// - Throws: `malformed` if the header can't name fields, or if a typed field has no column.
  package init(
    _ bytes: InputBytes, converter: ValueConverter, separator: UInt8 = .comma,
    cells: CellRules = CellRules()
  ) throws(InputError) {
    self.bytes = bytes
    self.converter = converter
    self.cells = cells
    row = CSVRow(separator: separator)
    let source = bytes.source.name
    repeat {
      guard try row.read(from: &self.bytes) else {
        throw InputError(
          .malformed, in: source, "there is no header row",
          advice: "The first line must name the fields")
      }
    } while row.isBlank
    let names = try CSVReader.names(in: row, separator, source: source)
    order = names.indices.sorted { names[$0].utf8Compare(names[$1]) == .less }
    columns = names.map { name in
      Column(name: name, type: converter.types.last { $0.isColumn(name) }?.type)
    }
    for type in converter.types where !names.contains(where: type.isColumn) {
      throw InputError(
        .malformed, in: source, line: row.line, "there is no column \"\(type.path)\"",
        advice: "The columns are: \(names.joined(separator: ", "))")
    }
  }

  private static func names(
    in row: CSVRow, _ separator: UInt8, source: String
  ) throws(InputError) -> [String] {
    var names: [String] = []
    for index in 0..<row.count {
      let name = try row.text(at: index, in: source)
      var problem: String?
      if name.isEmpty { problem = "column \(index + 1) has no name" }
      if names.contains(where: { $0.utf8Equal(name) }) {
        problem = "two columns are called \"\(name)\""
      }
      if row.count == 1, let other = OtherSeparator(in: name, than: separator) {
        throw InputError(
          .malformed, in: source, line: row.line,
          "the columns are separated by \(other.noun), not by \(separator.separatorNoun)",
          advice: "Say --delimiter '\(other.option)'")
      }
      guard let problem else {
        names.append(name)
        continue
      }
      throw InputError(
        .malformed, in: source, line: row.line, problem,
        advice: "The first line must name the fields, each once, separated by "
          + separator.separatorNoun)
    }
    return names
  }

  package mutating func next() throws(InputError) -> InputRecord? {
    repeat {
      bytes.beginRecord()
      guard try row.read(from: &bytes) else { return nil }
    } while row.isBlank
    guard row.count == columns.count else {
      throw InputError(
        .malformed, in: bytes.source.name, line: row.line,
        "the row has \(row.count) cells and the header \(columns.count)",
        advice: "A cell that contains the separator must stand in quotes")
    }
    var values: [Value?] = []
    values.reserveCapacity(columns.count)
    for (index, column) in columns.enumerated() {
      values.append(try value(at: index, of: column))
    }
    var fields: [MapValue.Field] = []
    fields.reserveCapacity(columns.count)
    for index in order {
      if let value = values[index] { fields.append((columns[index].name, value)) }
    }
    return InputRecord(line: row.line, fields: MapValue(sorted: fields))
  }

  package var keepsRecords: Bool {
    get { bytes.keepsRecord }
    set { bytes.keepsRecord = newValue }
  }

  package var recordText: [UInt8] { bytes.record }

  package mutating func skipRefused() throws(InputError) -> Bool {
    try bytes.finishLine()
    return true
  }

  private func value(at index: Int, of column: Column) throws(InputError) -> Value? {
    if !cells.nulls.isEmpty, cells.isNull(row[index]) { return .null }
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

/// The separator that a header of one column seems to have.
private struct OtherSeparator {
  let noun: String
  /// The separator as the option takes it.
  let option: String

  /// Finds a separator in `name`, the only column's name; `nil` if there is none.
  init?(in name: String, than separator: UInt8) {
    let found = name.utf8.first {
      [.tab, UInt8(ascii: ";"), .comma].contains($0) && $0 != separator
    }
    guard let found else { return nil }
    noun = found.separatorNoun
    option = found == .tab ? "\\t" : String(UnicodeScalar(found))
  }
}

extension UInt8 {
  /// The separators between cells as a noun, such as `commas`.
  fileprivate var separatorNoun: String {
    switch self {
    case .comma: "commas"
    case .tab: "tabs"
    case UInt8(ascii: ";"): "semicolons"
    default: "\"\(UnicodeScalar(self))\""
    }
  }
}
