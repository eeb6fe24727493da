/// The contents of the caches of scans and results.
package struct ScanCacheStatistics: Sendable, Equatable {
  /// The number of scans that are kept in full.
  package var scanCount = 0
  /// The number of scans that are being read.
  package var buildCount = 0
  /// The approximate number of bytes that the scans take.
  package var byteCount = 0
  /// The number of results of queries that are kept.
  package var resultCount = 0
  /// The approximate number of bytes that the results take.
  package var resultByteCount = 0

  package init() {}
}
