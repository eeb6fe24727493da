import CPrefetch

/// Hints to the processor that memory will soon be read. They change nothing that a program does.
package enum Prefetch {
  /// Fetches the cache line at an address, which need not be valid.
  package static func line(at address: UnsafeRawPointer) { hearth_prefetch(address) }
}
