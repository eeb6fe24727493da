import HearthDocumentModel

/// The way in which an index serves a requirement: its columns split into a fixed prefix and a
/// sorted suffix.
struct IndexMatch: Equatable {
  let prefixCount: Int
  /// T of §5.3.
  let suffix: [Order]
  /// The constraints that the prefix fixes.
  let covered: ConstraintSet
}

// The rule of §5.3. It follows from the documents that an index holds: those that have all of its
// fields. So a query may use an index only if it requires every one of these fields itself.
extension IndexRequirement {
  /// Returns the way in which the index serves the query alone (§5.3); `nil` if it doesn't.
  ///
  /// Of several splits, it returns the one with the longest prefix.
  func match(alone index: IndexDefinition) -> IndexMatch? {
    // Every suffix ends with the name in one direction. That alone rules out most indexes.
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

  /// Returns the way in which the index can take part in a merge (§5.5), however few constraints it
  /// covers; `nil` if it can't.
  func match(merged index: IndexDefinition) -> IndexMatch? {
    let count = index.columns.count - orders.count
    guard count >= 0,
      zip(index.columns.dropFirst(count), orders).allSatisfy({ $0.sorts(by: $1) })
    else { return nil }
    let prefixes = fixedPrefixes(of: index)
    guard count < prefixes.count else { return nil }
    return IndexMatch(prefixCount: count, suffix: orders, covered: prefixes[count])
  }

  /// Whether the index fixes all constraints and sorts by the remaining orders (S2 of §5.3).
  ///
  /// Such an index also serves the query with additional orders on fields of its equalities.
  func isFixed(by index: IndexDefinition) -> Bool {
    fixedPrefixes(of: index).enumerated().contains { count, covered in
      let columns = index.columns.dropFirst(count)
      let suffix = columns.compactMap(\.order)
      return covered == all && suffix.count == columns.count && isReducedOrder(suffix)
    }
  }

  /// Returns the constraints that the first 0, 1, 2... columns fix, up to the first column that
  /// fixes none or repeats another.
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

/// An index that was chosen, and its part in the plan.
struct ChosenIndex: Equatable {
  let candidate: IndexCandidate
  let match: IndexMatch
}

extension IndexRequirement {
  /// Returns the indexes among `others` that would be chosen if all of them were ready; empty if
  /// they would not serve the query.
  func members(
    of others: [IndexCandidate], servingBeside candidates: [IndexCandidate]
  ) -> [IndexDefinition] {
    guard !others.isEmpty else { return [] }
    // Hidden indexes may be under construction as well.
    let usable = others.map { other in
      var usable = other
      usable.state = .ready
      return usable
    }
    let chosen = choice(from: candidates.filter { $0.state == .ready } + usable) ?? []
    return chosen.map(\.candidate).filter(usable.contains).map(\.index.normalForm)
  }

  /// Returns the one index that serves alone, or the members of a merge; `nil` if there are none
  /// (§5.3, §5.5).
  func choice(from candidates: [IndexCandidate]) -> [ChosenIndex]? {
    var best: ChosenIndex?
    for candidate in candidates where candidate.state == .ready {
      guard let match = match(alone: candidate.index) else { continue }
      if let best, !candidate.isPreferred(over: best.candidate) { continue }
      best = ChosenIndex(candidate: candidate, match: match)
    }
    if let best { return [best] }
    // A vector index serves alone (§4.10).
    return vector == nil ? merge(of: candidates) : nil
  }

  /// Returns the members of a merge, each time taking the index that covers most of the uncovered
  /// constraints, until all are covered (§5.5); `nil` if that fails.
  func merge(of candidates: [IndexCandidate]) -> [ChosenIndex]? {
    var usable: [ChosenIndex] = []
    for candidate in candidates where candidate.state == .ready {
      guard let match = match(merged: candidate.index), !match.covered.isEmpty else { continue }
      usable.append(ChosenIndex(candidate: candidate, match: match))
    }
    usable.sort { $0.candidate.isPreferred(over: $1.candidate) }
    var uncovered = all.subtracting(leading)
    var members: [ChosenIndex] = []
    while !uncovered.isEmpty {
      var best: ChosenIndex?
      var bestCount = 0
      for member in usable {
        let count = member.match.covered.intersection(uncovered).count
        if count > bestCount { (best, bestCount) = (member, count) }
      }
      guard let best else { return nil }
      members.append(best)
      uncovered = uncovered.subtracting(best.match.covered)
    }
    return members.isEmpty ? nil : members
  }
}
