package import OrderedStore

/// Reads LevelDB's MANIFEST while LevelDB appends to it: at each call what has come since the last.
///
/// The file keeps its name while LevelDB is open. A record that is not whole yet is left for the
/// next call.
package struct ManifestTail {
  private let file: OpenFile
  private let path: String
  /// The end of the last record that was read.
  private var position = 0
  private var seenByteCount = 0

  /// - Throws: `.permission`, `.inputOutput`.
  package init(_ path: String) throws(StoreError) {
    self.path = path
    file = try OpenFile(path, .read)
  }

  /// The records that have come since the last call.
  ///
  /// - Complexity: one system call where nothing has come.
  /// - Throws: `.corrupt` where a whole record stands behind damage; `.inputOutput`.
  package mutating func newRecords() throws(StoreError) -> [[UInt8]] {
    let byteCount = try file.byteCount()
    guard byteCount != seenByteCount else { return [] }
    let start = position / LogRecordReader.blockByteCount * LogRecordReader.blockByteCount
    let bytes = try file.contents(in: start..<max(start, byteCount))
    var reader = LogRecordReader(bytes, from: position - start)
    var records: [[UInt8]] = []
    var damageOffset: Int?
    while let element = reader.next() {
      switch element {
      case .damage(let offset): damageOffset = damageOffset ?? start + offset
      case .record(let range):
        if let damageOffset {
          throw StoreError(
            .corrupt, "the database is damaged: \(path) at byte \(damageOffset)")
        }
        records.append(reader.payload)
        position = start + range.upperBound
      }
    }
    seenByteCount = byteCount
    return records
  }
}
