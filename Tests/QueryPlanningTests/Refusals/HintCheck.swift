import HearthDocumentModel
import HearthQueryPlanning
import TestSupport
import Testing

/// A check of the indexes that a refusal proposes.
struct HintCheck {
  let query: NormalizedQuery
  let indexes: IndexSet
  let name: String

  /// Returns the context of a failure. It is written only for a failure: it is long.
  private func context(_ index: IndexDefinition) -> Comment {
    let filter = query.filter.map { "\($0)" } ?? "no filter"
    return "\(name): \(filter), by \(query.orders), \(indexes): \(index)"
  }

  /// Returns the indexes that serve the query after the missing ones are created, and after the
  /// smaller indexes in their place, if there are any.
  ///
  /// Each alternative of the query lacks one index at most, and each proposed index ends its
  /// refusal. Every column of a smaller index is necessary.
  func completions(_ missing: MissingIndex) throws -> [IndexSet] {
    let full = try completion(of: indexes) { $0.index }
    guard missing.smaller != nil else { return [full] }
    // A smaller index relies on the indexes that are being built.
    let smaller = try completion(of: indexes.built) { missing in
      guard let smaller = missing.smaller else { return missing.index }
      #expect(smaller.columns.count < missing.index.columns.count, context(smaller))
      return smaller
    }
    return [full, smaller]
  }

  private func completion(
    of indexes: IndexSet, creating choice: (MissingIndex) -> IndexDefinition
  ) throws -> IndexSet {
    var indexes = indexes
    var next = refusal(indexes)
    for _ in query.disjuncts {
      guard let missing = next else { break }
      let index = choice(missing)
      if index == missing.smaller { checkColumns(of: index, indexes, missing) }
      indexes.add(index)
      next = refusal(indexes)
      let isAnother = sharesIndexes && index != missing.index && next?.smaller != index
      #expect(next?.index != missing.index || isAnother, context(index))
    }
    #expect(next == nil, context(next?.index ?? IndexDefinition("none", [])))
    return indexes
  }

  /// Checks that a smaller index without any one of its columns leaves the same alternative
  /// refused.
  private func checkColumns(
    of index: IndexDefinition, _ indexes: IndexSet, _ missing: MissingIndex
  ) {
    for column in index.columns {
      let less = index.without(column)
      // An implied name can't be left out, and a single-field index has none of its own.
      guard less != index, index.singleField == nil || !column.field.isDocumentID else { continue }
      var indexes = indexes
      indexes.add(less)
      #expect(refusal(indexes)?.index == missing.index, "\(context(index)) without \(column)")
    }
  }

  /// Whether different alternatives may lack the same index: one may sort by a field before adding
  /// it up, and the other may fix it. A smaller index created for one of them needn't serve the
  /// other.
  private var sharesIndexes: Bool {
    query.aggregatedFields.contains { field in
      let fixing = query.disjuncts.filter { $0.value(of: field) != nil }
      return !fixing.isEmpty && fixing.count < query.disjuncts.count
    }
  }

  private func refusal(_ indexes: IndexSet) -> MissingIndex? {
    do {
      _ = try Planner.plan(query, indexes: indexes)
      return nil
    } catch {
      return error.missingIndex
    }
  }
}

extension IndexDefinition {
  /// Returns the index without a column; the other columns keep their directions.
  fileprivate func without(_ column: IndexColumn) -> IndexDefinition {
    IndexDefinition(
      collectionGroup, columns.filter { $0 != column }, scope: scope, vector: vector)
  }
}
