import HearthFirestoreJSON
import Hearth

/// A table of documents: the id and a column for each field.
struct DocumentTable {
  /// Width of the narrowest column. A narrower one shows too little; columns are left out instead.
  private static let narrowestColumn = 10

  private var columns: [TextTable.Column]
  private var rows: [[String]] = []

  /// - Parameters:
  ///   - fields: the fields to show; `nil` for all that any document has.
  ///   - hasPath: whether documents are named by their paths rather than their ids.
  init(
    _ documents: [DocumentMessage], fields: FieldList?, hasPath: Bool
  ) {
    let contents = documents.map(\.fields)
    let paths = fields?.paths ?? DocumentTable.paths(in: contents)
    columns = [TextTable.Column(hasPath ? "path" : "id")]
    for path in paths {
      let isNumeric = contents.allSatisfy { $0[path]?.isNumberOrNull ?? true }
      columns.append(TextTable.Column(path.description, isNumeric ? .right : .left))
    }
    for (document, data) in zip(documents, contents) {
      let path = document.name.path
      let name = hasPath ? path.description : document.id
      rows.append([name] + paths.map { path in data[path].map(DocumentTable.text) ?? "" })
    }
  }

  /// Returns all names of fields, sorted by their bytes.
  private static func paths(in contents: [MapValue]) -> [FieldPath] {
    var names = MapValue()
    for data in contents {
      for field in data { names[field.name] = .null }
    }
    return names.map { FieldPath(unchecked: [$0.name]) }
  }

  /// Returns a value's text. A string has no quotes: a cell is read, not typed again.
  private static func text(of value: Value) -> String {
    if case .string(let text) = value { return text }
    return ValueText.text(of: value, in: NameScope(.default, collection: nil))
  }

  /// Returns the table. If `width` is too small for all columns, a last line gives the number of
  /// columns left out.
  func text(width: Int?, style: TextStyle) -> String {
    let room = width.map { ($0 + 2) / (DocumentTable.narrowestColumn + 2) } ?? columns.count
    let shown = min(columns.count, max(room, 2))
    var table = TextTable(Array(columns.prefix(shown)))
    for row in rows { table.append(Array(row.prefix(shown))) }
    let text = table.text(width: width, style: style)
    guard shown < columns.count else { return text }
    let hidden = columns.count - shown
    let note = "\(hidden) more \(hidden == 1 ? "field" : "fields"): choose by --fields, or --json"
    return text + style.faint(note) + "\n"
  }
}

extension Value {
  fileprivate var isNumberOrNull: Bool {
    switch self {
    case .null, .integer, .double: true
    default: false
    }
  }
}
