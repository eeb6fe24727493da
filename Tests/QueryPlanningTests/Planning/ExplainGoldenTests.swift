import HearthDocumentModel
import HearthQueryPlanning
import TestSupport
import Testing

/// The explanation of every row of §5.11: the tree of the plan, or the refusal, and the reason why
/// each other index is not used. The file is `Tests/Scripts/explain/verdicts.txt`.
struct ExplainGoldenTests {
  @Test func verdicts() throws {
    var text = "The rows of §5.11: each query, the composite indexes there are, and its plan.\n"
    for row in VerdictTests.table { text += "\n" + (try ExplainGoldenTests.text(of: row)) }
    #expect(try Golden.difference(of: text, from: "explain/verdicts.txt") == nil)
  }

  private static func text(of row: Verdict) throws -> String {
    let query = try row.normalized()
    var lines = ["== \(row.row)", "query    \(QueryWords(row.query, row.figures).text)"]
    lines += row.indexes.composites.map { composite in
      let scope = composite.definition.scope == .collection ? "" : " of the group"
      return "index    \(composite.definition)\(scope)"
    }
    lines += row.indexes.overrides.map { "override \(words(of: $0))" }
    lines += try outcome(of: query, row)
    let rejections = Planner.rejections(of: query, indexes: row.indexes)
    lines += rejections.map { "not used \($0.index): \($0.reason)\(edit($0))" }
    return lines.map { $0 + "\n" }.joined()
  }

  private static func outcome(of query: NormalizedQuery, _ row: Verdict) throws -> [String] {
    do throws(DatabaseError) {
      let plan = try Planner.plan(query, indexes: row.indexes)
      let figures =
        row.figures.isEmpty
        ? []
        : try NormalizedAggregation(AggregationQuery(row.query, row.figures), in: .default).figures
      return "\(plan.node(computing: figures))".split(separator: "\n").map { "  \($0)" }
        + ["uses     \(plan.indexesUsed.map { "\($0)" }.joined(separator: ", "))"]
        + Planner.indexesReplacingMerges(of: plan, for: query, indexes: row.indexes)
        .map { "one scan by \($0.index)" }
    } catch {
      guard let missing = error.missingIndex else { throw error }
      return ["refused  \(error.message)", "needs    \(missing.index)"]
        + (missing.smaller.map { ["smaller  \($0)"] } ?? [])
    }
  }

  private static func edit(_ rejection: IndexRejection) -> String {
    rejection.edit.map { "; \($0)" } ?? ""
  }

  private static func words(of override: FieldOverride) -> String {
    let indexes = override.indexes.keys.map { "\($0.scope.rawValue) \($0.mode.rawValue)" }
    return "\(override.field.map { "\($0)" } ?? "*"): "
      + (indexes.isEmpty ? "none" : indexes.sorted().joined(separator: ", "))
  }
}

/// A query as a line of text.
private struct QueryWords {
  let text: String

  init(_ query: StructuredQuery, _ figures: [Aggregation]) {
    let place = query.collectionID.isEmpty ? "every collection" : query.collectionID
    var parts = [query.allDescendants ? "group \(place)" : place]
    if let filter = query.filter {
      parts.append("where \(QueryWords.text(of: filter, isInner: false))")
    }
    if !query.orders.isEmpty {
      parts.append("by \(query.orders.map { "\($0)" }.joined(separator: ", "))")
    }
    if let limit = query.limit { parts.append("limit \(limit)") }
    if let nearest = query.nearest { parts.append("nearest \(nearest.field)") }
    for figure in figures { parts.append(QueryWords.text(of: figure)) }
    text = parts.joined(separator: " ")
  }

  private static func text(of filter: Filter, isInner: Bool) -> String {
    switch filter {
    case .field(let field, let comparison, let value):
      return "\(field) \(comparison.rawValue) \(value)"
    case .unary(let field, let test): return "\(field) \(test)"
    case .and(let filters), .or(let filters):
      if filters.count == 1 { return text(of: filters[0], isInner: isInner) }
      var sign = "&&"
      if case .or = filter { sign = "||" }
      let parts = filters.map { text(of: $0, isInner: true) }.joined(separator: " \(sign) ")
      return isInner ? "(\(parts))" : parts
    }
  }

  private static func text(of figure: Aggregation) -> String {
    switch figure.operator {
    case .count: "count"
    case .sum(let field): "sum \(field)"
    case .average(let field): "average \(field)"
    }
  }
}
