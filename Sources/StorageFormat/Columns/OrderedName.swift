package import HearthDocumentModel

// The name that ends an entry's key, and paths in keys:
//
//   document id   escaped UTF-8, end (`OrderedBytes`)
//   path          segments, each escaped with its end; end
//
// so that paths sort segment by segment, a shorter one first (§2.3). Inverted where descending.

/// The order-preserving encoding of names: document ids, and paths below the database's root.
package enum OrderedName {
  package static func append(
    documentID id: String, _ order: ColumnOrder, to bytes: inout [UInt8]
  ) {
    let start = bytes.count
    appendSegments([id], to: &bytes)
    if order == .descending { bytes.invert(from: start) }
  }

  package static func append(
    path: ResourcePath, _ order: ColumnOrder, to bytes: inout [UInt8]
  ) {
    let start = bytes.count
    if appendSegments(path.segments, to: &bytes) { bytes.append(OrderedValue.end) }
    if order == .descending { bytes.invert(from: start) }
  }

  /// Appends the common prefix of the encodings of all paths at and below `path`. No other encoding
  /// begins with it.
  package static func appendPrefix(
    path: ResourcePath, _ order: ColumnOrder, to bytes: inout [UInt8]
  ) {
    let start = bytes.count
    appendSegments(path.segments, to: &bytes)
    if order == .descending { bytes.invert(from: start) }
  }

  /// Returns whether no id was numeric.
  @discardableResult
  private static func appendSegments(_ segments: [String], to bytes: inout [UInt8]) -> Bool {
    for segment in segments {
      guard segment.numericID == nil else {
        bytes.appendNumericID()
        return false
      }
      bytes.appendEscaped(segment)
    }
    return true
  }

  /// Reads the document id that begins at `offset`, and moves `offset` to its end.
  ///
  /// - Throws: ``CorruptBytes`` if there is none.
  package static func documentID(
    from bytes: RawSpan, at offset: inout Int, _ order: ColumnOrder
  ) throws(CorruptBytes) -> String {
    var column = ColumnReader(bytes, at: offset, order)
    let id = try column.readString(isCounted: false)
    guard !id.isEmpty else { throw CorruptBytes("document id", at: offset) }
    offset = column.offset
    return id
  }

  /// Reads the path that begins at `offset`, and moves `offset` to its end.
  ///
  /// - Throws: ``CorruptBytes`` if there is none.
  package static func path(
    from bytes: RawSpan, at offset: inout Int, _ order: ColumnOrder
  ) throws(CorruptBytes) -> ResourcePath {
    var column = ColumnReader(bytes, at: offset, order)
    var segments: [String] = []
    while try column.readHasMore() { segments.append(try column.readString(isCounted: false)) }
    offset = column.offset
    return ResourcePath(unchecked: segments)
  }
}
