import HearthFirestoreJSON
import Hearth

/// A writer of documents in the form that the user chose, as they come.
final class DocumentWriter {
  private let style: OutputStyle
  private let format: DocumentLine
  private let writer: OutputWriter
  /// The first documents, which decide on the columns; then none.
  private var sample: [DocumentMessage] = []
  private var table: DocumentTable?
  private var columns: DocumentColumns?
  private(set) var count = 0

  /// - Parameter format: the form of JSON, and the fields to show.
  init(_ style: OutputStyle, _ format: DocumentLine, to writer: OutputWriter) {
    self.style = style
    self.format = format
    self.writer = writer
  }

  func append(_ document: DocumentMessage) throws {
    count += 1
    switch style.form {
    case .jsonLines:
      let line = format.line(document)
      try writer.append { $0.append(contentsOf: line) }
    case .vertical: try writer.append(record(of: document).text(title: "\(count)", style))
    case .tables, .csv:
      guard table == nil, columns == nil else { return try appendRow(document) }
      sample.append(document)
      if sample.count == DocumentColumns.sampleCount {
        try beginRows()
        // The reader sees the first lines while the others are read.
        try writer.flush()
      }
    }
  }

  /// Writes what waits.
  func end() throws {
    if !sample.isEmpty { try beginRows() }
    if let table { try writer.append(table.notes(style.text)) }
  }

  private func beginRows() throws {
    if style.form == .csv {
      let columns = DocumentColumns(of: sample, fields: format.fields, hasPath: format.hasPath)
      self.columns = columns
      try writer.append(CSVText.line(columns.columns.map(\.title)))
    } else {
      let table = DocumentTable(
        sample, fields: format.fields, hasPath: format.hasPath, width: style.width)
      self.table = table
      try writer.append(table.header(style.text))
    }
    for document in sample { try appendRow(document) }
    sample = []
  }

  private func appendRow(_ document: DocumentMessage) throws {
    if let line = table?.line(document) { return try writer.append(line) }
    guard let columns else { return }
    if let field = columns.missing(of: document) {
      throw ToolFailure.badInput(
        "\(document.name.path) has a field \(field) without a column: the columns are the fields "
          + "of the first \(DocumentColumns.sampleCount) documents. Name them by --fields.")
    }
    try writer.append(CSVText.line(columns.cells(of: document) { $0.csvCell(in: format.database) }))
  }

  private func record(of document: DocumentMessage) -> VerticalRecord {
    let name =
      format.hasPath ? ("path", document.name.path.description) : ("id", document.id)
    var fields = [name]
    let omitsID = format.fields == nil && !format.hasPath && document.hasIDInField
    for field in format.selected(document.fields) where !omitsID || field.name != "id" {
      fields.append((field.name, DocumentTable.text(of: field.value)))
    }
    if format.hasTimes {
      fields.append(("createTime", document.createTime?.rfc3339 ?? "-"))
      fields.append(("updateTime", document.updateTime?.rfc3339 ?? "-"))
    }
    return VerticalRecord(fields)
  }
}

extension Value {
  /// Returns the cell of the value: its plain JSON, without the quotes of a string; null is empty.
  func csvCell(in database: DatabaseID) -> String {
    switch self {
    case .null: return ""
    case .string(let text): return text
    case .timestamp(let time): return time.rfc3339
    default:
      var bytes: [UInt8] = []
      PlainJSON.append(self, to: &bytes, relativeTo: database)
      let text = String(decoding: bytes, as: UTF8.self)
      // NaN, bytes and references are strings of JSON without escapes.
      return text.hasPrefix("\"") ? String(text.dropFirst().dropLast()) : text
    }
  }
}
