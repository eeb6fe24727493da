/// The contents of a document cache and the number of its hits.
package struct DocumentCacheStatistics: Sendable, Equatable {
  /// Documents that are kept.
  package internal(set) var documentCount = 0
  /// The approximate memory that they take.
  package internal(set) var byteCount = 0
  /// Documents found here since the database was opened.
  package internal(set) var hitCount = 0
  /// Documents that were looked up and not found.
  package internal(set) var missCount = 0

  package init() {}
}
