import HearthDocumentModel
package import HearthQueryPlanning

extension QueryGenerator {
  /// Returns a random set of indexes: some that queries like these need, some at random, a few
  /// being built, and a few fields with automatic indexes of their own.
  package func indexes(using random: inout some RandomNumberGenerator) -> IndexSet {
    var indexes = IndexSet()
    for _ in 0..<Int.random(in: 0...2, using: &random) {
      let override = override(using: &random)
      indexes.overrides.removeAll { $0.field == override.field }
      indexes.overrides.append(override)
    }
    for _ in 0..<Int.random(in: 0...6, using: &random) {
      let definition =
        random.oneIn(2)
        ? definition(using: &random)
        : neededDefinition(for: query(using: &random), beside: indexes, using: &random)
      guard let definition, definition.singleField == nil else { continue }
      indexes.add(definition, state: random.oneIn(8) ? .creating : .ready)
    }
    return indexes
  }

  /// Returns a random set of indexes that mostly serves `query`, in one of the ways in which it can
  /// be served.
  package func indexes(
    for query: StructuredQuery, using random: inout some RandomNumberGenerator
  ) -> IndexSet {
    (try? NormalizedQuery(query, in: database)).map { indexes(for: $0, using: &random) }
      ?? indexes(using: &random)
  }

  /// Returns a random set of indexes that mostly serves `query`, in one of the ways in which it can
  /// be served.
  package func indexes(
    for query: NormalizedQuery, using random: inout some RandomNumberGenerator
  ) -> IndexSet {
    var indexes = indexes(using: &random)
    guard !random.oneIn(4) else { return indexes }
    // The smaller index needs the indexes that are being built, the others don't.
    if random.oneIn(2) { indexes = indexes.built }
    // Each index ends the refusal of an alternative, or the next one does. More would be a
    // planner's mistake, which the test has to find.
    for _ in 0..<(2 * query.disjuncts.count + 2) {
      guard let definition = neededDefinition(for: query, beside: indexes, using: &random)
      else { break }
      indexes.add(definition)
    }
    return indexes
  }

  private func neededDefinition(
    for query: StructuredQuery, beside indexes: IndexSet,
    using random: inout some RandomNumberGenerator
  ) -> IndexDefinition? {
    (try? NormalizedQuery(query, in: database)).flatMap {
      neededDefinition(for: $0, beside: indexes, using: &random)
    }
  }

  /// Returns the index that the query lacks; `nil` if it is served.
  private func neededDefinition(
    for query: NormalizedQuery, beside indexes: IndexSet,
    using random: inout some RandomNumberGenerator
  ) -> IndexDefinition? {
    do {
      _ = try Planner.plan(query, indexes: indexes)
      return nil
    } catch {
      guard let missing = error.missingIndex else { return nil }
      guard let smaller = missing.smaller, !missing.isBuilding, !indexes.holds(smaller) else {
        return missing.index
      }
      return smaller
    }
  }

  private func definition(using random: inout some RandomNumberGenerator) -> IndexDefinition {
    var fields = QueryGenerator.paths.shuffled(using: &random)
    fields = Array(fields.prefix(Int.random(in: 1...3, using: &random)))
    var columns = fields.map {
      IndexColumn($0, random.oneIn(3) ? .descending : .ascending)
    }
    if random.oneIn(4) {
      columns.insert(
        IndexColumn(QueryGenerator.tags, .contains),
        at: Int.random(in: 0...columns.count, using: &random))
    }
    if random.oneIn(4) || columns.count == 1 {
      columns.append(IndexColumn(.documentID, random.pick([.ascending, .descending])))
    }
    return IndexDefinition(
      QueryGenerator.collectionID, columns, scope: random.pick(QueryScope.allCases))
  }

  private func override(using random: inout some RandomNumberGenerator) -> FieldOverride {
    let fields: [FieldPath?] =
      QueryGenerator.paths + [QueryGenerator.tags, FieldPath(unchecked: ["m"]), nil]
    var indexes: [SingleFieldIndex: IndexState] = [:]
    for scope in QueryScope.allCases {
      for mode in IndexMode.allCases where !random.oneIn(5) {
        indexes[SingleFieldIndex(mode, scope: scope)] = random.oneIn(10) ? .creating : .ready
      }
    }
    return FieldOverride(QueryGenerator.collectionID, random.pick(fields), indexes)
  }
}

extension IndexSet {
  /// Adds a composite index, unless it exists, or switches a single-field index on.
  package mutating func add(_ definition: IndexDefinition, state: IndexState = .ready) {
    if let (field, single) = definition.singleField {
      var indexes = singleFieldIndexes(of: field, in: definition.collectionGroup)
      indexes[single] = state
      overrides.removeAll {
        $0.collectionGroup.utf8Equal(definition.collectionGroup) && $0.field == field
      }
      overrides.append(FieldOverride(definition.collectionGroup, field, indexes))
    } else if let index = composites.firstIndex(where: { $0.definition == definition }) {
      composites[index].state = state
    } else {
      composites.append(
        CompositeIndex(id: UInt64(composites.count + 1), definition: definition, state: state))
    }
  }

  /// Whether the index exists, in any state.
  fileprivate func holds(_ definition: IndexDefinition) -> Bool {
    if let (field, single) = definition.singleField {
      return state(of: single, field: field, in: definition.collectionGroup) != nil
    }
    return composites.contains { $0.definition == definition }
  }

  /// The same set when all indexes that are being built are ready.
  package var built: IndexSet {
    var built = self
    for index in built.composites.indices { built.composites[index].state = .ready }
    for index in built.overrides.indices {
      built.overrides[index].indexes = built.overrides[index].indexes.mapValues { _ in .ready }
    }
    return built
  }
}
