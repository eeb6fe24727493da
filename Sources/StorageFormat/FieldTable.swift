import HearthDocumentModel

/// The places of a record's fields, noted once for all later look-ups: 16 bytes for each field.
struct FieldTable: Sendable {
  fileprivate struct Field: Sendable {
    /// The name's first eight bytes, in which most names differ.
    let prefix: UInt64
    /// The offset of the value, which is also the end of the name.
    let place: UInt32
    let nameByteCount: UInt16
    /// Whether the name is also the text of the field's path.
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

  /// The memory that the table takes, in bytes.
  var byteCount: Int { 32 + fields.count * MemoryLayout<Field>.stride }

  /// Returns the place of the value of the field whose path is written `name`; `nil` if that is no
  /// plain name, or the record doesn't have the field.
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
  /// Whether the bytes before `end` equal `name`. The name has more than eight bytes, and the first
  /// eight were compared before.
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
