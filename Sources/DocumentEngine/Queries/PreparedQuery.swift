import DocumentModel
import QueryPlanning

/// The common parts of all queries of one shape: their plan without its values, and the parts of
/// their scans' keys that depend on no value.
final class PreparedQuery: Sendable {
  /// One of the plan's scans.
  struct Scan: Sendable {
    let layout: ScanLayout
    /// The common prefix of the index's keys; `nil` if it depends on the query's collection.
    let indexPrefix: [UInt8]?
  }

  let plan: PreparedPlan
  /// The scans of the plan's only branch.
  let scans: [Scan]
  /// The number of the collection, for queries of a collection at the root.
  let collectionNumber: UInt64?
  /// The counters of the indexes that serve the queries.
  let counters: [IndexCounter]

  /// Returns `nil` if queries of the shape have too little in common.
  ///
  /// - Parameters:
  ///   - query: any query of the shape.
  ///   - fields: the summed fields, sorted.
  ///   - plan: the plan of `query` with the indexes of the view.
  init?(
    _ query: StructuredQuery, aggregating fields: [FieldPath], _ plan: Plan, in view: ReadView
  ) throws {
    guard
      let prepared = PreparedPlan(query, aggregating: fields, plan: plan, in: view.databaseID)
    else { return nil }
    self.plan = prepared
    var number: UInt64?
    var isFixed = query.allDescendants
    if case .collection(let path) = plan.source, query.parent.isRoot {
      number = try view.collectionNumber(of: path)
      // A collection gets its number with its first document, and for good.
      guard number != nil else { return nil }
      isFixed = true
    }
    collectionNumber = number
    counters = view.usage.counters(of: plan)
    scans = plan.branches[0].scans.map { scan in
      let layout = ScanLayout(scan, suffix: plan.branches[0].suffix)
      return Scan(
        layout: layout,
        indexPrefix: isFixed ? layout.indexPrefix(collectionNumber: number) : nil)
    }
  }
}

/// A query with its plan, ready to run. It is a class, since all parts of an execution share it.
final class PlannedQuery: Sendable {
  private enum Form {
    case asked(StructuredQuery, in: DatabaseID)
    case normalized(NormalizedQuery)
  }

  let plan: Plan
  /// The prepared query that the plan comes from, if the query's shape was known.
  let prepared: PreparedQuery?
  let projection: [FieldPath]?
  /// The summed fields, sorted.
  let aggregatedFields: [FieldPath]
  private let form: Form

  init(_ query: NormalizedQuery, _ plan: Plan) {
    self.plan = plan
    prepared = nil
    projection = query.projection
    aggregatedFields = query.aggregatedFields
    form = .normalized(query)
  }

  init(
    _ query: StructuredQuery, aggregating fields: [FieldPath], _ plan: Plan,
    _ prepared: PreparedQuery
  ) {
    self.plan = plan
    self.prepared = prepared
    projection = query.projection
    aggregatedFields = fields
    form = .asked(query, in: prepared.plan.database)
  }

  /// Makes the matcher that decides on documents if entries hold too little. It is seldom needed,
  /// so it is made on demand.
  func matcher() throws(DatabaseError) -> QueryMatcher {
    switch form {
    case .asked(let query, in: let database):
      QueryMatcher(try NormalizedQuery(query, aggregating: aggregatedFields, in: database))
    case .normalized(let query): QueryMatcher(query)
    }
  }
}

extension ReadView {
  /// Returns the query with its plan: one that is kept for queries of its shape, or a new one.
  ///
  /// - Parameter fields: the summed fields, sorted.
  /// - Throws: `invalidArgument`, or `failedPrecondition` with the missing index (§6.1).
  func planned(
    _ query: StructuredQuery, aggregating fields: [FieldPath] = []
  ) throws -> PlannedQuery {
    guard caches.settings.cachesPlans, let hash = query.shapeHash(aggregating: fields) else {
      return try planned(NormalizedQuery(query, aggregating: fields, in: databaseID))
    }
    let prepared = catalog.plans.query(hash)
    if let prepared, let plan = prepared.plan.plan(query, aggregating: fields) {
      return PlannedQuery(query, aggregating: fields, plan, prepared)
    }
    let planned = try planned(NormalizedQuery(query, aggregating: fields, in: databaseID))
    if prepared == nil,
      let new = try PreparedQuery(query, aggregating: fields, planned.plan, in: self)
    {
      catalog.plans.insert(new)
    }
    return planned
  }

  func planned(_ query: NormalizedQuery) throws(DatabaseError) -> PlannedQuery {
    PlannedQuery(query, try Planner.plan(query, indexes: catalog.indexes))
  }
}
