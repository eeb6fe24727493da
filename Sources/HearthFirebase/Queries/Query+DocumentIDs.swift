import Hearth

// Queries compare documents' ids with texts, which Hearth converts to references when the query
// runs. Firebase refuses a value that is neither with a text of its own.

extension Hearth.Filter {
  /// Checks the values that documents' ids are compared with.
  ///
  /// - Throws: `invalidArgument` if one of them isn't an id or a reference.
  func checkDocumentIDs() throws(DatabaseError) {
    switch self {
    case .field(let path, _, .array(let elements)) where path.isDocumentID:
      for element in elements { try element.checkDocumentID() }
    case .field(let path, _, let value) where path.isDocumentID: try value.checkDocumentID()
    case .and(let parts), .or(let parts):
      for part in parts { try part.checkDocumentIDs() }
    case .field, .unary: break
    }
  }
}

extension Value {
  fileprivate func checkDocumentID() throws(DatabaseError) {
    switch self {
    case .reference, .string: break
    default:
      throw .invalidArgument(
        "Invalid query. When querying by document ID you must provide a valid string or "
          + "DocumentReference, but it was of type: \(typeClass)")
    }
  }
}

extension Hearth.Query {
  /// Returns the values of a cursor of this query.
  ///
  /// - Throws: `invalidArgument` for an element that isn't a value, or that isn't an id in the
  ///   place of a document's id.
  func cursorValues(_ values: [Any]) throws(DatabaseError) -> [Value] {
    let orders = structuredQuery.orders
    var cursor: [Value] = []
    for (index, any) in values.enumerated() {
      let value = try AnyReader.argument(any)
      if orders.indices.contains(index), orders[index].field.isDocumentID {
        try value.checkDocumentID()
      }
      cursor.append(value)
    }
    return cursor
  }
}
