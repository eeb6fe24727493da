import Hearth
import HearthFirestoreJSON

/// The columns of documents: the id or path, and the fields that the first documents have.
struct DocumentColumns {
  /// Number of documents that decide which columns there are, and how wide.
  static let sampleCount = 200

  let columns: [TextTable.Column]
  private let paths: [FieldPath]
  /// The columns' fields; `nil` if the user chose them.
  private let names: MapValue?
  private let hasPath: Bool
  /// Whether a field `id` has no column, since all of the documents have their ids in it.
  private let omitsID: Bool

  /// - Parameters:
  ///   - fields: the fields to show; `nil` for all that any of the documents has.
  ///   - hasPath: whether documents are named by their paths rather than their ids.
  init(of documents: [DocumentMessage], fields: FieldList?, hasPath: Bool) {
    let names = DocumentColumns.names(in: documents)
    let omitsID = fields == nil && !hasPath && documents.allSatisfy(\.hasIDInField)
    let paths =
      fields?.paths
      ?? names.compactMap { omitsID && $0.name == "id" ? nil : FieldPath(unchecked: [$0.name]) }
    self.omitsID = omitsID
    self.paths = paths
    self.hasPath = hasPath
    self.names = fields == nil ? names : nil
    columns =
      [TextTable.Column(hasPath ? "path" : "id")]
      + paths.map { path in
        let isNumeric = documents.allSatisfy { $0.fields[path]?.isNumberOrNull ?? true }
        return TextTable.Column(path.description, isNumeric ? .right : .left)
      }
  }

  /// Returns all names of fields, sorted by their bytes.
  private static func names(in documents: [DocumentMessage]) -> MapValue {
    var names = MapValue()
    for document in documents {
      for field in document.fields { names[field.name] = .null }
    }
    return names
  }

  /// Returns a document's cells. Missing fields are empty.
  func cells(of document: DocumentMessage, _ text: (Value) -> String) -> [String] {
    let name = hasPath ? document.name.path.description : document.id
    return [name] + paths.map { document.fields[$0].map(text) ?? "" }
  }

  /// Returns a field of a document that has no column, though the user left out none.
  func missing(of document: DocumentMessage) -> String? {
    guard let names else { return nil }
    if omitsID, !document.hasIDInField { return "id" }
    return document.fields.first { names[$0.name] == nil }?.name
  }
}

extension DocumentMessage {
  /// Whether a field `id` holds the document's id, or there is no such field.
  var hasIDInField: Bool {
    switch fields["id"] {
    case nil: true
    case .string(let text)?: text.utf8Equal(id)
    case .integer(let number)?: "\(number)" == id
    default: false
    }
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
