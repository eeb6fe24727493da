package import HearthDocumentModel

extension OrderedValue {
  /// Returns the end of the column that begins at `offset`, without decoding the value.
  ///
  /// - Throws: ``CorruptBytes`` if no column begins there.
  package static func endOfValue(
    in bytes: RawSpan, at offset: Int, _ order: ColumnOrder
  ) throws(CorruptBytes) -> Int {
    var column = ColumnReader(bytes, at: offset, order)
    try column.skipValue(depth: 0)
    return column.offset
  }

  /// Reads the column that begins at `offset`, and moves `offset` to its end.
  ///
  /// The entry's value tells whether a value was cut; of such a value, the stored part is returned,
  /// in whole characters. Numbers inside arrays and maps are read as integers if they are whole.
  /// The entry's value also tells whether that is exactly the stored value.
  ///
  /// - Parameter kind: the form of a value that is a number.
  /// - Throws: ``CorruptBytes`` if no column begins there.
  package static func decode(
    from bytes: RawSpan, at offset: inout Int, _ order: ColumnOrder, own: DatabaseID,
    kind: NumberKind = .integerIfWhole
  ) throws(CorruptBytes) -> Value {
    var column = ColumnReader(bytes, at: offset, order)
    let value = try column.readValue(own, kind, depth: 0)
    offset = column.offset
    return value
  }
}

extension ColumnReader {
  fileprivate mutating func checkDepth(_ depth: Int) throws(CorruptBytes) {
    guard depth < OrderedValue.depthLimit else { throw CorruptBytes("shallower value", at: offset) }
  }

  // MARK: Skipping

  fileprivate mutating func skipValue(depth: Int) throws(CorruptBytes) {
    let label = try readLabel()
    switch label {
    case .null, .false, .true: spend(1)
    case .notANumber: spend(8)
    case .negativeNumber, .number: try skipMagnitude(label)
    case .timestamp:
      spend(8)
      for _ in 0..<8 { _ = try readByte("timestamp") }
    case .string, .bytes: try readEscaped { _ in }
    case .reference: try skipSegments()
    case .referenceBelow, .referenceAbove:
      for _ in 0..<2 { try readEscaped(isCounted: false) { _ in } }
      try skipSegments()
    case .geoPoint: for _ in 0..<2 { try skipNumber() }
    case .array:
      try checkDepth(depth)
      while !isCut, try readHasMore() { try skipValue(depth: depth + 1) }
    case .vector:
      var count = try readDimension()
      while count > 0, try !readCutIfSpent() {
        try skipNumber()
        count &-= 1
      }
    case .map:
      try checkDepth(depth)
      while !isCut, try readHasMore() {
        try readNameLabel()
        try readEscaped { _ in }
        if isCut { return }
        if try readCutIfSpent() { return }
        try skipValue(depth: depth + 1)
      }
    }
  }

  private mutating func skipSegments() throws(CorruptBytes) {
    while !isCut, try readHasMore() { try readEscaped { _ in } }
  }

  private mutating func skipNumber() throws(CorruptBytes) {
    let start = offset
    let label = try readLabel()
    switch label {
    case .notANumber: spend(8)
    case .number, .negativeNumber: try skipMagnitude(label)
    default: throw CorruptBytes("number", at: start)
    }
  }

  private mutating func skipMagnitude(_ label: OrderedValue.Label) throws(CorruptBytes) {
    spend(8)
    let end: UInt8 = label == .negativeNumber ? 1 : 0
    while try readByte("number") & 1 != end {}
  }

  private mutating func readDimension() throws(CorruptBytes) -> Int {
    var dimension = 0
    for _ in 0..<4 { dimension = dimension &<< 8 | Int(try readByte("dimension")) }
    return dimension
  }

  private mutating func readNameLabel() throws(CorruptBytes) {
    let start = offset
    guard try readLabel() == .string else { throw CorruptBytes("field name", at: start) }
  }

  // MARK: Decoding

  fileprivate mutating func readValue(
    _ own: DatabaseID, _ kind: NumberKind, depth: Int
  ) throws(CorruptBytes) -> Value {
    let start = offset
    let label = try readLabel()
    switch label {
    case .null, .false, .true:
      spend(1)
      return label == .null ? .null : .boolean(label == .true)
    case .notANumber, .negativeNumber, .number: return try readNumber(label, kind, at: start)
    case .timestamp: return .timestamp(try readTimestamp())
    case .string: return .string(try readString())
    case .bytes:
      var bytes: [UInt8] = []
      try readEscaped { bytes.append($0) }
      return .bytes(bytes)
    case .referenceBelow, .reference, .referenceAbove:
      return .reference(try readName(label, own, at: start))
    case .geoPoint:
      let (latitude, longitude) = (try readDouble(), try readDouble())
      guard let point = try? GeoPoint(latitude: latitude, longitude: longitude) else {
        throw CorruptBytes("geo point", at: start)
      }
      return .geoPoint(point)
    case .array:
      try checkDepth(depth)
      var elements: [Value] = []
      while !isCut, try readHasMore() {
        elements.append(try readValue(own, .integerIfWhole, depth: depth + 1))
      }
      return .array(elements)
    case .vector: return .vector(try readVector())
    case .map:
      try checkDepth(depth)
      return .map(try readMap(own, depth: depth))
    }
  }

  private mutating func readNumber(
    _ label: OrderedValue.Label, _ kind: NumberKind, at start: Int
  ) throws(CorruptBytes) -> Value {
    spend(8)
    if label == .notANumber { return .double(.nan) }
    let isNegative = label == .negativeNumber
    let magnitude = try readMagnitude(isNegative: isNegative)
    guard let number = magnitude.number(kind, isNegative: isNegative) else {
      throw CorruptBytes("number of the flagged kind", at: start)
    }
    return number
  }

  private mutating func readDouble() throws(CorruptBytes) -> Double {
    let start = offset
    let label = try readLabel()
    guard label == .notANumber || label == .number || label == .negativeNumber,
      case .double(let value) = try readNumber(label, .double, at: start)
    else { throw CorruptBytes("number", at: start) }
    return value
  }

  private mutating func readTimestamp() throws(CorruptBytes) -> Timestamp {
    let start = offset
    spend(8)
    var bits: UInt64 = 0
    for _ in 0..<8 { bits = bits &<< 8 | UInt64(try readByte("timestamp")) }
    let microseconds = Int64(bitPattern: bits ^ 1 &<< 63)
    guard let timestamp = try? Timestamp(microseconds: microseconds) else {
      throw CorruptBytes("timestamp", at: start)
    }
    return timestamp
  }

  private mutating func readName(
    _ label: OrderedValue.Label, _ own: DatabaseID, at start: Int
  ) throws(CorruptBytes) -> DocumentName {
    var database = own
    if label != .reference {
      let project = try readString(isCounted: false)
      let id = try readString(isCounted: false)
      let expected: Ordering = label == .referenceBelow ? .less : .greater
      guard let foreign = try? DatabaseID(project: project, database: id),
        foreign.compare(own) == expected
      else { throw CorruptBytes("reference to another database", at: start) }
      database = foreign
    }
    var segments: [String] = []
    while !isCut, try readHasMore() { segments.append(try readString()) }
    return DocumentName(unchecked: ResourcePath(unchecked: segments), in: database)
  }

  private mutating func readVector() throws(CorruptBytes) -> [Double] {
    var elements: [Double] = []
    var count = try readDimension()
    while count > 0, try !readCutIfSpent() {
      elements.append(try readDouble())
      count &-= 1
    }
    return elements
  }

  /// Reads a map. A field that was cut before its value is left out.
  private mutating func readMap(
    _ own: DatabaseID, depth: Int
  ) throws(CorruptBytes) -> MapValue {
    var map = MapValue()
    while !isCut, try readHasMore() {
      let start = offset
      try readNameLabel()
      let name = try readString()
      if isCut { break }
      if try readCutIfSpent() { break }
      if let last = map.names.last, last.utf8Compare(name) != .less {
        throw CorruptBytes("field in order", at: start)
      }
      map.append(name, try readValue(own, .integerIfWhole, depth: depth + 1))
    }
    return map
  }
}
