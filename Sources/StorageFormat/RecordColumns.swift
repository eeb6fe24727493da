package import HearthDocumentModel

/// Reads the columns of an index from the bytes of documents, and appends them to keys without
/// creating values.
///
/// It reads one record after another into the same memory.
package struct RecordColumns: Sendable {
  private let encoder: ValueEncoder
  private let orders: [ColumnOrder]
  /// The names of the top-level fields of the columns, joined, in the order of a record's fields.
  private let names: [UInt8]
  private let nameEnds: [Int]
  /// The columns, sorted by these names.
  private let columns: [(field: FieldPath, column: Int)]

  // The findings in the last record.

  /// The place of each column's value; `missing` if the document doesn't have the field.
  private var places: [Int]
  private static let missing = -1
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
    orders = columns.map(\.order)
    self.columns = columns.enumerated().map { (field: $1.field, column: $0) }
      .sorted { ($0.field.names.first ?? "").utf8Compare($1.field.names.first ?? "") == .less }
    var names: [UInt8] = []
    nameEnds = self.columns.map { column in
      names += Array((column.field.names.first ?? "").utf8)
      return names.count
    }
    self.names = names
    places = Array(repeating: RecordColumns.missing, count: columns.count)
  }

  /// Finds the columns in `record`, the bytes under a document's key.
  ///
  /// - Returns: `false`, with nothing found, for a document of another collection group.
  /// - Throws: ``CorruptBytes``.
  package mutating func read(
    _ record: RawSpan, ofGroup collectionID: RawSpan
  ) throws(CorruptBytes) -> Bool {
    var reader = ByteReader(record)
    try reader.readVersion(DocumentRecord.version)
    try reader.skip(16, "times")
    try readPath(&reader)
    guard record.extracting(collectionIDStart..<collectionIDEnd).compare(collectionID) == .equal
    else { return false }
    try findColumns(&reader, in: record)
    try reader.requireEnd()
    return true
  }

  private mutating func findColumns(
    _ reader: inout ByteReader, in record: RawSpan
  ) throws(CorruptBytes) {
    let (names, nameEnds) = (names, nameEnds)
    let allNames = names.span.bytes
    var (next, nameStart, foundCount, valueCount) = (0, 0, 0, 0)
    for _ in 0..<(try reader.readCount("field count")) {
      let byteCount = try reader.readCount("field name")
      let start = reader.offset
      try reader.skip(byteCount, "field name")
      find: while next < nameEnds.count {
        let wanted = allNames.extracting(nameStart..<nameEnds[next])
        switch wanted.compare(record.extracting(start..<reader.offset)) {
        case .less: places[columns[next].column] = RecordColumns.missing
        case .equal:
          let place = try place(of: columns[next].field, in: record, reader.offset)
          places[columns[next].column] = place
          if place >= 0 { foundCount &+= 1 }
        case .greater: break find
        }
        nameStart = nameEnds[next]
        next &+= 1
      }
      valueCount &+= try reader.skipValueCounting(depth: 0)
    }
    self.valueCount = valueCount
    hasAll = foundCount == nameEnds.count
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

  /// Returns the place of a nested field's value, or `missing`. `offset` is the place of the value
  /// of the path's first name.
  private func place(
    of field: FieldPath, in record: RawSpan, _ offset: Int
  ) throws(CorruptBytes) -> Int {
    guard field.names.count > 1 else { return offset }
    var reader = ByteReader(record, at: offset)
    for name in field.names.dropFirst() {
      guard try reader.readMapStart(), try reader.seekValue(named: name.utf8.span.bytes) else {
        return RecordColumns.missing
      }
    }
    return reader.offset
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
    for column in places.indices {
      flags.append(
        try encoder.append(
          valueAt: places[column], of: record, orders[column], to: &bytes))
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

extension ByteReader {
  /// Skips a value and counts it. A map counts with all values inside it, an array with its
  /// elements, each as one.
  fileprivate mutating func skipValueCounting(depth: Int) throws(CorruptBytes) -> Int {
    switch try readTag() {
    case .null, .false, .true: break
    case .integer: _ = try readVarint("integer")
    case .double, .timestamp: try skip(8, "double or timestamp")
    case .geoPoint: try skip(16, "geo point")
    case .string, .bytes, .reference, .foreignReference: try skipString("value")
    case .vector: try skip(try readDimension() &* 8, "vector")
    case .array:
      let end = try readEnclosedStart(depth)
      let count = try readCount("element count")
      try skip(end &- offset, "array")
      return 1 &+ count
    case .map: return try skipFieldsCounting(depth: depth)
    }
    return 1
  }

  private mutating func skipFieldsCounting(depth: Int) throws(CorruptBytes) -> Int {
    let end = try readEnclosedStart(depth)
    var count = 1
    for _ in 0..<(try readCount("field count")) {
      try skipString("field name")
      count &+= try skipValueCounting(depth: depth + 1)
    }
    try requireOffset(end)
    return count
  }
}
