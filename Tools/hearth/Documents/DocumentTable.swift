import HearthFirestoreJSON
import Hearth

/// A table of documents, written as they come. The first ones decide on its columns.
struct DocumentTable {
  private let columns: DocumentColumns
  private var layout: TableLayout
  /// Names of fields that only later documents have, as far as they are kept.
  private var lateFields: Set<String> = []

  /// Creates the table, of which `documents` are the first rows.
  init(_ documents: [DocumentMessage], fields: FieldList?, hasPath: Bool, width: Int?) {
    columns = DocumentColumns(of: documents, fields: fields, hasPath: hasPath)
    let columns = columns
    layout = TableLayout(
      columns.columns,
      fitting: documents.map { columns.cells(of: $0, DocumentTable.text) }, to: width)
  }

  func header(_ style: TextStyle) -> String { layout.header(style) }

  /// Returns the line of a document, with its end.
  mutating func line(_ document: DocumentMessage) -> String {
    if let name = columns.missing(of: document), lateFields.count < 20 { lateFields.insert(name) }
    return layout.line(columns.cells(of: document, DocumentTable.text))
  }

  /// Returns lines on fields that are not shown.
  func notes(_ style: TextStyle) -> String {
    let notes = layout.notes(
      style, advice: "--fields chooses, --format vertical shows all")
    guard !lateFields.isEmpty else { return notes }
    let names = lateFields.sorted().joined(separator: ", ").printable
    return notes
      + style.faint("fields of later documents, which --fields shows: \(names)") + "\n"
  }

  /// Returns a value's text. A string has no quotes: a cell is read, not typed again.
  static func text(of value: Value) -> String {
    if case .string(let text) = value { return text }
    return ValueText.text(of: value, in: NameScope(.default, collection: nil))
  }
}
