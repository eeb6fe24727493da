package import HearthDocumentModel

/// Appends values as columns of index keys. `OrderedValue.swift` describes the layout.
package struct ValueEncoder: Sendable {
  private let own: DatabaseID

  /// - Parameter own: the database that stores the keys. References into it are stored without its
  ///   name.
  package init(own: DatabaseID) {
    self.own = own
  }

  /// Appends `value` as one column, and returns whether it was cut (§3.6).
  ///
  /// The order of the columns' bytes is the order of `Value.compareAsIndexed`, reversed if `order`
  /// is descending. Values that are equal in that order have equal columns.
  @discardableResult
  package func append(_ value: Value, _ order: ColumnOrder, to bytes: inout [UInt8]) -> Bool {
    let start = bytes.count
    var column = ColumnWriter()
    column.append(value, own, to: &bytes)
    if order == .descending { bytes.invert(from: start) }
    return column.isCut
  }

  /// Appends the value at `place` of a document's record as one column, as `append(_:_:to:)` would
  /// append it. Returns the facts that the key doesn't hold.
  ///
  /// - Throws: ``CorruptBytes``.
  func append(
    valueAt place: Int, of record: RawSpan, _ order: ColumnOrder, to bytes: inout [UInt8]
  ) throws(CorruptBytes) -> ColumnFlags {
    let start = bytes.count
    var reader = ByteReader(record, at: place)
    var column = ColumnWriter()
    // For most values the flags hold nothing but whether the column was cut.
    var value = Value.null
    let tag = try reader.readTag()
    switch tag {
    case .null: column.append(.null, cost: 1, to: &bytes)
    case .false: column.append(.false, cost: 1, to: &bytes)
    case .true: column.append(.true, cost: 1, to: &bytes)
    case .integer: column.append(try reader.readSigned("integer"), to: &bytes)
    case .string, .bytes:
      let byteCount = try reader.readCount("value")
      let start = reader.offset
      try reader.skip(byteCount, "value")
      column.append(
        tag == .string ? .string : .bytes, record.extracting(start..<reader.offset), to: &bytes)
    default:
      reader = ByteReader(record, at: place)
      value = try reader.readValue(own, depth: 0)
      column.append(value, own, to: &bytes)
    }
    if order == .descending { bytes.invert(from: start) }
    return ColumnFlags(value, isCut: column.isCut)
  }
}

/// Writes one ascending column and keeps its budget of bytes.
///
/// Once `isCut` is set, the column has ended, and nothing more may be appended.
private struct ColumnWriter {
  private var budget = Limits.indexedValueByteCount
  private(set) var isCut = false

  mutating func append(_ value: Value, _ own: DatabaseID, to bytes: inout [UInt8]) {
    switch value {
    case .null: append(.null, cost: 1, to: &bytes)
    case .boolean(let value): append(value ? .true : .false, cost: 1, to: &bytes)
    case .integer(let value): append(value, to: &bytes)
    case .double(let value): append(value, cost: 8, to: &bytes)
    case .timestamp(let value):
      append(.timestamp, cost: 8, to: &bytes)
      bytes.appendBigEndian(UInt64(bitPattern: value.microseconds) ^ 1 &<< 63)
    case .string(let value): append(.string, value.utf8.span.bytes, to: &bytes)
    case .bytes(let value): append(.bytes, value.span.bytes, to: &bytes)
    case .reference(let name): append(name, own, to: &bytes)
    case .geoPoint(let point):
      append(.geoPoint, cost: 0, to: &bytes)
      append(point.latitude, cost: 8, to: &bytes)
      append(point.longitude, cost: 8, to: &bytes)
    case .array(let elements): append(elements, own, to: &bytes)
    case .vector(let elements): append(elements, to: &bytes)
    case .map(let map): append(map, own, to: &bytes)
    }
  }

  /// Ends the column with a cut if the budget is spent. It is called before each part of a value
  /// that can be cut.
  private mutating func cutIfSpent(_ bytes: inout [UInt8]) -> Bool {
    guard budget <= 0 else { return false }
    cut(&bytes)
    return true
  }

  private mutating func cut(_ bytes: inout [UInt8]) {
    bytes.append(OrderedValue.cut)
    isCut = true
  }

  mutating func append(
    _ label: OrderedValue.Label, cost: Int, to bytes: inout [UInt8]
  ) {
    bytes.append(label.rawValue)
    budget -= cost
  }

  mutating func append(_ value: Int64, to bytes: inout [UInt8]) {
    append(value < 0 ? .negativeNumber : .number, cost: 8, to: &bytes)
    OrderedMagnitude(value).append(isNegative: value < 0, to: &bytes)
  }

  private mutating func append(_ value: Double, cost: Int, to bytes: inout [UInt8]) {
    guard !value.isNaN else { return append(.notANumber, cost: cost, to: &bytes) }
    append(value < 0 ? .negativeNumber : .number, cost: cost, to: &bytes)
    OrderedMagnitude(value).append(isNegative: value < 0, to: &bytes)
  }

  mutating func append(
    _ label: OrderedValue.Label, _ content: RawSpan, to bytes: inout [UInt8]
  ) {
    bytes.append(label.rawValue)
    append(content, to: &bytes)
  }

  /// Appends the part of `content` that fits the budget, and its end or the cut.
  private mutating func append(_ content: RawSpan, to bytes: inout [UInt8]) {
    guard content.byteCount <= budget else {
      bytes.appendEscaped(content.extracting(first: budget))
      return cut(&bytes)
    }
    budget -= content.byteCount
    bytes.appendEscaped(content)
    bytes.append(OrderedValue.end)
  }

  private mutating func append(
    _ name: DocumentName, _ own: DatabaseID, to bytes: inout [UInt8]
  ) {
    switch name.database.compare(own) {
    case .equal: bytes.append(OrderedValue.Label.reference.rawValue)
    case .less: appendForeign(.referenceBelow, name.database, to: &bytes)
    case .greater: appendForeign(.referenceAbove, name.database, to: &bytes)
    }
    for segment in name.path.segments {
      if cutIfSpent(&bytes) { return }
      guard segment.numericID == nil else { return bytes.appendNumericID() }
      append(segment.utf8.span.bytes, to: &bytes)
      if isCut { return }
    }
    bytes.append(OrderedValue.end)
  }

  /// Appends a label and a database. The database counts nothing and is never cut.
  private func appendForeign(
    _ label: OrderedValue.Label, _ database: DatabaseID, to bytes: inout [UInt8]
  ) {
    bytes.append(label.rawValue)
    bytes.appendEscaped(database.project)
    bytes.appendEscaped(database.database)
  }

  private mutating func append(
    _ elements: [Value], _ own: DatabaseID, to bytes: inout [UInt8]
  ) {
    bytes.append(OrderedValue.Label.array.rawValue)
    for element in elements {
      if cutIfSpent(&bytes) { return }
      append(element, own, to: &bytes)
      if isCut { return }
    }
    bytes.append(OrderedValue.end)
  }

  private mutating func append(_ elements: [Double], to bytes: inout [UInt8]) {
    bytes.append(OrderedValue.Label.vector.rawValue)
    let dimension = UInt32(clamping: elements.count)
    withUnsafeBytes(of: dimension.bigEndian) { bytes.append(contentsOf: $0) }
    for element in elements {
      if cutIfSpent(&bytes) { return }
      append(element, cost: 8, to: &bytes)
    }
  }

  private mutating func append(
    _ map: MapValue, _ own: DatabaseID, to bytes: inout [UInt8]
  ) {
    bytes.append(OrderedValue.Label.map.rawValue)
    for (name, value) in map {
      if cutIfSpent(&bytes) { return }
      append(.string, name.utf8.span.bytes, to: &bytes)
      if isCut || cutIfSpent(&bytes) { return }
      append(value, own, to: &bytes)
      if isCut { return }
    }
    bytes.append(OrderedValue.end)
  }
}
