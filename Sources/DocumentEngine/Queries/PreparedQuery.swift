import HearthDocumentModel
import HearthQueryPlanning

/// The common parts of all queries of one shape: the template of their plan, and the parts of their
/// scans' keys that depend on no value.
final class PreparedQuery: Sendable {
  /// The parts of one scan's keys.
  struct KeyParts: Sendable {
    let layout: ScanLayout
    /// The common prefix of the index's keys; `nil` if it depends on the query's collection.
    let indexPrefix: [UInt8]?
  }

  let shape: QueryShape
  let template: PlanTemplate
  /// The scans of the plan's branches, which differ only in the windows that cursors leave.
  let scans: [KeyParts]
  /// The number of the collection, for queries of a collection at the root.
  let collectionNumber: UInt64?
  /// The counters of the indexes that serve the queries.
  let counters: [IndexCounter]

  /// Returns `nil` if queries of the shape have too little in common.
  ///
  /// - Parameters:
  ///   - query: any query of the shape.
  ///   - normalForm: the normal form of `query`.
  ///   - template: the template of its plan with the indexes of the view.
  ///   - plan: the plan of `query`.
  init?(
    _ query: StructuredQuery, _ normalForm: NormalizedQuery, _ template: PlanTemplate,
    _ plan: Plan, in view: ReadView
  ) throws {
    // A plan with a limit of 0 has no branch.
    guard let shape = QueryShape(query, normalForm), let branch = plan.branches.first else {
      return nil
    }
    self.shape = shape
    self.template = template
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
    scans = branch.scans.map { scan in
      let layout = ScanLayout(scan, suffix: branch.suffix)
      return KeyParts(
        layout: layout,
        indexPrefix: isFixed ? layout.indexPrefix(collectionNumber: number) : nil)
    }
  }
}

extension Catalog {
  /// Returns the query that was prepared for a shape with this hash; `nil` if there is none.
  func preparedQuery(_ hash: UInt64) -> PreparedQuery? { plans.plan(hash) as? PreparedQuery }
}

/// A query with its plan, ready to run. It is a class, since all parts of an execution share it.
final class PlannedQuery: Sendable {
  /// The matcher that decides on documents if entries hold too little.
  let matcher: QueryMatcher
  let plan: Plan
  /// The prepared query that the plan comes from, if the query's shape was known.
  let prepared: PreparedQuery?

  init(_ query: NormalizedQuery, _ plan: Plan, _ prepared: PreparedQuery? = nil) {
    matcher = QueryMatcher(query)
    self.plan = plan
    self.prepared = prepared
  }

  var projection: [FieldPath]? { matcher.query.projection }

  /// Whether `request` is the query, with the same values.
  func isFor(_ request: StructuredQuery) -> Bool { matcher.query.isFor(request) }

  /// The approximate memory that the query's values take.
  var valueByteCount: Int { matcher.query.valueByteCount }

  /// The summed fields, sorted.
  var aggregatedFields: [FieldPath] { matcher.query.aggregatedFields }
}

extension ReadView {
  /// Returns the query with its plan: one that is kept for queries of its shape, or a new one.
  ///
  /// - Parameters:
  ///   - fields: the summed fields, sorted.
  ///   - shape: the hash of the query's shape, if it is known.
  /// - Throws: `invalidArgument`, or `failedPrecondition` with the missing index (§6.1).
  func planned(
    _ query: consuming StructuredQuery, aggregating fields: [FieldPath] = [],
    ofShape shape: UInt64? = nil
  ) throws -> PlannedQuery {
    guard caches.settings.cachesPlans,
      let hash = shape ?? query.shapeHash(aggregating: fields)
    else {
      return try planned(NormalizedQuery(query, aggregating: fields, in: databaseID))
    }
    let prepared = catalog.preparedQuery(hash)
    if let prepared, let conditions = prepared.shape.conditions(of: query, aggregating: fields) {
      let normalForm = prepared.shape.normalForm(of: query, conditions)
      return PlannedQuery(normalForm, prepared.template.bind(normalForm), prepared)
    }
    let normalForm = try NormalizedQuery(copy query, aggregating: fields, in: databaseID)
    let template = try Planner.template(for: normalForm, indexes: catalog.indexes)
    let plan = template.bind(normalForm)
    if prepared == nil,
      let new = try PreparedQuery(query, normalForm, template, plan, in: self)
    {
      catalog.plans.insert(new, new.shape.hash)
    }
    return PlannedQuery(normalForm, plan)
  }

  func planned(_ query: NormalizedQuery) throws(DatabaseError) -> PlannedQuery {
    PlannedQuery(query, try Planner.plan(query, indexes: catalog.indexes))
  }
}
