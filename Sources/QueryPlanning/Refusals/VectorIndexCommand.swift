import HearthDocumentModel

/// The command in production's errors that creates a vector index (§6.1).
struct VectorIndexCommand: CustomStringConvertible {
  let description: String

  init(to index: IndexDefinition, in database: DatabaseID) {
    var parts = [
      "gcloud firestore indexes composite create", "--project=\(database.project)",
      "--collection-group=\(index.collectionGroup)", "--query-scope=\(index.scope.rawValue)",
    ]
    for column in index.columns.dropLast() {
      let mode =
        switch column.mode {
        case .ascending, .descending: "order=\(column.mode.rawValue)"
        case .contains: "array-config=\(column.mode.rawValue)"
        }
      parts.append("--field-config=\(mode),field-path=\(column.field)")
    }
    if let vector = index.vector {
      parts.append(
        "--field-config=vector-config='{\"dimension\":\"\(vector.dimension)\",\"flat\": \"{}\"}',"
          + "field-path=\(vector.field)")
    }
    if !database.database.utf8Equal("(default)") {
      parts.insert("--database=\(database.database)", at: 2)
    }
    description = parts.joined(separator: " ")
  }
}
