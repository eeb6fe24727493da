package import HearthDocumentModel

/// The places of the parts of a document's record: its name and its fields.
///
/// It reads one record after another into the same memory. Its calls take the record that was read
/// last.
package struct RecordParts: Sendable {
  private(set) var fields = FieldPlaces()
  /// The place of the count of fields.
  private var fieldsStart = 0
  private var parentStart = 0
  private var idStart = 0
  private var idEnd = 0
  private var collectionIDStart = 0
  private var collectionIDEnd = 0
  /// The number of values at all depths, including the elements of arrays.
  package private(set) var valueCount = 0

  /// Creates the parts of no record.
  package init() {}

  // MARK: Reading

  /// Finds the name in `record`, the bytes under a document's key.
  ///
  /// - Throws: ``CorruptBytes``.
  package mutating func readName(of record: RawSpan) throws(CorruptBytes) {
    var reader = try ByteReader(record, version: DocumentRecord.version)
    try reader.skip(16, "times")
    let start = reader.offset
    let count = try reader.readCount("path")
    guard count >= 2, count.isMultiple(of: 2) else {
      throw CorruptBytes("document path", at: start)
    }
    parentStart = start
    for index in 0..<count {
      idStart = reader.offset
      let byteCount = try reader.readCount("path segment")
      if index == count - 2 {
        collectionIDStart = reader.offset
        collectionIDEnd = reader.offset &+ byteCount
      }
      try reader.skip(byteCount, "path segment")
    }
    idEnd = reader.offset
    fieldsStart = reader.offset
  }

  /// Finds the fields in the record whose name was read.
  ///
  /// - Throws: ``CorruptBytes``.
  package mutating func readFields(of record: RawSpan) throws(CorruptBytes) {
    var reader = ByteReader(record, at: fieldsStart)
    try fields.read(&reader, place: fieldsStart)
    try reader.requireEnd()
    valueCount = fields.count
    for index in 0..<fields.count {
      var reader = ByteReader(record, at: fields.place(at: index))
      // All other values were passed over just now, and count as one each.
      if reader.isAtContainer { valueCount &+= try reader.countValues() &- 1 }
    }
  }

  // MARK: The name

  /// Returns the id of the document's collection.
  @_lifetime(copy record)
  package func collectionID(in record: RawSpan) -> RawSpan {
    record.extracting(collectionIDStart..<collectionIDEnd)
  }

  /// Returns the bytes that all documents of a collection share, and no others have.
  @_lifetime(copy record)
  package func parent(in record: RawSpan) -> RawSpan { record.extracting(parentStart..<idStart) }

  /// The size of the stored path in bytes. As in the size of a name (§1.3), each segment counts its
  /// bytes and at least one more.
  package var pathByteCount: Int { idEnd &- parentStart }

  /// Returns the path of the document's collection.
  ///
  /// - Throws: ``CorruptBytes``.
  package func parentPath(in record: RawSpan) throws(CorruptBytes) -> ResourcePath {
    var reader = ByteReader(record, at: parentStart)
    return try reader.readDocumentPath().parent
  }

  /// Appends the document's id as the name that ends a key.
  ///
  /// - Throws: ``CorruptBytes``.
  package func appendID(
    in record: RawSpan, _ order: ColumnOrder, to bytes: inout [UInt8]
  ) throws(CorruptBytes) {
    let start = bytes.count
    try bytes.appendSegments(1, of: record, at: idStart)
    if order == .descending { bytes.invert(from: start) }
  }

  /// Appends the document's path as the name that ends a key.
  ///
  /// - Throws: ``CorruptBytes``.
  package func appendPath(
    in record: RawSpan, _ order: ColumnOrder, to bytes: inout [UInt8]
  ) throws(CorruptBytes) {
    let start = bytes.count
    var reader = ByteReader(record, at: parentStart)
    let count = try reader.readCount("path")
    try bytes.appendSegments(count, of: record, at: reader.offset)
    bytes.append(OrderedValue.end)
    if order == .descending { bytes.invert(from: start) }
  }
}

extension [UInt8] {
  fileprivate mutating func appendSegments(
    _ count: Int, of record: RawSpan, at offset: Int
  ) throws(CorruptBytes) {
    var reader = ByteReader(record, at: offset)
    for _ in 0..<count {
      let byteCount = try reader.readCount("path segment")
      let start = reader.offset
      try reader.skip(byteCount, "path segment")
      appendEscaped(record.extracting(start..<reader.offset))
      append(OrderedValue.end)
    }
  }
}
