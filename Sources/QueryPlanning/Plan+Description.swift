import DocumentModel

extension Plan: CustomStringConvertible {
  /// The plan in words, a line for each thing it does:
  ///
  ///     merge of 2 indexes, ordered by __name__ ASC
  ///       automatic (a ASC, __name__ ASC)  a == 1
  ///       automatic (b ASC, __name__ ASC)  b == 2
  ///       limit     10
  package var description: String {
    guard !scans.isEmpty else {
      return limit == 0
        ? "nothing is read: the limit is 0"
        : "nothing is read: no document can meet all conditions"
    }
    let order = suffix.map(\.description).joined(separator: ", ")
    let head = scans.count == 1 ? "one index" : "merge of \(scans.count) indexes"
    return (["\(head), ordered by \(order)"] + scanLines + detailLines).joined(separator: "\n")
  }

  private var scanLines: [String] {
    let rows = scans.map { (index: text(of: $0), conditions: conditions(of: $0)) }
    let width = rows.map(\.index.count).max() ?? 0
    return rows.map { row in
      guard !row.conditions.isEmpty else { return "  \(row.index)" }
      let padding = String(repeating: " ", count: width - row.index.count)
      return "  \(row.index)\(padding)  \(row.conditions)"
    }
  }

  private func text(of scan: Scan) -> String {
    let isWider = scan.index.scope != source.scope
    return line(scan.source.name, scan.index.description + (isWider ? " of the group" : ""))
  }

  private func conditions(of scan: Scan) -> String {
    zip(scan.index.columns, scan.prefix).map { column, value in
      "\(column.field) \(column.mode == .contains ? "array-contains" : "==") \(value.shortened)"
    }
    .joined(separator: ", ")
  }

  private var detailLines: [String] {
    var lines = zip(suffix, ranges).compactMap { order, range in
      range.map { line("range", $0.text(of: order.field)) }
    }
    if let start { lines.append(line("start", (start.isBefore ? "at " : "after ") + start.text)) }
    if let end { lines.append(line("end", (end.isBefore ? "before " : "at ") + end.text)) }
    if offset > 0 { lines.append(line("offset", "\(offset)")) }
    if let limit { lines.append(line("limit", "\(limit)")) }
    return lines.map { "  \($0)" }
  }

  /// A word in a column as wide as the longest of them, and what it says.
  private func line(_ word: String, _ text: String) -> String {
    let width = "automatic".count
    return word + String(repeating: " ", count: max(0, width - word.count)) + " " + text
  }
}

extension Plan.Scan.Source {
  /// What kind of index it is, in one word.
  package var name: String {
    switch self {
    case .key: "key"
    case .automatic: "automatic"
    case .composite: "composite"
    }
  }
}

extension ValueRange {
  fileprivate func text(of field: FieldPath) -> String {
    if let point { return "\(field) == \(point.shortened)" }
    var parts: [String] = []
    if let lower {
      parts.append("\(field) \(lower.isInclusive ? ">=" : ">") \(lower.value.shortened)")
    }
    if let upper {
      parts.append("\(field) \(upper.isInclusive ? "<=" : "<") \(upper.value.shortened)")
    }
    return parts.joined(separator: " && ")
  }
}

extension Cursor {
  fileprivate var text: String { "(\(values.map(\.shortened).joined(separator: ", ")))" }
}

extension Value {
  private static let shownLength = 80

  /// The value in words, cut where a line would get too long.
  fileprivate var shortened: String {
    let text = description
    guard text.count > Value.shownLength else { return text }
    return text.prefix(Value.shownLength) + "…"
  }
}
