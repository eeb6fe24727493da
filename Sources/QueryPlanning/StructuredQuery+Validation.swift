import DocumentModel

// The checks of §4.8 that don't depend on the indexes, with production's texts (§6.1).
extension StructuredQuery {
  private static let inequalityFieldLimit = 10
  /// Filters, sort orders and the ancestor together (§1.2).
  private static let componentLimit = 100

  /// - Throws: `invalidArgument` for a query that can never run; `unimplemented` for one over all
  ///   collections (§4.1).
  func validate(
    _ conditions: [Condition], inequalityFields: [FieldPath], in database: DatabaseID
  ) throws(DatabaseError) {
    try validateSource(in: database)
    for condition in conditions where condition.field.isDocumentID {
      try condition.validateName(in: database)
    }
    for condition in conditions {
      if case .comparison(let field, _, let value) = condition, value.isNestedTooDeep {
        throw .invalidArgument("Property \(field) contains an invalid nested entity.")
      }
    }
    for value in (start?.values ?? []) + (end?.values ?? []) where value.isNestedTooDeep {
      throw .invalidArgument("A cursor's value contains an invalid nested entity.")
    }
    try validateCounts(conditions, inequalityFields)
    try validateNameEquality(conditions, inequalityFields)
    try validateOrders()
    for cursor in [start, end] {
      if let cursor { try validate(cursor, in: database) }
    }
    if let limit, limit < 0 { throw .invalidArgument("limit is negative") }
    guard offset >= 0 else { throw .invalidArgument("offset is negative") }
  }

  private func validateSource(in database: DatabaseID) throws(DatabaseError) {
    guard parent.isRoot || parent.isDocument else {
      let name = "\(database)/documents/\(parent)"
      throw .invalidArgument(
        "Document parent name \"\(name)\" lacks \"/\" at index \(name.utf8.count).")
    }
    guard !collectionID.isEmpty else {
      throw DatabaseError(
        .unimplemented, "Queries without a collection id are not supported.")
    }
    guard collectionID.utf8.count <= Limits.idByteCount else {
      throw .invalidArgument("The query kind is longer than \(Limits.idByteCount) bytes.")
    }
    _ = try ResourcePath.validated(collectionID, isCollection: true)
  }

  private func validateCounts(
    _ conditions: [Condition], _ inequalityFields: [FieldPath]
  ) throws(DatabaseError) {
    guard conditions.count(where: \.isArrayContains) <= 1 else {
      throw .invalidArgument(
        "A maximum of 1 'ARRAY_CONTAINS' filter is allowed per disjunction.")
    }
    let limit = StructuredQuery.inequalityFieldLimit
    guard inequalityFields.count <= limit else {
      let fields = inequalityFields.map(\.description).joined(separator: ", ")
      throw .invalidArgument(
        "The query contains \(inequalityFields.count) distinct inequality fields: [\(fields)]. "
          + "A query may not have more than \(limit) distinct inequality fields.")
    }
    let components = conditions.count + orders.count + (parent.isRoot ? 0 : 1)
    guard components <= StructuredQuery.componentLimit else {
      throw .invalidArgument(
        "The query may not have more than \(StructuredQuery.componentLimit) filters + sort orders "
          + "+ ancestor total. Currently there are \(conditions.count) filters, \(orders.count) "
          + "sort orders, and \(parent.isRoot ? "no" : "one") ancestor filter.")
    }
  }

  private func validateNameEquality(
    _ conditions: [Condition], _ inequalityFields: [FieldPath]
  ) throws(DatabaseError) {
    let hasNameEquality = conditions.contains { $0.field.isDocumentID && !$0.isInequality }
    guard !hasNameEquality || inequalityFields.isEmpty || inequalityFields.contains(.documentID)
    else {
      throw .invalidArgument(
        "Equality on key is not allowed if there are other inequality fields and key does not "
          + "appear in inequalities.")
    }
  }

  private func validateOrders() throws(DatabaseError) {
    var seen: Set<FieldPath> = []
    for order in orders {
      guard !seen.contains(.documentID) else { throw .ordersBehindKey }
      guard seen.insert(order.field).inserted else {
        throw .invalidArgument("order by clause cannot contain duplicate fields \(order.field)")
      }
    }
  }

  /// A cursor has values for explicit orders only (§4.6).
  private func validate(_ cursor: Cursor, in database: DatabaseID) throws(DatabaseError) {
    guard cursor.values.count <= orders.count else {
      throw .invalidArgument("Cursor has too many values.")
    }
    for (order, value) in zip(orders, cursor.values) where order.field.isDocumentID {
      guard case .reference(let name) = value else {
        throw .invalidArgument("Cursor __key__ value is not a document reference.")
      }
      guard name.database == database else {
        throw .invalidArgument("The cursor key is in a different database than the query")
      }
    }
  }
}

extension Condition {
  fileprivate var isArrayContains: Bool {
    if case .comparison(_, .arrayContains, _) = self { true } else { false }
  }

  /// Checks a condition on `__name__`, which compares with references of the own database only.
  fileprivate func validateName(in database: DatabaseID) throws(DatabaseError) {
    switch self {
    case .comparison(_, .arrayContains, _):
      throw .invalidArgument("the name __key__ is reserved")
    case .comparison(_, _, .reference(let name)):
      guard name.database == database else {
        throw .invalidArgument(
          "The request was for database '\(database)' but was attempting to access database "
            + "'\(name.database)'")
      }
    case .comparison, .unary:
      throw .invalidArgument("__key__ filter value must be a Key")
    }
  }
}

extension DatabaseError {
  static var ordersBehindKey: DatabaseError {
    .invalidArgument("order by clause cannot contain more fields after the key")
  }
}
