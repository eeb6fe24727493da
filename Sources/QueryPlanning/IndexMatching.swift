import DocumentModel

/// How an index serves a requirement: its columns split into a fixed prefix and a sorted suffix.
struct IndexMatch: Equatable {
  let prefixCount: Int
  /// T of §5.3.
  let suffix: [Order]
  /// The constraints that the prefix fixes.
  let covered: ConstraintSet
}

// The rule of §5.3. It follows what documents an index holds: those that have all of its fields. So
// a query may use an index only if it asks for every one of the fields itself.
extension IndexRequirement {
  /// How the index serves the query without another one (§5.3), or `nil`.
  ///
  /// Of several splits it is the one with the longest prefix.
  func match(alone index: IndexDefinition) -> IndexMatch? {
    // Every suffix ends with the name in one direction: most indexes can be ruled out by that.
    guard let name = index.columns.last, let order = orders.last, name.sorts(by: order)
    else { return nil }
    let prefixes = fixedPrefixes(of: index)
    for (count, covered) in prefixes.enumerated().reversed() {
      let columns = index.columns.dropFirst(count)
      let suffix = columns.compactMap(\.order)
      guard suffix.count == columns.count else { return nil }
      let isServed =
        (covered == all && isReducedOrder(suffix))
        || (covered.union(leading) == all && suffix == orders)
      if isServed { return IndexMatch(prefixCount: count, suffix: suffix, covered: covered) }
    }
    return nil
  }

  /// How the index can take part in a merge (§5.5), whatever is left for others to cover, or `nil`.
  func match(merged index: IndexDefinition) -> IndexMatch? {
    let count = index.columns.count - orders.count
    guard count >= 0,
      zip(index.columns.dropFirst(count), orders).allSatisfy({ $0.sorts(by: $1) })
    else { return nil }
    let prefixes = fixedPrefixes(of: index)
    guard count < prefixes.count else { return nil }
    return IndexMatch(prefixCount: count, suffix: orders, covered: prefixes[count])
  }

  /// Whether the index fixes all constraints and sorts by what they leave to sort by (S2 of §5.3).
  ///
  /// It then serves the same query also when that sorts by fields that it equates.
  func isFixed(by index: IndexDefinition) -> Bool {
    fixedPrefixes(of: index).enumerated().contains { count, covered in
      let columns = index.columns.dropFirst(count)
      let suffix = columns.compactMap(\.order)
      return covered == all && suffix.count == columns.count && isReducedOrder(suffix)
    }
  }

  /// What the first 0, 1, 2... columns fix, as far as distinct columns with a constraint reach.
  func fixedPrefixes(of index: IndexDefinition) -> [ConstraintSet] {
    var covered = ConstraintSet()
    var prefixes = [covered]
    for (position, column) in index.columns.enumerated() {
      guard let constraint = constraint(fixing: column),
        !index.columns[..<position].contains(column)
      else { break }
      covered.insert(constraint)
      prefixes.append(covered)
    }
    return prefixes
  }

  /// Whether `suffix` is T0 without some of the orders on fields that equal one value: S2 of §5.3.
  private func isReducedOrder(_ suffix: [Order]) -> Bool {
    var matched = 0
    for order in orders {
      if matched < suffix.count, suffix[matched] == order {
        matched += 1
      } else if equality(on: order.field) == nil {
        return false
      }
    }
    return matched == suffix.count
  }
}
