package import HearthDocumentModel

// The value under an index entry's key:
//
//   document number   varint
//   flags             one byte for each column, in their order; zero bytes at the end left out
//   vector            10, then its elements, 8 bytes each, little-endian: in vector indexes only
//   record            20, then the document's `DocumentRecord`: in covering indexes only
//
// The flags of a column:
//
//   bits 0-1          the number's kind (`NumberKind`)
//   bit 2             cut: the key has not all of the value (§3.6)
//   bit 3             inexact: the key's array, map or vector decodes to one of equal order,
//                     but not the very value
//
// An entry whose key holds everything has the number alone. In the key index of collection scope,
// eight zero bytes follow it, as flags of no column. A vector stands here and not in the
// key: it sorts nothing, and a search reads every element of it (§4.10). No entry has both a vector
// and a record. An entry of a covering index has no record if the document's is too long.

/// The facts about one column of an index entry that its key doesn't hold.
package struct ColumnFlags: Sendable, Hashable {
  package let rawValue: UInt8

  package static let none = ColumnFlags(rawValue: 0)
  private static let cutBit: UInt8 = 4
  private static let inexactBit: UInt8 = 8

  private init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  fileprivate init(stored: UInt8, at offset: Int) throws(CorruptBytes) {
    guard stored < 16, NumberKind(rawValue: stored & 3) != nil else {
      throw CorruptBytes("column flags", at: offset)
    }
    rawValue = stored
  }

  /// Creates the flags of `value` in a column. The encoder reports whether the column was cut.
  package init(_ value: Value, isCut: Bool) {
    rawValue =
      switch value {
      case _ where isCut: ColumnFlags.cutBit
      case .double(let number): NumberKind(number).rawValue
      case .array, .map, .vector: value.isExactInKey ? 0 : ColumnFlags.inexactBit
      default: 0
      }
  }

  package var isCut: Bool { rawValue & ColumnFlags.cutBit != 0 }
  package var isInexact: Bool { rawValue & ColumnFlags.inexactBit != 0 }
  package var kind: NumberKind { NumberKind(rawValue: rawValue & 3) ?? .integerIfWhole }
}

extension [ColumnFlags] {
  /// Adds the flags of an entry's column behind those of earlier ones. The list ends with the last
  /// column that has any, and most entries have an empty list.
  @inline(__always)
  package mutating func add(_ flags: ColumnFlags, at column: Int) {
    guard flags != .none else { return }
    while count < column { append(.none) }
    append(flags)
  }
}

/// The bytes under an index entry's key.
package enum EntryValue {
  /// The byte before a vector; every flags byte is smaller.
  private static let vectorMark: UInt8 = 0x10
  private static let recordMark: UInt8 = 0x20
  /// The size in bytes of the longest record that an entry carries. For a longer one the document
  /// is read instead.
  package static let recordByteCountLimit = 4096

  /// - Parameters:
  ///   - vector: the document's vector in a vector index; empty in other indexes.
  ///   - record: the document's record in a covering index; empty in other indexes.
  package static func append(
    documentNumber: UInt64, flags: [ColumnFlags] = [], vector: [Double] = [],
    record: [UInt8] = [], to bytes: inout [UInt8]
  ) {
    bytes.appendVarint(documentNumber)
    if let last = flags.lastIndex(where: { $0 != .none }) {
      for flag in flags[...last] { bytes.append(flag.rawValue) }
    }
    if !vector.isEmpty {
      bytes.append(vectorMark)
      for element in vector { bytes.appendDouble(element) }
    } else if !record.isEmpty, record.count <= recordByteCountLimit {
      bytes.append(recordMark)
      bytes += record
    }
  }

  /// Returns the document's number, and whether any column was cut. If so, the document itself has
  /// to be compared.
  ///
  /// It allocates nothing, and reads no element of a vector and nothing of a record.
  ///
  /// - Throws: ``CorruptBytes`` for bytes that `append` doesn't write.
  package static func read(
    _ bytes: RawSpan
  ) throws(CorruptBytes) -> (documentNumber: UInt64, anyCut: Bool) {
    var reader = ByteReader(bytes)
    let number = try reader.readVarint("document number")
    var anyCut = false
    while let flags = try readFlags(&reader) { anyCut = anyCut || flags.isCut }
    return (number, anyCut)
  }

  /// Returns the document's number.
  ///
  /// - Throws: ``CorruptBytes``.
  package static func documentNumber(_ bytes: RawSpan) throws(CorruptBytes) -> UInt64 {
    if let number = bytes.shortVarint { return number }
    var reader = ByteReader(bytes)
    return try reader.readVarint("document number")
  }

  /// Reads the flags of the next column; `nil` after the last column that has any. The reader then
  /// stands at the vector's elements or the record, if there is one.
  private static func readFlags(
    _ reader: inout ByteReader
  ) throws(CorruptBytes) -> ColumnFlags? {
    guard !reader.isAtEnd else { return nil }
    let offset = reader.offset
    let byte = try reader.readByte("column flags")
    if byte == recordMark {
      guard !reader.isAtEnd else { throw CorruptBytes("record", at: offset) }
      return nil
    }
    guard byte == vectorMark else { return try ColumnFlags(stored: byte, at: offset) }
    guard !reader.isAtEnd, reader.remainingByteCount.isMultiple(of: 8) else {
      throw CorruptBytes("vector", at: offset)
    }
    return nil
  }

  /// Returns the flags of one column.
  ///
  /// - Throws: ``CorruptBytes``.
  package static func flags(
    at column: Int, in bytes: RawSpan
  ) throws(CorruptBytes) -> ColumnFlags {
    var reader = ByteReader(bytes)
    _ = try reader.readVarint("document number")
    var flags: ColumnFlags?
    var index = 0
    repeat {
      flags = try readFlags(&reader)
      index &+= 1
    } while flags != nil && index <= column
    return column < 0 ? .none : flags ?? .none
  }

  /// Replaces the elements of `vector` by the entry's vector, which has the same dimension.
  ///
  /// - Throws: ``CorruptBytes``, also if the entry has no vector of that dimension.
  package static func readVector(
    into vector: inout [Double], from bytes: RawSpan
  ) throws(CorruptBytes) {
    var reader = ByteReader(bytes)
    _ = try reader.readVarint("document number")
    while try readFlags(&reader) != nil {}
    guard reader.remainingByteCount == vector.count &* 8 else {
      throw CorruptBytes("vector of dimension \(vector.count)", at: reader.offset)
    }
    try reader.readDoubles(into: &vector, "vector")
  }
}

// MARK: Covering entries

extension EntryValue {
  /// Returns the document's record; `nil` if the entry has none.
  ///
  /// The bytes belong to the owner of `bytes`. The record itself is not read.
  ///
  /// - Throws: ``CorruptBytes``.
  @_lifetime(copy bytes)
  package static func record(in bytes: RawSpan) throws(CorruptBytes) -> RawSpan? {
    guard let start = try recordStart(in: bytes) else { return nil }
    return bytes.extracting(droppingFirst: start)
  }

  /// Returns the value without the document's record, as in an index that is not covering.
  ///
  /// - Throws: ``CorruptBytes``.
  package static func withoutRecord(_ bytes: [UInt8]) throws(CorruptBytes) -> [UInt8] {
    guard let start = try recordStart(in: bytes.span.bytes) else { return bytes }
    return Array(bytes[..<(start - 1)])
  }

  /// Returns the offset after the record's mark; `nil` if there is no record.
  private static func recordStart(in bytes: RawSpan) throws(CorruptBytes) -> Int? {
    var reader = ByteReader(bytes)
    _ = try reader.readVarint("document number")
    var isRecord = false
    while !reader.isAtEnd {
      isRecord =
        bytes.unsafeLoad(fromUncheckedByteOffset: reader.offset, as: UInt8.self)
        == recordMark
      guard try readFlags(&reader) != nil else { return isRecord ? reader.offset : nil }
    }
    return nil
  }
}

extension NumberKind {
  /// Creates the kind that distinguishes the double from the other numbers with its encoding.
  fileprivate init(_ value: Double) {
    if value == 0, value.sign == .minus {
      self = .negativeZero
    } else {
      self = Int64(exactly: value) == nil ? .integerIfWhole : .double
    }
  }
}

extension Value {
  /// Whether decoding the column gives exactly this value. The kind of a top-level number is stored
  /// apart.
  fileprivate var isExactInKey: Bool {
    switch self {
    case .double(let value): NumberKind(value) == .integerIfWhole
    case .array(let elements): elements.allSatisfy(\.isExactInKey)
    case .map(let map): map.allSatisfy { $0.value.isExactInKey }
    case .vector(let elements): elements.allSatisfy { NumberKind($0) != .negativeZero }
    default: true
    }
  }
}

extension RawSpan {
  /// The varint of two or three bytes with which the bytes begin, as most numbers of documents are;
  /// `nil` for any other.
  @inline(__always)
  fileprivate var shortVarint: UInt64? {
    guard byteCount >= 2 else { return nil }
    let first = UInt64(unsafeLoad(fromUncheckedByteOffset: 0, as: UInt8.self))
    let second = UInt64(unsafeLoad(fromUncheckedByteOffset: 1, as: UInt8.self))
    guard first >= 0x80 else { return nil }
    if second < 0x80 { return second > 0 ? first & 0x7F | second &<< 7 : nil }
    guard byteCount >= 3 else { return nil }
    let third = UInt64(unsafeLoad(fromUncheckedByteOffset: 2, as: UInt8.self))
    guard third < 0x80, third > 0 else { return nil }
    return first & 0x7F | (second & 0x7F) &<< 7 | third &<< 14
  }
}
