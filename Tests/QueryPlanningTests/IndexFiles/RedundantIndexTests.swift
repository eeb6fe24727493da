import HearthDocumentModel
import HearthQueryPlanning
import TestSupport
import Testing

/// The indexes that queries can do without.
struct RedundantIndexTests {
  private func redundant(_ indexes: IndexDefinition...) -> [String] {
    let set = IndexSet(
      composites: indexes.enumerated().map {
        CompositeIndex(id: UInt64($0.offset + 1), definition: $0.element, state: .ready)
      })
    return set.redundantIndexes().map { index in
      let by = index.replacements.map(\.description).joined(separator: " ")
      let advice = index.isWhole ? index.isDroppable ? "drop" : "keep" : "orders"
      return "\(index.definition.scope.rawValue) \(index.definition) \(advice) \(by)"
    }
  }

  /// The index serves `order by a, b`, which no other index does.
  @Test func indexesThatSortAreNeeded() {
    #expect(redundant(index("a, b")) == [])
    #expect(redundant(index("a, b"), index("b, a"), index("a, b, c"), index("a, b desc")) == [])
    #expect(redundant(index("a, b"), index("tags contains, a, b")) == [])
    #expect(redundant(index("tags contains, a"), index("a, b")) == [])
    #expect(redundant(index("__name__ desc")) == [])
  }

  /// A group's index serves each collection too (§5.2).
  @Test func groupScopeMakesUpForCollectionScope() {
    #expect(
      redundant(index("a, b"), index("a, b", scope: .collectionGroup)) == [
        "COLLECTION (a ASC, b ASC, __name__ ASC) drop (a ASC, b ASC, __name__ ASC)"
      ])
  }

  /// Columns before an array's elements are always equated: their order and direction are free.
  @Test func permutedPrefixesMakeUpForEachOther() {
    #expect(
      redundant(index("a, tags contains, c"), index("tags contains, a, c")) == [
        "COLLECTION (a ASC, tags ARRAY_CONTAINS, c ASC, __name__ ASC) drop "
          + "(tags ARRAY_CONTAINS, a ASC, c ASC, __name__ ASC)"
      ])
    #expect(
      redundant(index("a, tags contains, c"), index("a desc, tags contains, c")) == [
        "COLLECTION (a ASC, tags ARRAY_CONTAINS, c ASC, __name__ ASC) keep "
          + "(a DESC, tags ARRAY_CONTAINS, c ASC, __name__ ASC)",
        "COLLECTION (a DESC, tags ARRAY_CONTAINS, c ASC, __name__ ASC) drop "
          + "(a ASC, tags ARRAY_CONTAINS, c ASC, __name__ ASC)",
      ])
  }

  /// A merge serves no order on a field of an equality (§5.4).
  @Test func mergesMakeUpForAllButOrdersOnEqualities() {
    #expect(
      redundant(index("a, tags contains")) == [
        "COLLECTION (a ASC, tags ARRAY_CONTAINS, __name__ ASC) orders "
          + "(a ASC, __name__ ASC) (tags ARRAY_CONTAINS, __name__ ASC)"
      ])
    #expect(
      redundant(
        index("a, b, tags contains, c"), index("tags contains, c"), index("a, c"), index("b, c"))
        == [
          "COLLECTION (a ASC, b ASC, tags ARRAY_CONTAINS, c ASC, __name__ ASC) orders "
            + "(a ASC, c ASC, __name__ ASC) (b ASC, c ASC, __name__ ASC) "
            + "(tags ARRAY_CONTAINS, c ASC, __name__ ASC) (b ASC, __name__ ASC) "
            + "(tags ARRAY_CONTAINS, __name__ ASC)"
        ])
    // Other directions of the sorted columns, or of names, make other merges.
    #expect(
      redundant(index("a, tags contains, c"), index("tags contains, c desc"), index("a, c")) == [])
    #expect(redundant(index("a, tags contains, __name__ desc"), index("b, c")).count == 1)
  }

  @Test func exemptedFieldsMergeNoMore() {
    let set = IndexSet(index("a, tags contains"), overrides: [override("a")])
    #expect(set.redundantIndexes() == [])
  }

  @Test func indexesBeingBuiltMakeUpForNothing() {
    var set = IndexSet(index("a, tags contains, c"), index("tags contains, a, c"))
    set.composites[1].state = .creating
    #expect(set.redundantIndexes() == [])
    set.composites[1].state = .ready
    #expect(set.redundantIndexes().count == 1)
  }

  // MARK: The law

  private let generator = RedundancyGenerator()

  /// Without an index that is redundant, and without all those that can go together, the same
  /// queries are served; without any other, some query is refused.
  @Test func redundantIndexesChangeNoVerdict() throws {
    let seed = GeneratedCases.seed()
    var counts: [String: Int] = [:]
    for round in 0..<GeneratedCases.count {
      var random = SplitMix64(seed: seed &+ UInt64(round))
      let indexes = generator.indexes(using: &random)
      let redundant = indexes.redundantIndexes()
      let name = "seed \(seed) round \(round) \(indexes)"
      for index in redundant {
        counts[index.isWhole ? "whole" : "but for orders", default: 0] += 1
        let rest = indexes.without([index.definition])
        for _ in 0..<10 {
          guard let query = generator.query(for: index.definition, using: &random),
            index.isWhole || !query.sortsByEquality, isServed(query, indexes) == true
          else { continue }
          counts["served", default: 0] += 1
          #expect(isServed(query, rest) == true, "\(name) \(query) without \(index.definition)")
        }
      }
      let droppable = redundant.filter(\.isDroppable).map(\.definition)
      let rest = indexes.without(droppable)
      for composite in indexes.composites {
        guard let query = generator.query(for: composite.definition, using: &random) else {
          continue
        }
        #expect(isServed(query, rest) == isServed(query, indexes), "\(name) \(query) \(droppable)")
      }
      for composite in indexes.composites where composite.state == .ready {
        guard !redundant.contains(where: { $0.definition == composite.definition }) else {
          continue
        }
        counts["needed", default: 0] += 1
        #expect(isNeeded(composite.definition, in: indexes), "\(name) \(composite.definition)")
      }
    }
    print(counts.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" })
    guard GeneratedCases.areMany() else { return }
    for kind in ["whole", "but for orders", "served", "needed"] {
      #expect(counts[kind, default: 0] * 50 >= GeneratedCases.count, "too few: \(kind)")
    }
  }

  /// Whether one of the queries that the index serves for a split is refused without it.
  private func isNeeded(_ definition: IndexDefinition, in indexes: IndexSet) -> Bool {
    let rest = indexes.without([definition])
    return definition.columns.indices.contains { count in
      QueryScope.allCases.contains { scope in
        guard let query = generator.query(for: definition, fixing: count, scope: scope) else {
          return false
        }
        return isServed(query, indexes) == true && isServed(query, rest) == false
      }
    }
  }

  /// Whether the query is served; `nil` for an invalid query.
  private func isServed(_ query: StructuredQuery, _ indexes: IndexSet) -> Bool? {
    guard let normalized = try? NormalizedQuery(query, in: .default) else { return nil }
    return (try? Planner.plan(normalized, indexes: indexes)) != nil
  }
}

extension IndexSet {
  fileprivate func without(_ definitions: [IndexDefinition]) -> IndexSet {
    IndexSet(
      composites: composites.filter { !definitions.contains($0.definition) }, overrides: overrides)
  }
}

extension StructuredQuery {
  fileprivate var sortsByEquality: Bool {
    guard case .and(let filters)? = filter else { return false }
    return filters.contains { filter in
      guard case .field(let field, .equal, _) = filter else { return false }
      return orders.contains { $0.field == field }
    }
  }
}
