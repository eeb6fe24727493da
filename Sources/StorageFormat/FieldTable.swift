import DocumentModel

/// Where the fields of a record stand, noted once for all who look them up later: 16 bytes each.
struct FieldTable: Sendable {
  fileprivate struct Field: Sendable {
    /// The name's first eight bytes, which tell most names apart.
    let prefix: UInt64
    /// Where the value stands; the name ends there.
    let place: UInt32
    let nameByteCount: UInt16
    /// Whether the name, written as it is, is the field's path.
    let isPlain: Bool
  }

  private let fields: [Field]

  /// - Throws: ``CorruptBytes``.
  init(_ reader: inout ByteReader) throws(CorruptBytes) {
    var fields: [Field] = []
    let count = try reader.readCount("field count")
    fields.reserveCapacity(Swift.min(count, 64))
    for _ in 0..<count {
      let start = reader.offset
      let name = try reader.readBytes(reader.readCount("field name"), "field name")
      guard let byteCount = UInt16(exactly: name.byteCount),
        let place = UInt32(exactly: reader.offset)
      else { throw CorruptBytes("short field name", at: start) }
      fields.append(
        Field(
          prefix: name.prefixInteger(at: 0, byteCount: name.byteCount), place: place,
          nameByteCount: byteCount, isPlain: name.isPlainFieldName))
      try reader.skipValue()
    }
    self.fields = fields
  }

  /// The memory that it takes.
  var byteCount: Int { 32 + fields.count * MemoryLayout<Field>.stride }

  /// The place of the field whose path is written like that, if that is one plain name and the
  /// record has it.
  @inline(__always)
  func place(ofPlainName name: RawSpan, in bytes: RawSpan) -> Int? {
    let byteCount = name.byteCount
    let prefix = name.prefixInteger(at: 0, byteCount: byteCount)
    let fields = fields.span
    for index in fields.indices {
      let field = fields[unchecked: index]
      guard field.prefix == prefix, Int(field.nameByteCount) == byteCount, field.isPlain
      else { continue }
      let place = Int(field.place)
      // A short name's prefix holds all of it.
      guard byteCount <= 8 || bytes.ends(with: name, at: place) else { continue }
      return place
    }
    return nil
  }
}

extension RawSpan {
  /// Whether the bytes before `end` are those of a name of more than eight, whose first eight were
  /// compared.
  @inline(__always)
  fileprivate func ends(with name: RawSpan, at end: Int) -> Bool {
    guard end <= byteCount, name.byteCount <= end else { return false }
    let start = end &- name.byteCount
    guard name.byteCount > 16 else {
      return suffixInteger(endingAt: end) == name.suffixInteger(endingAt: name.byteCount)
    }
    return extracting(start..<end).compare(name) == .equal
  }
}
