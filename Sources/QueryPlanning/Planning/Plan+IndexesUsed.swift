extension Plan {
  /// The indexes as production lists them (§5.10): in the order of the filter's alternatives, each
  /// once for every range that is read of the first sorted column (§5.9). Empty for a limit of 0.
  package var indexesUsed: [IndexDefinition] {
    branches.enumerated().flatMap { position, branch -> [IndexDefinition] in
      // Cursors may split an alternative into adjacent branches.
      if position > 0, branch.scans == branches[position - 1].scans,
        branch.ranges == branches[position - 1].ranges
      {
        return []
      }
      let rangeCount = branch.ranges.first.flatMap { $0?.count } ?? 1
      return (0..<rangeCount).flatMap { _ in branch.scans.map(\.index) }
    }
  }
}
