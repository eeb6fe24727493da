/// The contents of a scan cache.
package struct ScanCacheStatistics: Sendable, Equatable {
  /// The number of scans that are kept in full.
  package var scanCount = 0
  /// The number of scans that are being read.
  package var buildCount = 0
  /// The approximate number of bytes that the scans take.
  package var byteCount = 0

  package init() {}
}
