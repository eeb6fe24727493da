package import DocumentModel
package import QueryPlanning
import StorageFormat

// The way for most counts, which makes no plan: a query of a shape that is known to be served,
// whose filter is one equality for each of the fields that are counted by.
extension ReadView {
  /// The number of a query's results, if kept counts have it and no more need be known of the
  /// query; `nil` says nothing of others.
  ///
  /// - Complexity: a point read; none for what is remembered.
  /// - Throws: `dataLoss`, or what the store reports.
  package func simpleKeptCount(of query: StructuredQuery) throws(DatabaseError) -> Int? {
    guard !catalog.tunings.counts.isEmpty, caches.settings.usesKeptCounts, query.orders.isEmpty,
      query.parent.isRoot, let hash = query.shapeHash(),
      let prepared = catalog.plans.query(hash), prepared.plan.serves(query)
    else { return nil }
    return try reportingErrors {
      guard let key = simpleKey(of: query, prepared.collectionNumber) else { return nil }
      recorder?.record { $0.insertScan(from: key, through: key.span.bytes) }
      let total = try keptCount(at: key)
      usage.countQuery(prepared.counters)
      return min(total - min(total, query.offset), query.limit ?? .max)
    }
  }

  /// The key of the one count that a query asks for.
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
  /// The key of the count of what the filter selects, if that is one equality for each field; `nil`
  /// too where a value is too long for a count to be of it alone.
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
        // As many conditions as fields, and one for each: so there is no other.
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
  /// The value that an equality demands of a field.
  fileprivate func value(equalTo field: FieldPath) -> Value? {
    for filter in self {
      if case .field(field, .equal, let value) = filter { return value }
    }
    return nil
  }
}
