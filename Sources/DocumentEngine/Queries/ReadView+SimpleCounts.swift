package import HearthDocumentModel
package import HearthQueryPlanning
import HearthStorageFormat

// The short way for most counts, which makes no plan. It is for queries of a shape that is known to
// be served, whose filter is one equality for each counted field.
extension ReadView {
  /// Whether some counts are kept.
  package var hasKeptCounts: Bool {
    !catalog.tunings.counts.isEmpty && caches.settings.usesKeptCounts
  }

  /// Returns the number of a query's results, if kept counts have it and nothing else of the query
  /// needs to be known; `nil` says nothing about the query.
  ///
  /// - Complexity: a point read; none for a cached count.
  /// - Throws: `dataLoss`; errors of the store.
  package func simpleKeptCount(of query: StructuredQuery) throws(DatabaseError) -> Int? {
    guard hasKeptCounts, query.orders.isEmpty,
      query.parent.isRoot, query.start == nil, query.end == nil, let hash = query.shapeHash(),
      let prepared = catalog.preparedQuery(hash), prepared.shape.mayMatch(query)
    else { return nil }
    return try reportingErrors {
      guard let key = simpleKey(of: query, prepared.collectionNumber) else { return nil }
      recorder?.record { $0.insertScan(from: key, through: key.span.bytes) }
      let total = try keptCount(at: key)
      usage.countQuery(prepared.counters)
      return min(total - min(total, query.offset), query.limit ?? .max)
    }
  }

  /// Returns the key of the only count that a query needs.
  private func simpleKey(of query: StructuredQuery, _ collection: UInt64?) -> [UInt8]? {
    let scope: QueryScope = query.allDescendants ? .collectionGroup : .collection
    guard let collection = query.allDescendants ? 0 : collection else { return nil }
    for counts in catalog.counts(of: query.collectionID)
    where counts.state == .ready && counts.definition.scope == scope {
      let encoder = ValueEncoder(own: databaseID)
      if let key = counts.key(collection: collection, query.filter, encoder) { return key }
    }
    return nil
  }
}

extension KeptCounts {
  /// Returns the key of the count of documents that the filter selects; `nil` if the filter isn't
  /// one equality for each field, or if a value is too long to have a count of its own.
  fileprivate func key(
    collection: UInt64, _ filter: Filter?, _ encoder: ValueEncoder
  ) -> [UInt8]? {
    let fields = definition.fields
    switch filter {
    case nil: return fields.isEmpty ? key(collection: collection, values: [], encoder) : nil
    case .and(let filters):
      guard filters.count == fields.count else { return nil }
      var values: [Value] = []
      values.reserveCapacity(fields.count)
      for field in fields {
        // There are as many conditions as fields, and one for each field, so there is no other
        // condition.
        guard let value = filters.value(equalTo: field) else { return nil }
        values.append(value)
      }
      return key(collection: collection, values: values, encoder)
    case .some(let filter):
      guard fields.count == 1, let value = [filter].value(equalTo: fields[0]) else { return nil }
      return key(collection: collection, values: [value], encoder)
    }
  }
}

extension [Filter] {
  /// Returns the value that an equality requires of a field.
  fileprivate func value(equalTo field: FieldPath) -> Value? {
    for filter in self {
      if case .field(field, .equal, let value) = filter { return value }
    }
    return nil
  }
}
