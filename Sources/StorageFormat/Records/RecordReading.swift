import HearthDocumentModel

/// The first byte of a stored value.
package enum ValueTag: UInt8, Sendable {
  case null, `false`, `true`, integer, double, timestamp, string, bytes
  case reference, foreignReference, geoPoint, array, vector, map
}

extension ValueTag {
  /// The form of what follows a tag.
  enum Payload {
    /// A byte count and that many bytes.
    case counted
    case varint
    case fixed(Int)
    case vector
  }

  @inline(__always)
  var payload: Payload {
    switch self {
    case .string, .bytes, .reference, .foreignReference, .array, .map: .counted
    case .integer: .varint
    case .null, .false, .true: .fixed(0)
    case .double, .timestamp: .fixed(8)
    case .geoPoint: .fixed(16)
    case .vector: .vector
    }
  }
}

// The parts of a `DocumentRecord`; the table in its file shows the layout.
extension ByteReader {
  /// The deepest nesting of arrays and maps. Writes allow 20 (§1.2).
  private static var depthLimit: Int { 64 }

  mutating func readDocumentPath() throws(CorruptBytes) -> ResourcePath {
    let start = offset
    let count = try readCount("path")
    var segments: [String] = []
    segments.reserveCapacity(Swift.min(count, 64))
    for _ in 0..<count { segments.append(try readString("path segment")) }
    let path = ResourcePath(unchecked: segments)
    guard path.isDocument else { throw CorruptBytes("document path", at: start) }
    return path
  }

  /// Reads the last segment of a path that ``readDocumentPath()`` reads.
  mutating func readDocumentID() throws(CorruptBytes) -> String {
    let count = try readCount("path")
    for _ in 1..<Swift.max(count, 1) { try skipString("path segment") }
    return try readString("path segment")
  }

  /// Skips a path that ``readDocumentPath()`` reads.
  mutating func skipDocumentPath() throws(CorruptBytes) {
    let start = offset
    let count = try readCount("path")
    for _ in 0..<count {
      let segmentStart = offset
      let segment = try readBytes(readCount("path segment"), "path segment")
      guard segment.isUTF8 else {
        throw CorruptBytes("UTF-8 of path segment", at: segmentStart)
      }
    }
    guard count > 0, count.isMultiple(of: 2) else { throw CorruptBytes("document path", at: start) }
  }

  /// Whether the path that begins here is `path`.
  mutating func isPath(_ path: ResourcePath) -> Bool {
    guard (try? readCount("path")) == path.segments.count else { return false }
    for segment in path.segments {
      guard let count = try? readCount("path segment"),
        let bytes = try? readBytes(count, "path segment"),
        bytes.equals(segment.utf8.span.bytes)
      else { return false }
    }
    return true
  }

  @inline(__always)
  mutating func readTag() throws(CorruptBytes) -> ValueTag {
    let byte = try readByte("tag")
    // The tags are all numbers up to the last. The compiler would compare them one by one.
    guard byte <= ValueTag.map.rawValue else { throw CorruptBytes("tag", at: offset &- 1) }
    return unsafeBitCast(byte, to: ValueTag.self)
  }

  // MARK: One field

  /// Moves to the value of the field `wanted` in the map whose fields begin here. Returns `false`
  /// if the map doesn't have the field.
  @inline(__always)
  mutating func seekValue(named wanted: RawSpan) throws(CorruptBytes) -> Bool {
    let mark = FieldName.Mark(wanted)
    // A copy stays in registers.
    var here = self
    for _ in 0..<(try here.readCount("field count")) {
      let byteCount = try here.readCount("field name")
      let prefix = here.bytes.prefixInteger(at: here.offset, byteCount: byteCount)
      let start = here.offset
      try here.skip(byteCount, "field name")
      // The names are sorted, so none follows that is less.
      guard prefix <= mark.prefix else { return false }
      if prefix == mark.prefix, byteCount == mark.byteCount,
        byteCount <= 8 || here.bytes.extracting(start..<here.offset).equals(wanted)
      {
        self = here
        return true
      }
      try here.skipValue()
    }
    return false
  }

  /// Moves from a value to one in the maps inside it, by the names of their fields. Returns `false`
  /// if there is no such map or field.
  mutating func seekValue(inMaps names: ArraySlice<String>) throws(CorruptBytes) -> Bool {
    for name in names {
      guard try readTag() == .map else { return false }
      _ = try readCount("map")
      guard try seekValue(named: name.utf8.span.bytes) else { return false }
    }
    return true
  }

  @inline(__always)
  mutating func skipValue() throws(CorruptBytes) {
    switch try readTag().payload {
    case .counted: try skipString("value")
    case .varint: _ = try readVarint("integer")
    case .fixed(let byteCount): try skip(byteCount, "value")
    case .vector: try skip(try readDimension() &* 8, "vector")
    }
  }

  /// Whether the value that begins here may have values inside it.
  var isAtContainer: Bool {
    guard !isAtEnd else { return false }
    let tag = bytes.unsafeLoad(fromUncheckedByteOffset: offset, as: UInt8.self)
    return tag == ValueTag.array.rawValue || tag == ValueTag.map.rawValue
  }

  /// Returns the number of values in the value that begins here. A map counts with all values
  /// inside it, an array with its elements, each as one.
  mutating func countValues(depth: Int = 0) throws(CorruptBytes) -> Int {
    var ahead = self
    let tag = try ahead.readTag()
    guard tag == .array || tag == .map else {
      try skipValue()
      return 1
    }
    let end = try ahead.readEnclosedStart(depth)
    var count = 1
    if tag == .array {
      count &+= try ahead.readCount("element count")
      try ahead.skip(end &- ahead.offset, "array")
    } else {
      for _ in 0..<(try ahead.readCount("field count")) {
        try ahead.skipString("field name")
        count &+= try ahead.countValues(depth: depth + 1)
      }
    }
    try ahead.requireOffset(end)
    self = ahead
    return count
  }

  // MARK: Values

  mutating func readFields(_ own: DatabaseID, depth: Int) throws(CorruptBytes) -> MapValue {
    let count = try readCount("field count")
    var map = MapValue()
    map.reserveCapacity(Swift.min(count, 64))
    var last = bytes.extracting(offset..<offset)
    for index in 0..<count {
      let start = offset
      let name = try readUTF8("field name")
      let nameBytes = name.span.bytes
      // Look-ups rely on the order.
      guard index == 0 || last.precedes(nameBytes) else {
        throw CorruptBytes("field in order", at: start)
      }
      last = bytes.extracting((offset &- nameBytes.byteCount)..<offset)
      map.append(String(copying: name), try readFrequentValue(own, depth: depth))
    }
    return map
  }

  /// Reads the fields of a document, which has the names of the last one if `known` holds these.
  mutating func readFields(
    _ own: DatabaseID, sharing known: inout SharedNames
  ) throws(CorruptBytes) -> MapValue {
    var here = self
    if let values = try here.readValues(of: known, own) {
      self = here
      return MapValue(sortedNames: known.names, values)
    }
    let map = try readFields(own, depth: 0)
    known = SharedNames(map.names)
    return map
  }

  /// Reads the values of fields with these names; `nil` if the map has others.
  private mutating func readValues(
    of known: borrowing SharedNames, _ own: DatabaseID
  ) throws(CorruptBytes) -> [Value]? {
    let marks = known.marks.span
    guard try readCount("field count") == marks.count else { return nil }
    var values: [Value] = []
    values.reserveCapacity(marks.count)
    for index in marks.indices {
      let name = try readBytes(readCount("field name"), "field name")
      guard marks[unchecked: index] == FieldName.Mark(name) else { return nil }
      values.append(try readFrequentValue(own, depth: 0))
    }
    return values
  }

  /// Reads what ``readValue(_:depth:)`` reads, and values of the most frequent types without a
  /// call of its own.
  @inline(__always)
  mutating func readFrequentValue(
    _ own: DatabaseID, depth: Int
  ) throws(CorruptBytes) -> Value {
    var here = self
    let value: Value
    switch try here.readTag() {
    case .integer: value = .integer(try here.readSigned("integer"))
    case .string: value = .string(String(copying: try here.readUTF8("string")))
    case .false: value = .boolean(false)
    case .true: value = .boolean(true)
    default: return try readValue(own, depth: depth)
    }
    self = here
    return value
  }

  mutating func readValue(_ own: DatabaseID, depth: Int) throws(CorruptBytes) -> Value {
    switch try readTag() {
    case .null: return .null
    case .false: return .boolean(false)
    case .true: return .boolean(true)
    case .integer: return .integer(try readSigned("integer"))
    case .double: return .double(try readDouble("double"))
    case .timestamp: return .timestamp(try readTimestamp("timestamp"))
    case .string: return .string(try readString("string"))
    case .bytes: return .bytes(try readByteArray("bytes"))
    case .reference: return .reference(try readName(in: own))
    case .foreignReference: return .reference(try readName(in: nil))
    case .geoPoint: return .geoPoint(try readGeoPoint())
    case .array: return .array(try readArray(own, depth: depth))
    case .vector: return .vector(try readVector())
    case .map:
      let end = try readEnclosedStart(depth)
      let map = try readFields(own, depth: depth + 1)
      try requireOffset(end)
      return .map(map)
    }
  }

  /// Reads a byte count, and returns the end of the bytes that it counts.
  mutating func readEnclosedStart(_ depth: Int) throws(CorruptBytes) -> Int {
    guard depth < ByteReader.depthLimit else { throw CorruptBytes("shallower value", at: offset) }
    let count = try readCount("byte count")
    return offset &+ count
  }

  func requireOffset(_ end: Int) throws(CorruptBytes) {
    guard offset == end else { throw CorruptBytes("value of its length", at: offset) }
  }

  private mutating func readArray(
    _ own: DatabaseID, depth: Int
  ) throws(CorruptBytes) -> [Value] {
    let end = try readEnclosedStart(depth)
    let count = try readCount("element count")
    var elements: [Value] = []
    elements.reserveCapacity(Swift.min(count, 64))
    for _ in 0..<count { elements.append(try readValue(own, depth: depth + 1)) }
    try requireOffset(end)
    return elements
  }

  private mutating func readDimension() throws(CorruptBytes) -> Int {
    let start = offset
    let dimension = try readVarint("dimension")
    guard dimension <= UInt64(remainingByteCount / 8) else {
      throw CorruptBytes("dimension", at: start)
    }
    return Int(dimension)
  }

  mutating func readVector() throws(CorruptBytes) -> [Double] {
    let dimension = try readDimension()
    var elements = [Double](repeating: 0, count: dimension)
    try readDoubles(into: &elements, "vector")
    return elements
  }

  mutating func readGeoPoint() throws(CorruptBytes) -> GeoPoint {
    let start = offset
    let (latitude, longitude) = (try readDouble("latitude"), try readDouble("longitude"))
    guard let point = try? GeoPoint(latitude: latitude, longitude: longitude) else {
      throw CorruptBytes("geo point", at: start)
    }
    return point
  }

  /// - Parameter own: the database of the name; `nil` if the database stands before the path.
  private mutating func readName(in own: DatabaseID?) throws(CorruptBytes) -> DocumentName {
    let count = try readCount("reference")
    let end = offset &+ count
    let database = if let own { own } else { try readDatabase() }
    let path = try readDocumentPath()
    try requireOffset(end)
    return DocumentName(unchecked: path, in: database)
  }
}
