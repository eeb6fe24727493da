package import HearthDocumentModel
package import HearthQueryPlanning

/// A generator of small queries and the documents for them, with so few fields and values that
/// results are seldom empty.
package struct QueryGenerator: Sendable {
  package let database: DatabaseID

  package init(in database: DatabaseID = .default) {
    self.database = database
  }

  /// The collection id of most queries and documents; it occurs at several depths.
  package static let collectionID = "c"

  /// Collections of the documents, including some that a group query on `c` must not see.
  package static let collections = ["c", "p/x/c", "p/y/c", "c/d1/c", "c/d1/sub", "e"]

  static let fieldNames = ["a", "b", "c", "d"]
  static let paths =
    fieldNames.map { FieldPath(unchecked: [$0]) } + [
      FieldPath(unchecked: ["m", "x"])
    ]
  static let tags = FieldPath(unchecked: ["tags"])
  static let embedding = FieldPath(unchecked: ["v"])

  /// Returns a valid query of any kind but for the nearest vectors.
  package func query(using random: inout some RandomNumberGenerator) -> StructuredQuery {
    valid { random.oneIn(30) ? kindless(using: &random) : attempt(using: &random) }
  }

  /// Returns the first valid query that `make` returns.
  func valid(_ make: () -> StructuredQuery) -> StructuredQuery {
    while true {
      let query = make()
      if (try? NormalizedQuery(query, in: database)) != nil { return query }
    }
  }

  private func attempt(using random: inout some RandomNumberGenerator) -> StructuredQuery {
    var query = source(using: &random)
    query.filter = filter(using: &random)
    query.orders = orders(using: &random)
    addWindow(to: &query, using: &random)
    // The rewriting of `limitToLast` is a query in its own right.
    if random.oneIn(8), let last = try? query.limitedToLast(2) { query = last.query }
    return query
  }

  /// Returns a query for all documents in a place, with any projection.
  func source(using random: inout some RandomNumberGenerator) -> StructuredQuery {
    var query = StructuredQuery(collectionID: random.oneIn(20) ? "e" : QueryGenerator.collectionID)
    query.allDescendants = random.oneIn(3)
    if random.oneIn(4) { query.parent = parent(using: &random) }
    if random.oneIn(6) {
      let fields = (QueryGenerator.paths + [.documentID, FieldPath(unchecked: ["m"])])
        .shuffled(using: &random)
      query.projection = Array(fields.prefix(Int.random(in: 0...3, using: &random)))
    }
    return query
  }

  private func parent(using random: inout some RandomNumberGenerator) -> ResourcePath {
    let parents = [["p", "x"], ["p", "x"], ["c", "d1"], ["c", "d1"], ["p", "none"]]
    return ResourcePath(unchecked: random.pick(parents))
  }

  /// Returns a query over the collections of all ids.
  private func kindless(using random: inout some RandomNumberGenerator) -> StructuredQuery {
    var query = StructuredQuery(collectionID: "", allDescendants: random.oneIn(2))
    if random.oneIn(2) { query.parent = parent(using: &random) }
    if random.oneIn(2) { query.filter = nameCondition(using: &random) }
    if random.oneIn(2) { query.orders = [Order(.documentID)] }
    addWindow(to: &query, using: &random)
    return query
  }

  func addWindow(
    to query: inout StructuredQuery, using random: inout some RandomNumberGenerator
  ) {
    // A cursor at a document writes out the implicit orders of the query (§4.6).
    if random.oneIn(8), let normalized = try? NormalizedQuery(query, in: database) {
      query.orders = normalized.orders
    }
    query.start = random.oneIn(5) ? cursor(of: query, using: &random) : nil
    query.end = random.oneIn(6) ? cursor(of: query, using: &random) : nil
    if random.oneIn(3) {
      query.limit = random.oneIn(15) ? 0 : Int.random(in: 1...6, using: &random)
    }
    if random.oneIn(6) { query.offset = Int.random(in: 0...3, using: &random) }
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
    // Some cursors end before the last order, and few before the first.
    let count = query.orders.count
    let isPartial = random.oneIn(2)
    let orders = query.orders.prefix(isPartial ? Int.random(in: 0...count, using: &random) : count)
    let values = orders.map { order in
      order.field.isDocumentID ? name(using: &random) : value(using: &random)
    }
    return Cursor(values, isBefore: random.oneIn(2))
  }

  // MARK: Values

  /// Returns a value that many documents have.
  func common(using random: inout some RandomNumberGenerator) -> Value {
    random.oneIn(8)
      ? random.pick(QueryGenerator.longValues.prefix(2))
      : random.pick([.integer(1), .integer(1), .double(1), .integer(2)])
  }

  /// Returns one of a few values of all kinds.
  func value(using random: inout some RandomNumberGenerator) -> Value {
    random.pick(QueryGenerator.values)
  }

  private static let values: [Value] =
    [
      .null, .boolean(true), .double(.nan), .double(-0.0), .integer(0), .integer(1), .double(1),
      .double(1.5), .integer(2), .integer(3), .string("x"), .string(""), .array([.integer(1)]),
      .map(["x": 1]), .map([:]), .bytes([0, 255]), .timestamp(.minimum), .vector([1, 2]),
      .vector([1, 2, 3]), .reference(DocumentName(unchecked: path("c/d1"), in: .default)),
    ] + extremeNumbers + longValues

  /// Numbers that doubles can't tell apart, and numbers whose sums overflow.
  private static let extremeNumbers: [Value] = [
    .integer(.max), .integer(.min), .integer(1 << 53 + 1), .double(0x1p53), .double(.infinity),
    .double(-.infinity), .double(.greatestFiniteMagnitude), .double(.leastNonzeroMagnitude),
  ]

  private static func path(_ text: String) -> ResourcePath {
    ResourcePath(unchecked: text.split(separator: "/").map(String.init))
  }

  /// Strings that an index cuts, except the last; all agree up to there (§3.6).
  private static let longValues = ["a", "b", ""].map { end in
    Value.string(String(repeating: "x", count: Limits.indexedValueByteCount) + end)
  }

  /// Returns a reference into, below and beside the collections.
  func name(using random: inout some RandomNumberGenerator) -> Value {
    var segments = QueryGenerator.path(random.pick(QueryGenerator.collections)).segments
    segments.append(random.oneIn(12) ? "__id7__" : random.pick(QueryGenerator.ids.dropLast(3)))
    if random.oneIn(5) { segments += ["sub", "x"] }
    return .reference(DocumentName(unchecked: ResourcePath(unchecked: segments), in: database))
  }
}
