import HearthDocumentModel

extension Plan: CustomStringConvertible {
  /// The plan in words; see ``PlanNode``.
  package var description: String { node().description }

  /// Returns the plan as a tree.
  ///
  /// - Parameters:
  ///   - figures: the figures to compute from the results.
  ///   - work: the work of each scan of each branch.
  package func node(
    computing figures: [NormalizedAggregation.Figure] = [], work: [[PlanNode.Work]] = []
  ) -> PlanNode {
    var node = branchesNode(work)
    node.offset = offset
    if !branches.isEmpty { node.limit = limit }
    if let nearest { node = PlanNode(.nearest, nearest.title, over: node) }
    guard !figures.isEmpty else { return node }
    let title = figures.map(\.description).joined(separator: ", ")
    return PlanNode(.aggregation, title, over: node)
  }

  private func branchesNode(_ work: [[PlanNode.Work]]) -> PlanNode {
    let nodes = branches.enumerated().map { index, branch in
      branchNode(branch, index < work.count ? work[index] : [])
    }
    guard let first = nodes.first else {
      return PlanNode(.nothing, "nothing is read: the limit is 0")
    }
    guard nodes.count > 1 else {
      var node = first
      if node.kind != .nothing { node.orders = branches[0].suffix }
      return node
    }
    var node = PlanNode(.union, "union of \(nodes.count) branches")
    node.orders = orders
    node.children = nodes
    return node
  }

  private func branchNode(_ branch: Branch, _ work: [PlanNode.Work]) -> PlanNode {
    guard !branch.isEmpty else {
      return PlanNode(.nothing, "nothing is read: no document can meet all conditions")
    }
    var scans: [PlanNode] = []
    for (index, scan) in branch.scans.enumerated() {
      var node = PlanNode(.scan, "one index")
      node.scan = description(of: scan)
      node.work = index < work.count ? work[index] : nil
      scans.append(node)
    }
    var node: PlanNode
    if scans.count == 1 {
      node = scans[0]
    } else {
      node = PlanNode(.merge, "merge of \(scans.count) indexes")
      node.children = scans
    }
    node.ranges = zip(branch.suffix, branch.ranges).compactMap { order, ranges in
      ranges.map { $0.map { $0.text(of: order.field) } }
    }
    node.start = branch.start.map { ($0.isBefore ? "at " : "after ") + $0.text }
    node.end = branch.end.map { ($0.isBefore ? "before " : "at ") + $0.text }
    return node
  }

  private func description(of scan: Scan) -> PlanNode.Scan {
    var extent = scan.index.scope == source.scope ? "" : " of the group"
    if case .everyCollection = source { extent = " of every collection" }
    let conditions = zip(scan.index.columns, scan.prefix).map { column, value in
      "\(column.field) \(column.mode == .contains ? "array-contains" : "==") \(value.shortened)"
    }
    return PlanNode.Scan(
      source: scan.source.name, index: scan.index, conditions: conditions, extent: extent)
  }
}

extension PlanNode {
  fileprivate init(_ kind: Kind, _ title: String, over child: PlanNode) {
    self.init(kind, title)
    children = [child]
  }
}

extension IndexSource {
  /// The kind of the index in one word.
  package var name: String {
    switch self {
    case .key: "key"
    case .automatic: "automatic"
    case .composite: "composite"
    }
  }
}

extension NearestNeighbors {
  private static let shownElementCount = 8

  fileprivate var title: String {
    var elements = vector.prefix(NearestNeighbors.shownElementCount).map { "\($0)" }
    if vector.count > elements.count { elements.append("… \(vector.count) in all") }
    var title =
      "the \(limit) nearest of \(field) to [\(elements.joined(separator: ", "))], "
      + measure.rawValue
    if let threshold {
      title += measure == .dotProduct ? " from \(threshold)" : " up to \(threshold)"
    }
    return title
  }
}

extension NormalizedAggregation.Figure: CustomStringConvertible {
  /// The figure in words, such as `sum of n as total`.
  package var description: String {
    let name =
      switch `operator` {
      case .count(let limit): limit.map { "count up to \($0)" } ?? "count"
      case .sum(let field): "sum of \(field)"
      case .average(let field): "average of \(field)"
      }
    return "\(name) as \(alias)"
  }
}

extension ValueRange {
  /// Returns the range as a condition. A range of several type classes is a condition on the order
  /// of all values.
  fileprivate func text(of field: FieldPath) -> String {
    if let point { return "\(field) == \(point.shortened)" }
    let isOneClass = firstClass == lastClass
    var parts: [String] = []
    if let lower {
      let sign =
        isOneClass ? (lower.isInclusive ? ">=" : ">") : lower.isInclusive ? "from" : "after"
      parts.append("\(field) \(sign) \(lower.value.shortened)")
    } else if !isOneClass, firstClass == .number {
      parts.append("\(field) after NaN")
    }
    if let upper {
      let sign = isOneClass ? (upper.isInclusive ? "<=" : "<") : upper.isInclusive ? "to" : "before"
      parts.append("\(field) \(sign) \(upper.value.shortened)")
    }
    if !parts.isEmpty { return parts.joined(separator: " && ") }
    return isOneClass ? "\(field) is a \(firstClass)" : "\(field) is not null"
  }
}

extension Cursor {
  fileprivate var text: String { "(\(values.map(\.shortened).joined(separator: ", ")))" }
}

extension Value {
  private static let shownLength = 80

  /// The value in words, cut if it is too long.
  fileprivate var shortened: String {
    let text = description
    guard text.count > Value.shownLength else { return text }
    return text.prefix(Value.shownLength) + "…"
  }
}
