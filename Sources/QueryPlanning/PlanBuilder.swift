import DocumentModel

/// Puts a query's values into the indexes that were chosen for it (§5.9).
struct PlanBuilder {
  let query: NormalizedQuery
  let requirement: IndexRequirement

  /// All members have the same suffix.
  func plan(_ members: [ChosenIndex]) -> Plan {
    let suffix = members.first?.match.suffix ?? query.orders
    let resolution = CursorResolution(query: query, suffix: suffix)
    let start = query.start.map { resolution.start($0) } ?? .unrestricted
    let end = query.end.map { resolution.end($0) } ?? .unrestricted
    let ranges = ranges(of: suffix)
    let readsNothing =
      query.limit == 0 || query.conjunction.matchesNothing || ranges == nil
      || start == .nothing || end == .nothing
    return Plan(
      source: query.source, scans: readsNothing ? [] : members.map(scan), suffix: suffix,
      ranges: ranges ?? suffix.map { _ in nil }, start: start.cursor, end: end.cursor,
      offset: query.offset, limit: query.limit)
  }

  private func scan(_ member: ChosenIndex) -> Plan.Scan {
    let columns = member.candidate.index.columns.prefix(member.match.prefixCount)
    let prefix = columns.compactMap { column in
      column.mode == .contains
        ? query.conjunction.contains?.value : query.conjunction.value(of: column.field)
    }
    precondition(prefix.count == columns.count, "\(member) has a column without a value")
    return Plan.Scan(
      source: member.candidate.source, index: member.candidate.index, prefix: prefix)
  }

  /// What each column of the suffix must lie in, or `nil` where no document can.
  private func ranges(of suffix: [Order]) -> [ValueRange?]? {
    var ranges: [ValueRange?] = []
    var isLeading = true
    for order in suffix {
      let value = query.conjunction.value(of: order.field)
      isLeading = isLeading && value != nil
      if let value {
        // Behind the leading columns, every entry has the value already: a prefix fixes it.
        ranges.append(isLeading ? .point(value) : nil)
      } else if order.field.isDocumentID, let range = query.conjunction.range(of: order.field) {
        guard let names = query.source.names(in: range) else { return nil }
        ranges.append(names.lower == nil && names.upper == nil ? nil : names)
      } else {
        ranges.append(query.conjunction.range(of: order.field))
      }
    }
    return ranges
  }
}
