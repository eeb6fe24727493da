import HearthDocumentModel
import HearthQueryPlanning

/// The place of a query's result among those that are kept.
struct ResultKey: Sendable {
  /// The hash of the query's shape.
  let shape: UInt64
  /// The hash of the query with its values.
  let valueHash: UInt64
}

extension ReadView {
  /// Returns the place for the query's result; `nil` if it is never kept.
  ///
  /// A transaction depends on the entries that it reads, so that it needs more than their result.
  func resultKey(of query: StructuredQuery) -> ResultKey? {
    guard recorder == nil, case .some = caches.results, query.limit != 0,
      let shape = query.shapeHash()
    else { return nil }
    return ResultKey(shape: shape, valueHash: query.valueHash(ofShape: shape))
  }

  /// Returns the result that is kept of a query and right for the view; `nil` if there is none.
  func keptResult(of query: StructuredQuery, at key: ResultKey) -> KeptResult? {
    guard let kept = caches.results?.result(key.valueHash) as? KeptResult,
      kept.answers(query, in: self)
    else { return nil }
    return kept
  }

  /// Returns `key` if its query was asked before, so that its result is worth to be kept.
  func keptAgain(_ key: ResultKey?) -> ResultKey? {
    guard let key, let results = caches.results, results.isAskedAgain(key.valueHash)
    else { return nil }
    return key
  }
}
