import DocumentModel

/// The fields of one map of a record: finds a field by its name without decoding any other.
///
/// - Complexity: one pass over the map's names when it is made; a look-up compares a few integers.
package struct StoredMap: Sendable {
  /// A field's name, and where its value stands.
  fileprivate struct Field {
    /// The first eight bytes of the name, the first in the highest place, zeros behind a shorter
    /// one: most names differ in them.
    let prefix: UInt64
    let nameOffset: Int
    let nameByteCount: Int
    let place: Int
  }

  private let fields: [Field]
  /// Where the map itself stands.
  package let place: Int

  package var count: Int { fields.count }

  /// Up to this many fields, trying one after the other is fastest.
  private static let linearLimit = 12

  /// - Parameters:
  ///   - reader: at the count of the map's fields.
  ///   - place: where the map itself stands.
  ///   - bytes: the record's, the same that are read.
  fileprivate init(
    _ reader: inout ByteReader, place: Int, of bytes: RawSpan
  ) throws(CorruptBytes) {
    let count = try reader.readCount("field count")
    var fields: [Field] = []
    fields.reserveCapacity(Swift.min(count, 64))
    var last = Field(prefix: 0, nameOffset: 0, nameByteCount: 0, place: 0)
    for index in 0..<count {
      let start = reader.offset
      let nameByteCount = try reader.readCount("field name")
      let nameOffset = reader.offset
      let name = try reader.readBytes(nameByteCount, "field name")
      let prefix = name.prefixInteger
      // Look-ups rely on the order.
      if index > 0, last.prefix >= prefix, last.name(in: bytes).compare(name) != .less {
        throw CorruptBytes("field in order", at: start)
      }
      last = Field(
        prefix: prefix, nameOffset: nameOffset, nameByteCount: nameByteCount, place: reader.offset)
      fields.append(last)
      try reader.skipValue()
    }
    self.fields = fields
    self.place = place
  }

  /// Where the value of a field stands, or `nil` if the map doesn't have it. Names are compared by
  /// their bytes.
  package func place(of name: String, in stored: StoredFields) -> Int? {
    let name = name.utf8.span.bytes
    let prefix = name.prefixInteger
    let bytes = stored.bytes.span.bytes
    if fields.count <= StoredMap.linearLimit {
      let fields = fields.span
      for index in fields.indices where fields[unchecked: index].prefix == prefix {
        let field = fields[unchecked: index]
        guard field.nameByteCount == name.byteCount else { continue }
        if name.byteCount <= 8 || field.name(in: bytes).compare(name) == .equal {
          return field.place
        }
      }
      return nil
    }
    var low = 0
    var high = fields.count
    while low < high {
      let middle = (low &+ high) / 2
      let field = fields[middle]
      let order =
        field.prefix != prefix
        ? Ordering(field.prefix, prefix) : field.name(in: bytes).compare(name)
      switch order {
      case .less: low = middle &+ 1
      case .equal: return field.place
      case .greater: high = middle
      }
    }
    return nil
  }

  /// Where the value of the field at `index` in the order of names stands.
  package func place(at index: Int) -> Int { fields[index].place }

  /// The name of the field at `index`.
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
  /// The bytes belong to the owner of `bytes`.
  @_lifetime(copy bytes)
  fileprivate func name(in bytes: RawSpan) -> RawSpan {
    bytes.extracting(nameOffset..<(nameOffset &+ nameByteCount))
  }
}

extension RawSpan {
  /// The first eight bytes, the first in the highest place, zeros behind fewer.
  @inline(__always)
  fileprivate var prefixInteger: UInt64 {
    func bits(_ integer: some FixedWidthInteger, endingAt count: Int) -> UInt64 {
      UInt64(truncatingIfNeeded: integer.bigEndian) &<< UInt64(truncatingIfNeeded: 64 &- 8 &* count)
    }
    // Loads that overlap, instead of a loop over single bytes.
    switch byteCount {
    case 8...: return unsafeLoadUnaligned(fromUncheckedByteOffset: 0, as: UInt64.self).bigEndian
    case 4...:
      return bits(unsafeLoadUnaligned(fromUncheckedByteOffset: 0, as: UInt32.self), endingAt: 4)
        | bits(
          unsafeLoadUnaligned(fromUncheckedByteOffset: byteCount &- 4, as: UInt32.self),
          endingAt: byteCount)
    case 1...:
      let (middle, last) = (byteCount / 2, byteCount &- 1)
      return bits(unsafeLoad(fromUncheckedByteOffset: 0, as: UInt8.self), endingAt: 1)
        | bits(unsafeLoad(fromUncheckedByteOffset: middle, as: UInt8.self), endingAt: middle &+ 1)
        | bits(unsafeLoad(fromUncheckedByteOffset: last, as: UInt8.self), endingAt: byteCount)
    default: return 0
    }
  }
}

extension StoredFields {
  /// The map that stands at `place`; ``root`` is the place of the document's own fields. `nil` for
  /// a value of another type.
  ///
  /// - Throws: ``CorruptBytes``.
  package func map(at place: Int) throws(CorruptBytes) -> StoredMap? {
    let bytes = bytes.span.bytes
    var reader = ByteReader(bytes, at: place)
    guard place != root else {
      let map = try StoredMap(&reader, place: place, of: bytes)
      try reader.requireEnd()
      return map
    }
    guard try reader.readTag() == .map else { return nil }
    let end = try reader.readEnclosedStart(0)
    let map = try StoredMap(&reader, place: place, of: bytes)
    try reader.requireOffset(end)
    return map
  }
}
