import FirestoreJSON
import Hearth

/// Documents as a table: the id and a column for each field.
struct DocumentTable {
  /// A column that is narrower shows too little: rather there are fewer of them.
  private static let narrowestColumn = 10

  private var columns: [TextTable.Column]
  private var rows: [[String]] = []

  /// - Parameters:
  ///   - fields: the fields to show; `nil` for all that any document has.
  ///   - hasPath: whether documents are told by their paths rather than their ids.
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

  /// All names of fields, sorted by their bytes.
  private static func paths(in contents: [MapValue]) -> [FieldPath] {
    var names = MapValue()
    for data in contents {
      for field in data { names[field.name] = .null }
    }
    return names.map { FieldPath(unchecked: [$0.name]) }
  }

  /// Text without its quotes: a cell is read, not typed again.
  private static func text(of value: Value) -> String {
    if case .string(let text) = value { return text }
    return ValueText.text(of: value, in: NameScope(.default, collection: nil))
  }

  /// The table; where not all columns have room in `width`, a line below says how many are left
  /// out.
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
