import DocumentModel
import QueryPlanning

/// Runs a plan over documents, entry by entry as an index would, knowing nothing of the query.
struct ScanInterpreter {
  let plan: Plan

  /// One entry: a document and what the index sorts by behind the prefix.
  private struct Entry {
    let document: Document
    let suffix: [Value]
  }

  func run(on documents: [Document]) -> [Document] {
    guard let first = plan.scans.first else { return [] }
    var entries = entries(of: first, in: documents)
    for scan in plan.scans.dropFirst() {
      let joined = Set(self.entries(of: scan, in: documents).map(\.document.path))
      entries.removeAll { !joined.contains($0.document.path) }
    }
    entries.sort { compare($0.suffix, $1.suffix) == .less }
    let results = entries.dropFirst(plan.offset).prefix(plan.limit ?? .max)
    return results.map(\.document)
  }

  private func entries(of scan: Plan.Scan, in documents: [Document]) -> [Entry] {
    documents.flatMap { document in
      plan.source.contains(document.path)
        ? entries(of: scan.index, document).compactMap { values in
          entry(values, scan, document)
        } : []
    }
  }

  /// The columns of all entries that the index has for a document (§3.5).
  private func entries(of index: IndexDefinition, _ document: Document) -> [[Value]] {
    var entries: [[Value]] = [[]]
    for column in index.columns {
      var choices: [Value] = []
      if column.field.isDocumentID {
        choices = [.reference(DocumentName(unchecked: document.path, in: .default))]
      } else if let value = document[column.field] {
        if column.mode != .contains {
          choices = [value]
        } else if case .array(let elements) = value {
          for element in elements where !choices.contains(where: { $0.compare(element) == .equal })
          {
            choices.append(element)
          }
        }
      }
      entries = entries.flatMap { entry in choices.map { entry + [$0] } }
    }
    return entries
  }

  private func entry(_ values: [Value], _ scan: Plan.Scan, _ document: Document) -> Entry? {
    guard zip(scan.prefix, values).allSatisfy({ $0.compare($1) == .equal }) else { return nil }
    let suffix = Array(values.dropFirst(scan.prefix.count))
    guard zip(plan.ranges, suffix).allSatisfy({ $0?.contains($1) ?? true }) else { return nil }
    if let start = plan.start {
      let place = compare(suffix, start.values)
      guard place == .greater || (place == .equal && start.isBefore) else { return nil }
    }
    if let end = plan.end {
      let place = compare(suffix, end.values)
      guard place == .less || (place == .equal && !end.isBefore) else { return nil }
    }
    return Entry(document: document, suffix: suffix)
  }

  /// In the order of the scan, over the columns that both have.
  private func compare(_ left: [Value], _ right: [Value]) -> Ordering {
    for (order, (left, right)) in zip(plan.suffix, zip(left, right)) {
      let place = left.compareAsIndexed(right)
      if place != .equal { return order.direction == .ascending ? place : place.reversed }
    }
    return .equal
  }
}
