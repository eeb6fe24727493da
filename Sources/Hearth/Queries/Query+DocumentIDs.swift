import HearthDocumentModel
import HearthQueryPlanning

// A filter or cursor on a document's name may give the document's id, which becomes a reference.
// The error texts are those of Firebase's SDKs.
extension Query {
  /// Returns the query with ids replaced by references.
  ///
  /// - Throws: `invalidArgument` for a text that isn't an id.
  func namingDocuments() throws(DatabaseError) -> StructuredQuery {
    namesDocuments ? try named() : structuredQuery
  }

  /// Whether some ids are to be replaced.
  var namesDocuments: Bool { readsIDs && comparesNames }

  private func named() throws(DatabaseError) -> StructuredQuery {
    var query = structuredQuery
    if let filter = query.filter { query.filter = try naming(filter) }
    for (index, order) in query.orders.enumerated() where order.field.isDocumentID {
      if let start = query.start { query.start = try naming(start, at: index) }
      if let end = query.end { query.end = try naming(end, at: index) }
    }
    return query
  }

  /// Whether a filter or cursor may compare with a document's name.
  private var comparesNames: Bool {
    if structuredQuery.filter?.comparesNames ?? false { return true }
    guard structuredQuery.start != nil || structuredQuery.end != nil else { return false }
    return structuredQuery.orders.contains { $0.field.isDocumentID }
  }

  private func naming(_ filter: Filter) throws(DatabaseError) -> Filter {
    switch filter {
    case .field(let field, let comparison, let value) where field.isDocumentID:
      guard case .array(let values) = value else {
        return .field(field, comparison, try naming(value))
      }
      var names: [Value] = []
      for value in values { names.append(try naming(value)) }
      return .field(field, comparison, .array(names))
    case .and(let filters): return .and(try naming(filters))
    case .or(let filters): return .or(try naming(filters))
    case .field, .unary: return filter
    }
  }

  private func naming(_ filters: [Filter]) throws(DatabaseError) -> [Filter] {
    var named: [Filter] = []
    for filter in filters { named.append(try naming(filter)) }
    return named
  }

  private func naming(_ cursor: Cursor, at index: Int) throws(DatabaseError) -> Cursor {
    var cursor = cursor
    guard index < cursor.values.count else { return cursor }
    cursor.values[index] = try naming(cursor.values[index])
    return cursor
  }

  private func naming(_ value: Value) throws(DatabaseError) -> Value {
    guard case .string(let id) = value else { return value }
    return .reference(try DocumentName(path(of: id), in: database.id()))
  }

  private func path(of id: String) throws(DatabaseError) -> ResourcePath {
    guard !id.isEmpty else {
      throw .invalidArgument(
        "Invalid query. When querying by document ID you must provide a valid document ID, but it "
          + "was an empty string.")
    }
    guard !structuredQuery.allDescendants else {
      let path = try ResourcePath(id)
      guard path.isDocument else {
        throw .invalidArgument(
          "Invalid query. When querying a collection group by document ID, the value provided must "
            + "result in a valid document path, but '\(id)' is not because it has an odd number of "
            + "segments.")
      }
      return path
    }
    guard !id.utf8.contains(UInt8(ascii: "/")) else {
      throw .invalidArgument(
        "Invalid query. When querying a collection by document ID you must provide a plain "
          + "document ID, but '\(id)' contains a '/' character.")
    }
    return try structuredQuery.parent.appending(structuredQuery.collectionID).appending(id)
  }
}

extension Filter {
  fileprivate var comparesNames: Bool {
    switch self {
    case .field(let field, _, _), .unary(let field, _): field.isDocumentID
    case .and(let filters), .or(let filters): filters.contains { $0.comparesNames }
    }
  }
}
