package import DocumentModel
package import QueryPlanning

/// Makes small queries and the documents for them, with so few fields and values that results are
/// seldom empty.
package struct QueryGenerator: Sendable {
  package let database: DatabaseID

  package init(in database: DatabaseID = .default) {
    self.database = database
  }

  /// The collection id that most queries and documents have; it occurs at several depths.
  package static let collectionID = "c"

  /// Collections that documents lie in, those that a group query on `c` must not see included.
  package static let collections = ["c", "p/x/c", "p/y/c", "c/d1/c", "c/d1/sub", "e"]

  static let fieldNames = ["a", "b", "c", "d"]
  static let paths =
    fieldNames.map { FieldPath(unchecked: [$0]) } + [
      FieldPath(unchecked: ["m", "x"])
    ]
  static let tags = FieldPath(unchecked: ["tags"])

  /// A valid query.
  package func query(using random: inout some RandomNumberGenerator) -> StructuredQuery {
    while true {
      let query = attempt(using: &random)
      if (try? NormalizedQuery(query, in: database)) != nil { return query }
    }
  }

  private func attempt(using random: inout some RandomNumberGenerator) -> StructuredQuery {
    var query = StructuredQuery(collectionID: random.oneIn(20) ? "e" : QueryGenerator.collectionID)
    query.allDescendants = random.oneIn(3)
    if random.oneIn(4) {
      let parents = [["p", "x"], ["p", "x"], ["c", "d1"], ["c", "d1"], ["p", "none"]]
      query.parent = ResourcePath(unchecked: random.pick(parents))
    }
    query.filter = filter(using: &random)
    query.orders = orders(using: &random)
    query.start = random.oneIn(5) ? cursor(of: query, using: &random) : nil
    query.end = random.oneIn(6) ? cursor(of: query, using: &random) : nil
    if random.oneIn(3) {
      query.limit = random.oneIn(15) ? 0 : Int.random(in: 1...6, using: &random)
    }
    if random.oneIn(6) { query.offset = Int.random(in: 0...3, using: &random) }
    // The rewriting of `limitToLast`: a query in its own right.
    if random.oneIn(8), let last = try? query.limitedToLast(2) { query = last.query }
    return query
  }

  // MARK: Filters

  private func filter(using random: inout some RandomNumberGenerator) -> Filter? {
    var filters: [Filter] = []
    // Few conditions share a field: most of those exclude each other.
    var fields = QueryGenerator.paths.shuffled(using: &random)
    func nextField() -> FieldPath {
      random.oneIn(10) ? random.pick(QueryGenerator.paths) : fields.popLast() ?? QueryGenerator.tags
    }
    for _ in 0..<random.pick([0, 0, 1, 1, 1, 2, 2, 3]) {
      filters.append(equality(on: nextField(), using: &random))
    }
    for _ in 0..<random.pick([0, 0, 0, 1, 1, 2]) {
      filters.append(range(on: nextField(), using: &random))
    }
    if random.oneIn(6) {
      filters.append(.field(QueryGenerator.tags, .arrayContains, common(using: &random)))
    }
    if random.oneIn(10) {
      let comparison = random.pick(
        [Filter.Comparison.equal, .lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual])
      filters.append(.field(.documentID, comparison, name(using: &random)))
    }
    filters.shuffle(using: &random)
    guard let first = filters.first else { return random.oneIn(10) ? .and([]) : nil }
    return filters.count == 1 && random.oneIn(2)
      ? first : .and([.and(Array(filters.prefix(2)))] + filters.dropFirst(2))
  }

  private func equality(
    on field: FieldPath, using random: inout some RandomNumberGenerator
  ) -> Filter {
    if random.oneIn(15) { return .unary(field, random.pick([.isNull, .isNaN])) }
    return .field(field, .equal, random.oneIn(15) ? value(using: &random) : common(using: &random))
  }

  private func range(
    on field: FieldPath, using random: inout some RandomNumberGenerator
  ) -> Filter {
    let isLower = random.oneIn(2)
    let comparison: Filter.Comparison =
      random.oneIn(2)
      ? (isLower ? .greaterThan : .lessThan) : (isLower ? .greaterThanOrEqual : .lessThanOrEqual)
    let value: Value =
      random.oneIn(8) ? value(using: &random) : isLower ? .integer(1) : .integer(3)
    return .field(field, comparison, value)
  }

  // MARK: Orders and cursors

  private func orders(using random: inout some RandomNumberGenerator) -> [Order] {
    var fields = (QueryGenerator.paths + [QueryGenerator.tags]).shuffled(using: &random)
    fields = Array(fields.prefix(random.pick([0, 0, 0, 1, 1, 2])))
    if random.oneIn(5) { fields.append(.documentID) }
    let direction = random.pick([SortDirection.ascending, .descending])
    return fields.map { Order($0, random.oneIn(5) ? direction.reversed : direction) }
  }

  private func cursor(
    of query: StructuredQuery, using random: inout some RandomNumberGenerator
  ) -> Cursor {
    let orders = query.orders.prefix(Int.random(in: 0...query.orders.count, using: &random))
    let values = orders.map { order in
      order.field.isDocumentID ? name(using: &random) : value(using: &random)
    }
    return Cursor(values, isBefore: random.oneIn(2))
  }

  // MARK: Values

  /// A value that many documents have.
  func common(using random: inout some RandomNumberGenerator) -> Value {
    random.oneIn(8)
      ? random.pick(QueryGenerator.longValues.prefix(2))
      : random.pick([.integer(1), .integer(1), .double(1), .integer(2)])
  }

  /// One of a dozen values of all kinds.
  func value(using random: inout some RandomNumberGenerator) -> Value {
    random.pick(QueryGenerator.values)
  }

  private static let values: [Value] =
    [
      .null, .boolean(true), .double(.nan), .double(-0.0), .integer(0), .integer(1), .double(1),
      .double(1.5), .integer(2), .integer(3), .string("x"), .string(""), .array([.integer(1)]),
      .map(["x": 1]),
    ] + longValues

  /// Strings that an index cuts, all but the last; all agree up to there (§3.6).
  private static let longValues = ["a", "b", ""].map { end in
    Value.string(String(repeating: "x", count: Limits.indexedValueByteCount) + end)
  }

  /// A reference into, below and beside the collections.
  private func name(using random: inout some RandomNumberGenerator) -> Value {
    var segments = random.pick(QueryGenerator.collections).split(separator: "/").map(String.init)
    segments.append("d\(Int.random(in: 0...6, using: &random))")
    if random.oneIn(5) { segments += ["sub", "x"] }
    return .reference(DocumentName(unchecked: ResourcePath(unchecked: segments), in: database))
  }
}
