import HearthDocumentModel

// The checks of §4.8 that don't depend on the indexes, with production's texts (§6.1).
extension StructuredQuery {
  private static let inequalityFieldLimit = 10
  /// The largest number of filters, sort orders and ancestor together (§1.2).
  private static let componentLimit = 100

  /// Checks the query, and returns the filter's alternatives.
  ///
  /// - Throws: `invalidArgument` for a query that can never run.
  func validated(
    _ conditions: [Filter], inequalityFields: [FieldPath],
    aggregating aggregatedFields: [FieldPath], in database: DatabaseID
  ) throws(DatabaseError) -> DisjunctiveForm {
    try validateSource(in: database)
    guard !(filter?.isNestedTooDeep ?? false) else {
      throw .invalidArgument("Filters lie inside each other deeper than \(Filter.depthLimit).")
    }
    try validateOperands(conditions, in: database)
    try filter?.validateCombinations(conditions)
    if collectionID.isEmpty { try validateKindless(conditions, aggregatedFields) }
    let form = DisjunctiveForm(filter)
    try validateCounts(form, inequalityFields)
    try validateNameEquality(conditions, inequalityFields)
    try validateOrders()
    try validateWindow(in: database)
    try validateNearest()
    return form
  }

  private func validateSource(in database: DatabaseID) throws(DatabaseError) {
    guard parent.isRoot || parent.isDocument else {
      let name = "\(database)/documents/\(parent)"
      throw .invalidArgument(
        "Document parent name \"\(name)\" lacks \"/\" at index \(name.utf8.count).")
    }
    if collectionID.isEmpty { return }
    guard collectionID.utf8.count <= Limits.idByteCount else {
      throw .invalidArgument("The query kind is longer than \(Limits.idByteCount) bytes.")
    }
    _ = try ResourcePath.validated(collectionID, isCollection: true)
  }

  private func validateOperands(
    _ conditions: [Filter], in database: DatabaseID
  ) throws(DatabaseError) {
    for condition in conditions {
      try condition.validateList()
      try condition.validateNesting()
    }
    for condition in conditions where condition.isOnName {
      try condition.validateName(in: database)
    }
    try start?.validateNesting()
    try end?.validateNesting()
  }

  /// Checks a query over every collection. Only names find the documents of all collections; an
  /// index of a field belongs to one collection id.
  private func validateKindless(
    _ conditions: [Filter], _ aggregatedFields: [FieldPath]
  ) throws(DatabaseError) {
    if let field = conditions.compactMap(\.field).first(where: { !$0.isDocumentID }) {
      throw .invalidArgument("kind is required for filter: \(field)")
    }
    guard orders.allSatisfy({ $0 == Order(.documentID, .ascending) }), aggregatedFields.isEmpty,
      nearest == nil
    else {
      throw .invalidArgument("kind is required for all orders except __key__ ascending")
    }
  }

  private func validateCounts(
    _ form: DisjunctiveForm, _ inequalityFields: [FieldPath]
  ) throws(DatabaseError) {
    guard form.count <= DisjunctiveForm.limit else {
      throw .invalidArgument(
        "Too many disjunctions after normalization. Result had \(form.count) disjunctions which "
          + "is more than the maximum of \(DisjunctiveForm.limit)")
    }
    for disjunct in form.disjuncts where disjunct.count(where: \.isArrayContains) > 1 {
      throw .invalidArgument(
        "A maximum of 1 'ARRAY_CONTAINS' filter is allowed per disjunction.")
    }
    let limit = StructuredQuery.inequalityFieldLimit
    guard inequalityFields.count <= limit else {
      let fields = HashOrder.sorted(
        (filter?.conditions ?? []).filter(\.isInequality).compactMap(\.field))
      throw .invalidArgument(
        "The query contains \(inequalityFields.count) distinct inequality fields: "
          + "[\(fields.map(\.description).joined(separator: ", "))]. "
          + "A query may not have more than \(limit) distinct inequality fields.")
    }
    // Filters are counted in every alternative (§1.2).
    let filterCount = form.conditionCount
    let components = filterCount + orders.count + (parent.isRoot ? 0 : 1)
    guard components <= StructuredQuery.componentLimit else {
      throw .invalidArgument(
        "The query may not have more than \(StructuredQuery.componentLimit) filters + sort orders "
          + "+ ancestor total. Currently there are \(filterCount) filters, \(orders.count) "
          + "sort orders, and \(parent.isRoot ? "no" : "one") ancestor filter.")
    }
  }

  private func validateNameEquality(
    _ conditions: [Filter], _ inequalityFields: [FieldPath]
  ) throws(DatabaseError) {
    let hasNameEquality = conditions.contains { $0.isOnName && !$0.isInequality }
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

  private func validateNearest() throws(DatabaseError) {
    guard let nearest else { return }
    guard limit == nil else {
      throw .invalidArgument("A query limit cannot be used with FindNearest")
    }
    guard offset == 0 else {
      throw .invalidArgument("A query offset cannot be used with FindNearest")
    }
    guard start == nil, end == nil else {
      throw .invalidArgument("A cursor cannot be used with FindNearest")
    }
    try nearest.validate()
  }

  /// Checks the cursors but for the nesting of their values, the limit and the offset.
  func validateWindow(in database: DatabaseID) throws(DatabaseError) {
    if let start { try validate(start, in: database) }
    if let end { try validate(end, in: database) }
    if let limit, limit < 0 { throw .invalidArgument("limit is negative") }
    guard offset >= 0 else { throw .invalidArgument("offset is negative") }
  }

  /// Checks a cursor, which has values for explicit orders only (§4.6).
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

extension Filter {
  /// Checks for filters that exclude each other anywhere in a query (§4.8).
  fileprivate func validateCombinations(_ conditions: [Filter]) throws(DatabaseError) {
    guard conditions.count(where: \.isNegation) <= 1 else {
      throw .invalidArgument(
        "Only a single 'NOT_EQUAL', 'NOT_IN', 'IS_NOT_NAN', or 'IS_NOT_NULL' filter allowed per "
          + "query.")
    }
    let comparisons = conditions.compactMap { condition in
      if case .field(_, let comparison, _) = condition { comparison } else { nil }
    }
    if comparisons.contains(.notIn),
      comparisons.contains(.in) || comparisons.contains(.arrayContainsAny) || containsOr
    {
      throw .invalidArgument(
        "'NOT_IN' cannot be used in the same query with 'IN', 'ARRAY_CONTAINS_ANY' or 'OR'.")
    }
    guard !containsEmptyOr else {
      throw .invalidArgument("Composite filter must have at least one sub-filter.")
    }
  }

  private var containsOr: Bool {
    switch self {
    case .field, .unary: false
    case .and(let filters): filters.contains(where: \.containsOr)
    case .or: true
    }
  }

  private var containsEmptyOr: Bool {
    switch self {
    case .field, .unary: false
    case .and(let filters): filters.contains(where: \.containsEmptyOr)
    case .or(let filters): filters.isEmpty || filters.contains(where: \.containsEmptyOr)
    }
  }
}

// Checks of a condition.
extension Filter {
  fileprivate var isArrayContains: Bool {
    if case .field(_, .arrayContains, _) = self { true } else { false }
  }

  /// Checks the operand of a comparison with a list of values.
  fileprivate func validateList() throws(DatabaseError) {
    guard case .field(_, let comparison, let value) = self, comparison.takesList else { return }
    let name = "'\(comparison.protocolName)'"
    guard case .array(let values) = value else {
      throw .invalidArgument("\(name) requires an ArrayValue.")
    }
    guard !values.isEmpty else {
      throw .invalidArgument("\(name) requires an non-empty ArrayValue.")
    }
    let limit = comparison == .notIn ? 10 : 30
    guard values.count <= limit else {
      throw .invalidArgument("\(name) supports up to \(limit) comparison values.")
    }
  }

  func validateNesting() throws(DatabaseError) {
    // A list of alternatives may itself hold arrays.
    guard case .field(let field, _, let value) = self, value.isNestedTooDeep else { return }
    throw .invalidArgument("Property \(field) contains an invalid nested entity.")
  }

  /// Checks a condition on `__name__`, which compares with references of the own database only.
  func validateName(in database: DatabaseID) throws(DatabaseError) {
    guard case .field(_, let comparison, let value) = self else {
      throw .invalidArgument("__key__ filter value must be a Key")
    }
    if comparison == .arrayContains || comparison == .arrayContainsAny {
      throw .invalidArgument("the name __key__ is reserved")
    }
    var values = [value]
    if comparison.takesList, case .array(let elements) = value { values = elements }
    for value in values {
      guard case .reference(let name) = value else {
        throw .invalidArgument("__key__ filter value must be a Key")
      }
      guard name.database == database else {
        throw .invalidArgument(
          "The request was for database '\(database)' but was attempting to access database "
            + "'\(name.database)'")
      }
    }
  }
}

extension Cursor {
  func validateNesting() throws(DatabaseError) {
    guard values.contains(where: \.isNestedTooDeep) else { return }
    throw .invalidArgument("A cursor's value contains an invalid nested entity.")
  }
}

extension Filter.Comparison {
  /// The operator's name in Firestore's protocol.
  package var protocolName: String {
    switch self {
    case .lessThan: "LESS_THAN"
    case .lessThanOrEqual: "LESS_THAN_OR_EQUAL"
    case .equal: "EQUAL"
    case .notEqual: "NOT_EQUAL"
    case .greaterThanOrEqual: "GREATER_THAN_OR_EQUAL"
    case .greaterThan: "GREATER_THAN"
    case .arrayContains: "ARRAY_CONTAINS"
    case .arrayContainsAny: "ARRAY_CONTAINS_ANY"
    case .in: "IN"
    case .notIn: "NOT_IN"
    }
  }
}

extension DatabaseError {
  static var ordersBehindKey: DatabaseError {
    .invalidArgument("order by clause cannot contain more fields after the key")
  }
}
