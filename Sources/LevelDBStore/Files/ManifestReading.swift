import HearthOrderedStore

/// The contents of a MANIFEST, as far as it can be read.
package struct ManifestReading {
  /// Result of the edits before the first damage.
  private(set) var manifest = Manifest()
  /// End of the last of these edits.
  private(set) var goodEnd = 0
  private(set) var damageOffset: Int?
  /// Whether nothing readable follows the damage, which may then be an edit that was cut short.
  private(set) var isDamagedAtEndOnly = true

  /// Numbers of the live tables; other files are left over.
  package var tableNumbers: Set<UInt64> { Set(manifest.tables.keys) }

  /// - Parameter bytes: the whole file.
  package init(_ bytes: [UInt8]) {
    var reader = LogRecordReader(bytes)
    while let element = reader.next() {
      switch element {
      case .damage(let offset): damageOffset = damageOffset ?? offset
      case .record(let range):
        guard damageOffset == nil, manifest.apply(reader.payload.span.bytes) else {
          damageOffset = damageOffset ?? range.lowerBound
          isDamagedAtEndOnly = false
          return
        }
        goodEnd = range.upperBound
      }
    }
  }
}
