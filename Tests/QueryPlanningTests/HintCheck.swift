import DocumentModel
import QueryPlanning
import TestSupport
import Testing

/// What a refused query is told to create.
struct HintCheck {
  let query: NormalizedQuery
  let indexes: IndexSet
  let name: String

  /// Written only for a failure: it is long.
  private func context(_ index: IndexDefinition) -> Comment {
    let filter = query.filter.map { "\($0)" } ?? "no filter"
    return "\(name): \(filter), by \(query.orders), \(indexes): \(index)"
  }

  /// The indexes that serve the query once it has what it lacked, and once it has the smaller
  /// indexes in their place, if there are any.
  ///
  /// Each alternative of the query lacks one index at most, and each index that is proposed ends
  /// its refusal. Every column of a smaller index is necessary.
  func completions(_ missing: MissingIndex) throws -> [IndexSet] {
    let full = try completion(of: indexes) { $0.index }
    guard missing.smaller != nil else { return [full] }
    // A smaller index counts on what is being built.
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

  /// Without any one of its columns a smaller index leaves the same alternative refused.
  private func checkColumns(
    of index: IndexDefinition, _ indexes: IndexSet, _ missing: MissingIndex
  ) {
    for column in index.columns {
      let less = index.without(column)
      // A name that is implied can't be left out, and a single-field index has none of its own.
      guard less != index, index.singleField == nil || !column.field.isDocumentID else { continue }
      var indexes = indexes
      indexes.add(less)
      #expect(refusal(indexes)?.index == missing.index, "\(context(index)) without \(column)")
    }
  }

  /// Whether different alternatives may lack the same index: what one sorts by before it adds it up
  /// may be fixed by the other. Created for one of them, a smaller index needn't serve the other.
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
  /// The same index without a column; what is left keeps its directions.
  fileprivate func without(_ column: IndexColumn) -> IndexDefinition {
    IndexDefinition(
      collectionGroup, columns.filter { $0 != column }, scope: scope, vector: vector)
  }
}
