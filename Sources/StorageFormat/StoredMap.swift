import HearthDocumentModel

/// The fields of one map of a record. It finds a field by its name without decoding any other.
///
/// One object can read one map after another, in the same memory.
///
/// - Complexity: one pass over the map's names when it is read; a look-up compares a few integers.
package final class StoredMap {
  /// A field's name and the place of its value.
  fileprivate struct Field {
    /// The first eight bytes of the name as a big-endian number, padded with zeros. Most names
    /// differ in them.
    let prefix: UInt64
    let nameOffset: Int
    let nameByteCount: Int
    let place: Int
  }

  /// The fields in the order of names. Fields of an earlier map may follow them.
  @exclusivity(unchecked) private var fields: [Field] = []
  @exclusivity(unchecked) package private(set) var count = 0
  /// The place of the map itself.
  @exclusivity(unchecked) package private(set) var place = 0

  /// The number of fields up to which a linear search is fastest.
  private static let linearLimit = 12

  /// Creates a map without fields.
  package init() {}

  /// - Parameters:
  ///   - reader: a reader at the count of the map's fields.
  ///   - place: the place of the map itself.
  ///   - bytes: the record's bytes, which `reader` reads.
  fileprivate func read(
    _ reader: inout ByteReader, place: Int, of bytes: RawSpan
  ) throws(CorruptBytes) {
    count = 0
    self.place = place
    // A copy stays in registers.
    var here = reader
    let count = try here.readCount("field count")
    var lastPrefix: UInt64 = 0
    // Room grows with the fields that are read: the count may be damaged.
    while self.count < count {
      let start = self.count
      let room = Swift.min(count, Swift.max(start &* 2, 32))
      while fields.count < room { fields.append(Field.none) }
      var span = fields.mutableSpan
      for index in start..<room {
        let field = try here.readFieldName(of: bytes)
        // Look-ups rely on the order.
        if field.prefix <= lastPrefix, index > 0,
          !span[unchecked: index &- 1].precedes(field, in: bytes)
        {
          throw CorruptBytes("field in order", at: here.offset)
        }
        lastPrefix = field.prefix
        span[unchecked: index] = field
        try here.skipValue()
      }
      self.count = room
    }
    reader = here
  }

  /// Returns the place of a field's value; `nil` if the map doesn't have the field. Names are
  /// compared by their bytes.
  package func place(of name: FieldName, in stored: StoredFields) -> Int? {
    index(of: name, in: stored).map { fields[$0].place }
  }

  /// Returns the place of the value of the field at one of two indexes, if the field has that name.
  package func place(
    at index: Int, or other: Int, ifNamed mark: FieldName.Mark, in stored: StoredFields
  ) -> Int? {
    place(at: index, ifNamed: mark, stored) ?? place(at: other, ifNamed: mark, stored)
  }

  @inline(__always)
  private func place(at index: Int, ifNamed mark: FieldName.Mark, _ stored: StoredFields) -> Int? {
    guard index < count else { return nil }
    let field = fields[index]
    guard field.prefix == mark.prefix, field.nameByteCount == mark.byteCount else { return nil }
    guard mark.byteCount > 8 else { return field.place }
    let end = field.nameOffset &+ field.nameByteCount
    return stored.bytes.span.bytes.suffixInteger(endingAt: end) == mark.suffix ? field.place : nil
  }

  /// Returns the index of a field in the order of names; `nil` if the map doesn't have it.
  package func index(of name: FieldName, in stored: StoredFields) -> Int? {
    let bytes = stored.bytes.span.bytes
    let prefix = name.mark.prefix
    if count <= StoredMap.linearLimit {
      for index in 0..<count where fields[index].prefix == prefix {
        let field = fields[index]
        guard field.nameByteCount == name.mark.byteCount else { continue }
        // A short name's prefix holds all of its bytes.
        if field.nameByteCount <= 8 || name.compare(field.name(in: bytes)) == .equal {
          return index
        }
      }
      return nil
    }
    var low = 0
    var high = count
    while low < high {
      let middle = (low &+ high) / 2
      let field = fields[middle]
      let order =
        field.prefix != prefix
        ? Ordering(prefix, field.prefix) : name.compare(field.name(in: bytes))
      switch order {
      case .greater: low = middle &+ 1
      case .equal: return middle
      case .less: high = middle
      }
    }
    return nil
  }

  /// Returns the place of the value of the field at `index` in the order of names.
  package func place(at index: Int) -> Int { fields[index].place }

  /// Returns the name of the field at `index`.
  ///
  /// - Throws: ``CorruptBytes`` if it is no UTF-8.
  package func name(
    at index: Int, in stored: StoredFields
  ) throws(CorruptBytes) -> String {
    let field = fields[index]
    guard let name = String(validatingUTF8: field.name(in: stored.bytes.span.bytes)) else {
      throw CorruptBytes("UTF-8 of field name", at: field.nameOffset)
    }
    return name
  }
}

extension StoredMap.Field {
  /// Returns the bytes of the name. They belong to the owner of `bytes`.
  @_lifetime(copy bytes)
  fileprivate func name(in bytes: RawSpan) -> RawSpan {
    bytes.extracting(nameOffset..<(nameOffset &+ nameByteCount))
  }
}

/// A field name to look up in stored maps.
package struct FieldName: Sendable {
  /// The parts of a name that are compared before its text.
  package struct Mark: Sendable {
    fileprivate let prefix: UInt64
    /// The last eight bytes of a name of nine or more bytes; 0 for a shorter one.
    fileprivate let suffix: UInt64
    fileprivate let byteCount: Int

    /// Whether the mark identifies the name: no other name has the same mark.
    package var isWhole: Bool { byteCount <= 16 }
  }

  package let text: String
  package let mark: Mark

  package init(_ text: String) {
    let bytes = text.utf8.span.bytes
    let count = bytes.byteCount
    self.text = text
    mark = Mark(
      prefix: bytes.prefixInteger(at: 0, byteCount: count),
      suffix: count > 8 ? bytes.suffixInteger(endingAt: count) : 0, byteCount: count)
  }

  fileprivate func compare(_ bytes: RawSpan) -> Ordering { text.utf8.span.bytes.compare(bytes) }
}

extension ByteReader {
  /// Reads a field's name, up to the field's value.
  @inline(__always)
  fileprivate mutating func readFieldName(
    of bytes: RawSpan
  ) throws(CorruptBytes) -> StoredMap.Field {
    let byteCount = try readCount("field name")
    let nameOffset = offset
    try skip(byteCount, "field name")
    return StoredMap.Field(
      prefix: bytes.prefixInteger(at: nameOffset, byteCount: byteCount), nameOffset: nameOffset,
      nameByteCount: byteCount, place: offset)
  }
}

extension StoredMap.Field {
  fileprivate static let none = StoredMap.Field(
    prefix: 0, nameOffset: 0, nameByteCount: 0, place: 0)

  @inline(never)
  fileprivate func precedes(_ other: StoredMap.Field, in bytes: RawSpan) -> Bool {
    name(in: bytes).compare(other.name(in: bytes)) == .less
  }
}

extension RawSpan {
  /// Returns the first eight bytes of a name as a big-endian number. Zeros replace bytes after the
  /// end of the name or of the span.
  @inline(__always)
  func prefixInteger(at offset: Int, byteCount count: Int) -> UInt64 {
    guard offset &+ 8 <= byteCount else { return lastPrefixInteger(at: offset, byteCount: count) }
    let bits = unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt64.self).bigEndian
    return count >= 8 ? bits : bits & ~(UInt64.max &>> UInt64(truncatingIfNeeded: 8 &* count))
  }

  /// Returns the eight bytes before `end`, which must be at least 8.
  @inline(__always)
  func suffixInteger(endingAt end: Int) -> UInt64 {
    unsafeLoadUnaligned(fromUncheckedByteOffset: end &- 8, as: UInt64.self)
  }

  /// Returns the prefix of a name that has fewer than eight bytes or lies at the end of the span.
  @inline(__always)
  private func lastPrefixInteger(at offset: Int, byteCount count: Int) -> UInt64 {
    guard count < 8, count >= 4, offset &+ count <= byteCount else {
      return lastPrefixIntegerByBytes(at: offset, byteCount: count)
    }
    // The first four bytes and the last four, which overlap.
    let first = unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt32.self).bigEndian
    let last = unsafeLoadUnaligned(
      fromUncheckedByteOffset: offset &+ count &- 4, as: UInt32.self
    ).bigEndian
    let bits = UInt64(first) &<< 32
    return bits | UInt64(last) &<< UInt64(truncatingIfNeeded: 8 &* (8 &- count))
  }

  @inline(never)
  private func lastPrefixIntegerByBytes(at offset: Int, byteCount count: Int) -> UInt64 {
    var bits: UInt64 = 0
    for index in 0..<8 {
      let place = offset &+ index
      let byte =
        index < count && place < byteCount
        ? unsafeLoad(fromUncheckedByteOffset: place, as: UInt8.self) : 0
      bits = bits &<< 8 | UInt64(byte)
    }
    return bits
  }
}

extension StoredFields {
  /// Returns the map at `place`; `nil` for a value of another type. ``root`` is the place of the
  /// document's own fields.
  ///
  /// - Throws: ``CorruptBytes``.
  package func map(at place: Int) throws(CorruptBytes) -> StoredMap? {
    let map = StoredMap()
    return try read(map, at: place) ? map : nil
  }

  /// Reads the map at `place` into `map`, and replaces its contents.
  ///
  /// - Returns: `false` for a value of another type.
  /// - Throws: ``CorruptBytes``.
  package func read(_ map: StoredMap, at place: Int) throws(CorruptBytes) -> Bool {
    let bytes = bytes.span.bytes
    var reader = ByteReader(bytes, at: place)
    guard place != root else {
      try map.read(&reader, place: place, of: bytes)
      try reader.requireEnd()
      return true
    }
    guard try reader.readTag() == .map else { return false }
    let end = try reader.readEnclosedStart(0)
    try map.read(&reader, place: place, of: bytes)
    try reader.requireOffset(end)
    return true
  }
}
