import HearthDocumentModel
import HearthQueryPlanning
import Testing

/// An interpreter that runs a plan over documents, entry by entry as an index would, without
/// knowledge of the query.
///
/// It checks the properties of each branch on which an engine relies: entries are in the order of
/// the merge, and a document has one key in all branches that find it.
struct ScanInterpreter {
  let plan: Plan
  /// Decides on documents whose entries hold no more than the beginning of a value (§3.6).
  let isResult: (Document) -> Bool

  /// Returns the results; for a plan for the nearest vectors, all documents that it chooses from.
  func run(on documents: [Document]) -> [Document] {
    var results: [Entry] = []
    for branch in plan.branches where !branch.isEmpty {
      let entries = BranchInterpreter(plan: plan, branch: branch).entries(of: documents)
        .filter { !$0.suffix.contains(where: \.isCutByIndexes) || isResult($0.document) }
      for (entry, next) in zip(entries, entries.dropFirst()) {
        #expect(compare(entry, next) == .less, "a branch is not in order: \(plan)")
      }
      for entry in entries {
        guard let other = results.first(where: { $0.document.path == entry.document.path }) else {
          results.append(entry)
          continue
        }
        #expect(compare(entry, other) == .equal, "two keys of one document: \(plan)")
      }
    }
    results.sort { compare($0, $1) == .less }
    return results.dropFirst(plan.offset).prefix(plan.limit ?? .max).map(\.document)
  }

  private func compare(_ left: Entry, _ right: Entry) -> Ordering {
    compareAsIndexed(left.key, right.key, by: plan.orders)
  }
}

/// A document that a branch finds.
private struct Entry {
  let document: Document
  /// Values after the prefix by which the index sorts.
  let suffix: [Value]
  /// Key by which branches are merged.
  let key: [Value]
}

private struct BranchInterpreter {
  let plan: Plan
  let branch: Plan.Branch

  /// Returns the entries in the order of the branch.
  func entries(of documents: [Document]) -> [Entry] {
    guard let first = branch.scans.first else { return [] }
    var entries = entries(of: first, in: documents)
    for scan in branch.scans.dropFirst() {
      let joined = Set(self.entries(of: scan, in: documents).map(\.document.path))
      entries.removeAll { !joined.contains($0.document.path) }
    }
    return entries.sorted {
      compareAsIndexed($0.suffix, $1.suffix, by: branch.suffix) == .less
    }
  }

  private func entries(of scan: Plan.Scan, in documents: [Document]) -> [Entry] {
    documents.flatMap { document in
      plan.source.contains(document.path)
        ? columns(of: scan.index, document).compactMap { entry($0, scan, document) } : []
    }
  }

  /// Returns the columns of all entries that the index has for a document (§3.5).
  private func columns(of index: IndexDefinition, _ document: Document) -> [[Value]] {
    if let vector = index.vector {
      guard case .vector(let elements)? = document[vector.field],
        elements.count == vector.dimension
      else { return [] }
    }
    var entries: [[Value]] = [[]]
    for column in index.columns {
      let choices = choices(of: column, document)
      entries = entries.flatMap { entry in choices.map { entry + [$0] } }
    }
    return entries
  }

  private func choices(of column: IndexColumn, _ document: Document) -> [Value] {
    if column.field.isDocumentID {
      return [.reference(DocumentName(unchecked: document.path, in: .default))]
    }
    guard let value = document[column.field] else { return [] }
    guard column.mode == .contains else { return [value] }
    guard case .array(let elements) = value else { return [] }
    var choices: [Value] = []
    for element in elements where !choices.contains(where: { $0.compare(element) == .equal }) {
      choices.append(element)
    }
    return choices
  }

  private func entry(_ values: [Value], _ scan: Plan.Scan, _ document: Document) -> Entry? {
    guard zip(scan.prefix, values).allSatisfy({ $0.compare($1) == .equal }) else { return nil }
    let suffix = Array(values.dropFirst(scan.prefix.count))
    guard zip(branch.ranges, suffix).allSatisfy({ $0?.contains($1) ?? true }) else { return nil }
    if let start = branch.start {
      let place = compareAsIndexed(suffix, start.values, by: branch.suffix)
      guard place == .greater || (place == .equal && start.isBefore) else { return nil }
    }
    if let end = branch.end {
      let place = compareAsIndexed(suffix, end.values, by: branch.suffix)
      guard place == .less || (place == .equal && !end.isBefore) else { return nil }
    }
    let key = branch.key.map { column in
      switch column {
      case .suffix(let index): suffix[index]
      case .constant(let value): value
      }
    }
    return Entry(document: document, suffix: suffix, key: key)
  }
}

/// Compares by `orders`, over the columns that both have.
private func compareAsIndexed(
  _ left: [Value], _ right: [Value], by orders: [Order]
) -> Ordering {
  for (order, (left, right)) in zip(orders, zip(left, right)) {
    let place = left.compareAsIndexed(right)
    if place != .equal { return order.direction == .ascending ? place : place.reversed }
  }
  return .equal
}
