package import HearthDocumentModel

/// Reads the columns of an index from the bytes of documents, and appends them to keys without
/// creating values.
///
/// It reads one record after another into the same memory.
package struct RecordColumns: Sendable {
  private let encoder: ValueEncoder
  private let columns: [(field: FieldPath, name: FieldName, order: ColumnOrder)]

  // The findings in the last record.

  private var fields = FieldPlaces()
  /// The place of each column's value, if the document has every column's field.
  private var places: [Int] = []
  private var parentStart = 0
  private var idStart = 0
  private var idEnd = 0
  private var collectionIDStart = 0
  private var collectionIDEnd = 0
  /// The number of values at all depths, including the elements of arrays.
  package private(set) var valueCount = 0
  /// Whether the document has every column's field, and so has an entry.
  package private(set) var hasAll = false

  package init(_ columns: [(field: FieldPath, order: ColumnOrder)], own: DatabaseID) {
    encoder = ValueEncoder(own: own)
    self.columns = columns.map { ($0.field, FieldName($0.field.names.first ?? ""), $0.order) }
  }

  /// Finds the columns in `record`, the bytes under a document's key.
  ///
  /// - Returns: `false`, with nothing found, for a document of another collection group.
  /// - Throws: ``CorruptBytes``.
  package mutating func read(
    _ record: RawSpan, ofGroup collectionID: RawSpan
  ) throws(CorruptBytes) -> Bool {
    var reader = try ByteReader(record, version: DocumentRecord.version)
    try reader.skip(16, "times")
    try readPath(&reader)
    guard record.extracting(collectionIDStart..<collectionIDEnd).compare(collectionID) == .equal
    else { return false }
    try fields.read(&reader, place: reader.offset)
    try reader.requireEnd()
    try countValues(in: record)
    try findColumns(in: record)
    return true
  }

  private mutating func countValues(in record: RawSpan) throws(CorruptBytes) {
    valueCount = 0
    for index in 0..<fields.count {
      var reader = ByteReader(record, at: fields.place(at: index))
      valueCount &+= try reader.countValues()
    }
  }

  private mutating func findColumns(in record: RawSpan) throws(CorruptBytes) {
    places.removeAll(keepingCapacity: true)
    hasAll = false
    for column in columns {
      guard let index = fields.index(of: column.name, in: record) else { return }
      var reader = ByteReader(record, at: fields.place(at: index))
      guard try reader.seekValue(inMaps: column.field.names.dropFirst()) else { return }
      places.append(reader.offset)
    }
    hasAll = true
  }

  private mutating func readPath(_ reader: inout ByteReader) throws(CorruptBytes) {
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
  }
}

// MARK: - The name

extension RecordColumns {
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

// MARK: - The columns

extension RecordColumns {
  /// Appends the columns in their order to `bytes`, and the facts that the key doesn't hold to
  /// `flags`. The document must have all of the columns.
  ///
  /// - Throws: ``CorruptBytes``.
  package func append(
    in record: RawSpan, to bytes: inout [UInt8], flags: inout [ColumnFlags]
  ) throws(CorruptBytes) {
    for (column, place) in zip(columns, places) {
      flags.append(try encoder.append(valueAt: place, of: record, column.order, to: &bytes))
    }
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
