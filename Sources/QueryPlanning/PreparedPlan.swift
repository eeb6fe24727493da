package import DocumentModel

/// The plan that all queries of one shape share, with open places for their values.
///
/// The indexes that serve a query depend on its fields and never on values (§5). So the planner's
/// result for a query holds, under the same indexes, for every query that differs only in its
/// operands, cursors, offset and limit. `plan(_:)` fills these in, and returns the plan that the
/// planner would make. It leaves more complex queries to the planner.
package final class PreparedPlan: Sendable {
  /// One index, and the conditions whose operands are the values of its first columns.
  private struct Scan: Sendable {
    let source: Plan.Scan.Source
    let index: IndexDefinition
    let operands: [Int]

    func filled(_ conditions: Conditions) -> Plan.Scan {
      let prefix =
        operands.count == 1
        ? [conditions[operands[0]].operand] : operands.map { conditions[$0].operand }
      return Plan.Scan(source: source, index: index, prefix: prefix)
    }
  }

  /// The restriction of a column of the suffix, by the positions of its conditions.
  fileprivate enum Extent: Sendable {
    case all
    case point(Int)
    case ranges([Int])
  }

  private let shape: QueryShape
  package let database: DatabaseID
  private let scans: [Scan]
  private let suffix: [Order]
  private let extents: [Extent]
  /// The sort key of the branch. The branch is merged by its suffix alone, so the key has no
  /// constants.
  private let key: [Plan.Branch.KeyColumn]
  /// The ranges of a plan that no condition narrows; `nil` for any other plan.
  private let wholeRanges: [[ValueRange]?]?
  private let orders: [Order]
  /// Whether the query is sorted by the suffix, so that its cursors are positions there.
  private let takesCursors: Bool
  /// The source of queries at the root; `nil` for queries below a document.
  private let source: QuerySource?

  /// - Parameters:
  ///   - query: any query of the shape.
  ///   - plan: the planner's plan for it.
  /// - Returns: `nil` if values decide more than their own places: for alternatives, for conditions
  ///   on names, and for several conditions on one field that may exclude each other.
  package init?(
    _ query: StructuredQuery, aggregating aggregatedFields: [FieldPath] = [], plan: Plan,
    in database: DatabaseID
  ) {
    guard let shape = QueryShape(query, aggregating: aggregatedFields), shape.isSimple,
      plan.branches.count == 1, !plan.branches[0].isEmpty
    else { return nil }
    let branch = plan.branches[0]
    guard branch.key == branch.suffix.indices.map({ .suffix($0) }) else { return nil }
    self.shape = shape
    self.database = database
    var scans: [Scan] = []
    for scan in branch.scans {
      let columns = scan.index.columns.prefix(scan.prefix.count)
      let operands = columns.compactMap { shape.position(fixing: $0) }
      guard operands.count == columns.count else { return nil }
      scans.append(Scan(source: scan.source, index: scan.index, operands: operands))
    }
    self.scans = scans
    suffix = branch.suffix
    key = branch.key
    extents = shape.extents(of: branch.suffix)
    wholeRanges = extents.allSatisfy(\.isAll) ? extents.map { _ in nil } : nil
    orders = plan.orders
    takesCursors = aggregatedFields.isEmpty && branch.suffix == plan.orders
    source = query.parent.isRoot ? plan.source : nil
  }

  /// The hash by which queries of this shape are looked up. Other shapes may have the same.
  package var hash: UInt64 { shape.hash }

  /// Returns the plan of a query; `nil` if it has another shape or its values are not ordinary.
  ///
  /// Values that are not ordinary: operands that make a query match nothing or be refused, a limit
  /// of 0, and a cursor at a name outside the collection or at a value that an index cuts.
  package func plan(
    _ query: StructuredQuery, aggregating aggregatedFields: [FieldPath] = []
  ) -> Plan? {
    let conditions = Conditions(query.filter)
    guard shape.matches(query, conditions, aggregating: aggregatedFields),
      query.offset >= 0, query.limit.map({ $0 > 0 }) ?? true, case nil = query.nearest,
      source != nil || query.parent.isDocument
    else { return nil }
    for index in 0..<conditions.count where !conditions[index].isOrdinary { return nil }
    let source = source ?? query.source
    if query.hasCursors {
      guard takesCursors, mayBegin(query.start, query, source), mayBegin(query.end, query, source)
      else { return nil }
    }
    guard let ranges = wholeRanges ?? ranges(conditions) else { return nil }
    let branch = Plan.Branch(
      scans: scans(conditions), suffix: suffix, ranges: ranges, start: query.start?.nonEmpty,
      end: query.end?.nonEmpty, key: key)
    return Plan(
      source: source, branches: [branch], orders: orders, offset: query.offset, limit: query.limit)
  }

  /// Whether the query has the shape, so that the same indexes serve it, has ordinary values, and
  /// has no cursors.
  package func serves(_ query: StructuredQuery) -> Bool {
    let conditions = Conditions(query.filter)
    guard shape.matches(query, conditions, aggregating: []), query.start == nil, query.end == nil,
      query.offset >= 0, query.limit.map({ $0 > 0 }) ?? true, query.nearest == nil,
      source != nil || query.parent.isDocument
    else { return false }
    for index in 0..<conditions.count where !conditions[index].isOrdinary { return false }
    return true
  }

  private func scans(_ conditions: Conditions) -> [Plan.Scan] {
    // Most plans have one scan. Creating a list of one is faster than appending to a list.
    scans.count == 1
      ? [scans[0].filled(conditions)] : scans.map { $0.filled(conditions) }
  }

  /// Returns the ranges of the suffix's columns; `nil` if conditions on one field exclude each
  /// other.
  private func ranges(_ conditions: Conditions) -> [[ValueRange]?]? {
    var ranges: [[ValueRange]?] = []
    ranges.reserveCapacity(extents.count)
    for extent in extents {
      switch extent {
      case .all: ranges.append(nil)
      case .point(let position): ranges.append([.point(conditions[position].operand)])
      case .ranges(let positions):
        var left = conditions[positions[0]].ranges
        for position in positions.dropFirst() {
          left = left.intersection(conditions[position].ranges)
          if left.isEmpty { return nil }
        }
        ranges.append(left)
      }
    }
    return ranges
  }

  /// Whether a cursor is valid and lies among the documents of `source`.
  private func mayBegin(_ cursor: Cursor?, _ query: StructuredQuery, _ source: QuerySource) -> Bool
  {
    guard let values = cursor?.values else { return true }
    guard values.count <= query.orders.count else { return false }
    for (index, value) in values.enumerated() {
      if query.orders[index].field.isDocumentID {
        guard case .reference(let name) = value, name.database == database,
          source.position(of: name.path) == .at(name.path)
        else { return false }
      } else if value.mayBeNestedTooDeep || value.isCutByIndexes {
        return false
      }
    }
    return true
  }
}

// MARK: - Shapes

extension PreparedPlan.Extent {
  fileprivate var isAll: Bool {
    if case .all = self { true } else { false }
  }
}

extension QueryShape {
  /// Whether every field has either one equality or inequalities, and none is the document's name.
  fileprivate var isSimple: Bool {
    for (index, test) in tests.enumerated() where test.kind != .arrayContains {
      guard !test.field.isDocumentID else { return false }
      for other in tests[..<index] where other.kind != .arrayContains && other.field == test.field {
        if test.kind.isEquality || other.kind.isEquality { return false }
      }
    }
    return tests.allSatisfy { !$0.field.isDocumentID }
  }

  fileprivate func position(fixing column: IndexColumn) -> Int? {
    tests.firstIndex { test in
      test.field == column.field
        && (column.mode == .contains ? test.kind == .arrayContains : test.kind.isEquality)
    }
  }

  /// Returns the restrictions of the suffix's columns, as the planner makes them: a column that
  /// equals one value is narrowed only among the leading ones, since a prefix fixes it elsewhere.
  fileprivate func extents(of suffix: [Order]) -> [PreparedPlan.Extent] {
    var isLeading = true
    return suffix.map { order in
      let equality = tests.firstIndex { $0.field == order.field && $0.kind.isEquality }
      isLeading = isLeading && equality != nil
      if let equality { return isLeading ? .point(equality) : .all }
      let inequalities = tests.indices.filter {
        tests[$0].field == order.field && tests[$0].kind != .arrayContains
      }
      return inequalities.isEmpty ? .all : .ranges(inequalities)
    }
  }
}

// MARK: - Values

extension Filter {
  /// Whether the operand is ordinary: it doesn't make the condition match nothing (§2.4), and won't
  /// be refused.
  fileprivate var isOrdinary: Bool {
    guard case .field(_, _, let value) = self else { return true }
    return !value.equalsNothing && !value.mayBeNestedTooDeep
  }

  /// The value to which an equality fixes its field.
  fileprivate var operand: Value {
    switch self {
    case .field(_, _, let value): value
    case .unary(_, .isNaN): .double(.nan)
    default: .null
    }
  }

  /// The values of its field that an inequality allows.
  fileprivate var ranges: [ValueRange] {
    switch self {
    case .field(_, .notEqual, let value): ValueRange.others(than: [value])
    case .field(_, let comparison, let value): ValueRange(comparison, value).map { [$0] } ?? []
    case .unary(_, .isNotNull): ValueRange.notNull
    case .unary(_, .isNotNaN): ValueRange.notNullOrNaN
    default: []
    }
  }
}

extension Value {
  /// Whether the value is nested too deep. Only arrays and maps are examined.
  fileprivate var mayBeNestedTooDeep: Bool {
    switch self {
    case .array, .map: isNestedTooDeep
    default: false
    }
  }
}

extension StructuredQuery {
  fileprivate var hasCursors: Bool {
    if case nil = start, case nil = end { false } else { true }
  }
}

extension Cursor {
  /// The cursor; `nil` if it has no values, because it then restricts nothing (§4.6).
  fileprivate var nonEmpty: Cursor? { values.isEmpty ? nil : self }
}
