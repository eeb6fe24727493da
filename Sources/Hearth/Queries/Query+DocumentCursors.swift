public import HearthDocumentModel
import HearthQueryPlanning

// Cursors at documents, as Firebase's SDKs build them from values (§4.6). They write out the
// query's implicit orders, so filters and orders must be set before them.
extension QueryBuilding {
  /// Starts the query at a document of an earlier result.
  ///
  /// - Throws: `invalidArgument` for a document that doesn't exist, or lacks a field that the query
  ///   is sorted by. The other cursors at documents throw the same.
  public func start(atDocument document: DocumentSnapshot) throws(DatabaseError) -> Query {
    try with(start: position(of: document, isBefore: true))
  }

  /// Starts the query after a document of an earlier result, for the next page. Documents with
  /// equal sort values are told apart by their names.
  public func start(afterDocument document: DocumentSnapshot) throws(DatabaseError) -> Query {
    try with(start: position(of: document, isBefore: false))
  }

  /// Ends the query at a document of an earlier result, which is included.
  public func end(atDocument document: DocumentSnapshot) throws(DatabaseError) -> Query {
    try with(end: position(of: document, isBefore: false))
  }

  /// Ends the query before a document of an earlier result.
  public func end(beforeDocument document: DocumentSnapshot) throws(DatabaseError) -> Query {
    try with(end: position(of: document, isBefore: true))
  }

  private func with(start: DocumentPosition) -> Query {
    query.ordered(by: start.orders).with(start: start.cursor)
  }

  private func with(end: DocumentPosition) -> Query {
    query.ordered(by: end.orders).with(end: end.cursor)
  }

  private func position(
    of document: DocumentSnapshot, isBefore: Bool
  ) throws(DatabaseError) -> DocumentPosition {
    let orders = try NormalizedQuery(query.namingDocuments(), in: query.database.id()).orders
    var values: [Value] = []
    for order in orders {
      guard let value = try document.sortValue(of: order.field) else {
        throw DatabaseError(
          .invalidArgument,
          "The document \"\(document.reference.path)\" can't be a cursor: it has no field "
            + "\(order.field).")
      }
      values.append(value)
    }
    return DocumentPosition(orders: orders, cursor: Cursor(values, isBefore: isBefore))
  }
}

/// Cursor at a document, with the orders that it depends on.
private struct DocumentPosition {
  let orders: [Order]
  let cursor: Cursor
}

extension DocumentSnapshot {
  fileprivate func sortValue(of field: FieldPath) throws(DatabaseError) -> Value? {
    guard exists, field.isDocumentID else { return try value(field) }
    return .reference(try reference.name())
  }
}

extension Query {
  fileprivate func ordered(by orders: [Order]) -> Query {
    var query = self
    query.structuredQuery.orders = orders
    return query
  }
}
