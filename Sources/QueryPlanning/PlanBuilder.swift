import DocumentModel

/// Fills the indexes that were chosen for one alternative of a query with its values (§5.9).
struct PlanBuilder {
  let query: NormalizedQuery
  let conjunction: Conjunction
  /// The orders by which the branches of the plan are merged.
  let orders: [Order]

  /// Returns the branches that find the alternative's documents: one, or one for each window that
  /// the cursors leave.
  ///
  /// - Parameter members: the chosen indexes, which all have the same suffix.
  func branches(_ members: [ChosenIndex]) -> [Plan.Branch] {
    let suffix = members.first?.match.suffix ?? orders
    let resolution = CursorResolution(query: query, conjunction: conjunction, suffix: suffix)
    let windows = CursorWindow.windows(
      from: query.start.map { resolution.start($0) } ?? .unrestricted,
      to: query.end.map { resolution.end($0) } ?? .unrestricted, suffix: suffix)
    let scans = members.map(scan)
    let key = orders.map { keyColumn(of: $0, in: suffix) }
    var branches: [Plan.Branch] = []
    for window in conjunction.matchesNothing ? [] : windows {
      guard let ranges = ranges(of: suffix, names: window.names) else { continue }
      branches.append(
        Plan.Branch(
          scans: scans, suffix: suffix, ranges: ranges, start: window.start, end: window.end,
          key: key))
    }
    guard branches.isEmpty else { return branches }
    return [
      Plan.Branch(
        scans: scans, suffix: suffix, ranges: suffix.map { _ in nil }, isEmpty: true, key: key)
    ]
  }

  private func keyColumn(of order: Order, in suffix: [Order]) -> Plan.Branch.KeyColumn {
    if let index = suffix.firstIndex(of: order) { return .suffix(index) }
    guard let value = conjunction.value(of: order.field) else {
      preconditionFailure("\(order) is neither in \(suffix) nor fixed by the filter")
    }
    return .constant(value)
  }

  private func scan(_ member: ChosenIndex) -> Plan.Scan {
    let columns = member.candidate.index.columns.prefix(member.match.prefixCount)
    let prefix = columns.compactMap { column in
      column.mode == .contains
        ? conjunction.contains?.value : conjunction.value(of: column.field)
    }
    precondition(prefix.count == columns.count, "\(member) has a column without a value")
    return Plan.Scan(
      source: member.candidate.source, index: member.candidate.index, prefix: prefix)
  }

  /// Returns the ranges of each column of the suffix; `nil` if no document can match.
  private func ranges(of suffix: [Order], names window: ValueRange?) -> [[ValueRange]?]? {
    var ranges: [[ValueRange]?] = []
    var isLeading = true
    for order in suffix {
      let value = conjunction.value(of: order.field)
      isLeading = isLeading && value != nil
      if let value {
        // After the leading columns, every entry has the value already: a prefix fixes it.
        ranges.append(isLeading ? [.point(value)] : nil)
      } else if order.field.isDocumentID {
        guard let names = names(in: window) else { return nil }
        ranges.append(names == [ValueRange(.reference)] ? nil : names)
      } else {
        ranges.append(conjunction.ranges(of: order.field))
      }
    }
    return ranges
  }

  /// Returns the names that the filter and the window allow; `nil` if there are none.
  private func names(in window: ValueRange?) -> [ValueRange]? {
    var names = [ValueRange(.reference)]
    if let ranges = conjunction.ranges(of: .documentID) {
      names = ranges.compactMap { query.source.names(in: $0) }
    }
    if let window { names = names.intersection([window]) }
    return names.isEmpty ? nil : names
  }
}
