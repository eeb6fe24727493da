import HearthDocumentModel

/// The plan that queries share which differ only in values, with places of conditions in the query
/// instead of values.
///
/// The indexes that serve a query depend on its fields and never on values (§5), so under the same
/// indexes the template of one query is that of all others of its shape.
package struct PlanTemplate: Sendable {
  /// The branches of each alternative of the filter.
  private let branches: [Branch]
  private let orders: [Order]

  init(branches: [Branch], orders: [Order]) {
    self.branches = branches
    self.orders = orders
  }

  /// Returns the plan of a query, filled with its values.
  ///
  /// - Parameter query: the query that the template was made for, or another of its shape.
  package func bind(_ query: NormalizedQuery) -> Plan {
    // A caller that skips documents wants to know their number, even with a limit of 0.
    let readsNothing = query.limit == 0 && query.offset == 0
    return Plan(
      source: query.source, branches: readsNothing ? [] : boundBranches(query), orders: orders,
      offset: query.offset, limit: query.limit, nearest: query.nearest)
  }

  private func boundBranches(_ query: NormalizedQuery) -> [Plan.Branch] {
    guard branches.count > 1 else { return branches[0].bind(query, query.firstDisjunct) }
    return zip(branches, query.disjuncts).flatMap { $0.bind(query, $1) }
  }
}

extension PlanTemplate {
  /// The branches of one alternative of a query, with places instead of values (§5.9).
  final class Branch: Sendable {
    /// One index, and the places of the values of its first columns.
    private struct Scan: Sendable {
      let source: IndexSource
      let index: IndexDefinition
      let operands: [Int]

      func bind(_ conjunction: Conjunction) -> Plan.Scan {
        // Creating a list of one is faster than growing a list.
        let prefix =
          operands.count == 1
          ? [conjunction.operand(at: operands[0])] : operands.map { conjunction.operand(at: $0) }
        return Plan.Scan(source: source, index: index, prefix: prefix)
      }
    }

    /// The restriction of a column of the suffix other than the name.
    private enum Extent: Sendable {
      case point(Int)
      case ranges([Int])
    }

    private let scans: [Scan]
    private let suffix: [Order]
    /// The columns of the suffix that conditions narrow.
    private let extents: [(column: Int, extent: Extent)]
    /// The ranges of a suffix that nothing narrows.
    private let wholeRanges: [[ValueRange]?]
    /// The sort key, with nulls as the values of `constants`.
    private let key: [Plan.Branch.KeyColumn]
    private let constants: [(column: Int, operand: Int)]
    /// Whether the suffix is the query's own order, so that most cursors are positions there.
    private let isInOrder: Bool

    /// - Parameters:
    ///   - members: the chosen indexes, which all have the same suffix.
    ///   - form: the form of the alternative.
    ///   - orders: the orders by which the branches of the plan are merged.
    init(
      _ members: [ChosenIndex], _ form: Conjunction.Form, of query: NormalizedQuery,
      mergedBy orders: [Order]
    ) {
      let suffix = members.first?.match.suffix ?? orders
      self.suffix = suffix
      isInOrder = suffix == query.orders
      scans = members.map { member in
        let index = member.candidate.index
        let columns = index.columns.prefix(member.match.prefixCount)
        let operands = columns.compactMap { column in
          form.places(column.mode == .contains ? .contains : .equality, of: column.field)?[0]
        }
        precondition(operands.count == columns.count, "\(member) has a column without a value")
        return Scan(source: member.candidate.source, index: index, operands: operands)
      }
      extents = Branch.extents(of: suffix, form)
      wholeRanges = suffix.map { _ in nil }
      var constants: [(column: Int, operand: Int)] = []
      key = orders.enumerated().map { column, order in
        if let index = suffix.firstIndex(of: order) { return .suffix(index) }
        guard let places = form.places(.equality, of: order.field) else {
          preconditionFailure("\(order) is neither in \(suffix) nor fixed by the filter")
        }
        constants.append((column, places[0]))
        return .constant(.null)
      }
      self.constants = constants
    }

    private static func extents(
      of suffix: [Order], _ form: Conjunction.Form
    ) -> [(column: Int, extent: Extent)] {
      var extents: [(column: Int, extent: Extent)] = []
      var isLeading = true
      for (column, order) in suffix.enumerated() {
        let equality = form.places(.equality, of: order.field)
        isLeading = isLeading && equality != nil
        if let equality {
          // After the leading columns, every entry has the value already: a prefix fixes it.
          if isLeading { extents.append((column, .point(equality[0]))) }
        } else if !order.field.isDocumentID,
          let places = form.places(.inequality, of: order.field)
        {
          extents.append((column, .ranges(places)))
        }
      }
      return extents
    }

    /// Returns the branches that find the alternative's documents: one, or one for each window that
    /// the cursors leave.
    func bind(_ query: NormalizedQuery, _ conjunction: Conjunction) -> [Plan.Branch] {
      let scans =
        scans.count == 1 ? [scans[0].bind(conjunction)] : scans.map { $0.bind(conjunction) }
      let key = boundKey(conjunction)
      func branch(in window: CursorWindow) -> Plan.Branch? {
        ranges(of: query, conjunction, names: window.names).map { ranges in
          Plan.Branch(
            scans: scans, suffix: suffix, ranges: ranges, start: window.start, end: window.end,
            key: key)
        }
      }
      let start = outcome(of: query.start, isStart: true, query, conjunction)
      let end = outcome(of: query.end, isStart: false, query, conjunction)
      if !conjunction.isRefuted, !start.isNothing, !end.isNothing {
        if start.isAmongEquals || end.isAmongEquals {
          let windows = CursorWindow.windows(from: start, to: end, suffix: suffix)
          let branches = windows.compactMap(branch)
          if !branches.isEmpty { return branches }
        } else if let branch = branch(in: CursorWindow(start: start.cursor, end: end.cursor)) {
          return [branch]
        }
      }
      return [
        Plan.Branch(scans: scans, suffix: suffix, ranges: wholeRanges, isEmpty: true, key: key)
      ]
    }

    private func boundKey(_ conjunction: Conjunction) -> [Plan.Branch.KeyColumn] {
      var key = key
      for (column, operand) in constants {
        key[column] = .constant(conjunction.operand(at: operand))
      }
      return key
    }

    private func outcome(
      of cursor: Cursor?, isStart: Bool, _ query: NormalizedQuery, _ conjunction: Conjunction
    ) -> CursorResolution.Outcome {
      guard let cursor else { return .unrestricted }
      if isInOrder, query.isPosition(cursor) { return .position(cursor) }
      let resolution = CursorResolution(query: query, conjunction: conjunction, suffix: suffix)
      return isStart ? resolution.start(cursor) : resolution.end(cursor)
    }

    /// Returns the ranges of each column of the suffix; `nil` if no document can match.
    private func ranges(
      of query: NormalizedQuery, _ conjunction: Conjunction, names window: ValueRange?
    ) -> [[ValueRange]?]? {
      var ranges = wholeRanges
      for (column, extent) in extents {
        switch extent {
        case .point(let place): ranges[column] = [.point(conjunction.operand(at: place))]
        case .ranges(let places):
          guard let allowed = conjunction.ranges(at: places) else { return nil }
          ranges[column] = allowed
        }
      }
      let places = conjunction.form.namePlaces
      guard !places.isEmpty || window != nil else { return ranges }
      var names = [ValueRange(.reference)]
      if !places.isEmpty {
        guard let allowed = conjunction.ranges(at: places) else { return nil }
        names = allowed.compactMap { query.source.names(in: $0) }
      }
      if let window { names = names.intersection([window]) }
      if names.isEmpty { return nil }
      ranges[ranges.count - 1] = names == [ValueRange(.reference)] ? nil : names
      return ranges
    }
  }
}
