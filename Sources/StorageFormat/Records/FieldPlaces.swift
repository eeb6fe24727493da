import HearthDocumentModel

/// The places of the fields of one map, found in one pass over its names. A field is then found
/// without reading any other.
///
/// One value can read one map after another, into the same memory.
package struct FieldPlaces: Sendable {
  /// The fields in the order of names. Fields of an earlier map may follow them.
  private var fields: [Field] = []
  package private(set) var count = 0
  /// The place of the map itself.
  package private(set) var place = 0

  /// Creates the places of a map without fields.
  package init() {}

  /// Reads the names of a map.
  ///
  /// - Parameters:
  ///   - reader: a reader at the count of the map's fields; it moves to the map's end.
  ///   - place: the place of the map itself.
  /// - Throws: ``CorruptBytes``.
  mutating func read(_ reader: inout ByteReader, place: Int) throws(CorruptBytes) {
    count = 0
    self.place = place
    // A copy stays in registers.
    var here = reader
    let count = try here.readCount("field count")
    // Room grows with the fields that are read: the count may be damaged.
    while self.count < count {
      let room = Swift.min(count, Swift.max(self.count &* 2, 32))
      if fields.count < room {
        fields.append(contentsOf: repeatElement(Field.none, count: room - fields.count))
      }
      try fields.withUnsafeMutableBufferPointer { (fields) throws(CorruptBytes) in
        try here.readFields(
          self.count..<room, of: fields.baseAddress.unsafelyUnwrapped, notingPlainNames: false)
      }
      self.count = room
    }
    reader = here
  }

  /// The places without a reference that is counted. They live as long as this value, unchanged.
  @inline(__always)
  var borrowed: BorrowedFieldPlaces {
    BorrowedFieldPlaces(
      fields: fields.withUnsafeBufferPointer { $0.baseAddress }, count: count, place: place)
  }

  /// Returns the place of the value of the field at `index` in the order of names.
  package func place(at index: Int) -> Int { fields[index].place }

  /// Returns the name of the field at `index`.
  ///
  /// - Parameter bytes: the bytes that the map was read from.
  /// - Throws: ``CorruptBytes`` if it is no UTF-8.
  package func name(at index: Int, in bytes: RawSpan) throws(CorruptBytes) -> String {
    defer { withExtendedLifetime(self) {} }
    return try borrowed.name(at: index, in: bytes)
  }

  /// Returns the index of a field in the order of names; `nil` if the map doesn't have it.
  ///
  /// - Parameter bytes: the bytes that the map was read from.
  package func index(of name: FieldName, in bytes: RawSpan) -> Int? {
    defer { withExtendedLifetime(self) {} }
    return borrowed.index(of: name, in: bytes)
  }
}

/// The places of the fields of one map, which another value keeps alive.
///
/// Its calls take the bytes that the map was read from.
///
/// - Complexity: a look-up compares a few integers, and the bytes of one name.
package struct BorrowedFieldPlaces {
  fileprivate var fields: UnsafePointer<FieldPlaces.Field>?
  package fileprivate(set) var count = 0
  /// The place of the map itself.
  package fileprivate(set) var place = 0

  /// The number of fields up to which a linear search is fastest.
  private static let linearLimit = 12

  // MARK: By index

  /// Returns the place of the value of the field at `index` in the order of names.
  package func place(at index: Int) -> Int { field(at: index).place }

  /// Returns the name of the field at `index`.
  ///
  /// - Throws: ``CorruptBytes`` if it is no UTF-8.
  package func name(at index: Int, in bytes: RawSpan) throws(CorruptBytes) -> String {
    let name = field(at: index).name(in: bytes)
    guard let name = String(validatingUTF8: name) else {
      throw CorruptBytes("UTF-8 of field name", at: place(at: index) &- name.byteCount)
    }
    return name
  }

  @inline(__always)
  fileprivate func field(at index: Int) -> FieldPlaces.Field {
    precondition(index >= 0 && index < count)
    return self[unchecked: index]
  }

  @inline(__always)
  private subscript(unchecked index: Int) -> FieldPlaces.Field {
    // There are some if there is an index.
    fields.unsafelyUnwrapped[index]
  }

  /// Returns the place of the value of the field at `index`, if there is one and it has that name.
  @inline(__always)
  func place(at index: Int, ifNamed name: FieldName.Probe, in bytes: RawSpan) -> Int? {
    guard index < count else { return nil }
    let field = self[unchecked: index]
    return field.isNamed(name, in: bytes) ? field.place : nil
  }

  /// Whether the field at `index` and the one before it show that no field has the name of `mark`.
  ///
  /// - Returns: `false` too if the first bytes of their names don't tell.
  func lacks(_ mark: FieldName.Mark, at index: Int, in bytes: RawSpan) -> Bool {
    guard index <= count else { return false }
    return (index == 0 || self[unchecked: index &- 1].prefix(in: bytes) < mark.prefix)
      && (index == count || self[unchecked: index].prefix(in: bytes) > mark.prefix)
  }

  /// Returns the index of the first field whose first bytes are greater than those of `mark`.
  func firstIndex(after mark: FieldName.Mark, in bytes: RawSpan) -> Int {
    (0..<count).first { self[unchecked: $0].prefix(in: bytes) > mark.prefix } ?? count
  }

  // MARK: By name

  /// Returns the index of a field in the order of names; `nil` if the map doesn't have it. Names
  /// are compared by their bytes.
  package func index(of name: FieldName, in bytes: RawSpan) -> Int? {
    index(of: name.text, name.mark, in: bytes)
  }

  /// - Parameter mark: the mark of `name`.
  @inline(never)
  func index(of name: String, _ mark: FieldName.Mark, in bytes: RawSpan) -> Int? {
    index(of: name.utf8.span.bytes, mark, in: bytes)
  }

  /// Returns the place of the value of a field; `nil` if the map doesn't have it.
  ///
  /// - Parameter ifPlain: whether the name must be the text of the field's path, too.
  @inline(never)
  func place(of name: RawSpan, ifPlain: Bool, in bytes: RawSpan) -> Int? {
    guard let index = index(of: name, FieldName.Mark(name), in: bytes) else { return nil }
    let field = self[unchecked: index]
    return ifPlain && !field.isPlain ? nil : field.place
  }

  @inline(__always)
  private func index(of name: RawSpan, _ mark: FieldName.Mark, in bytes: RawSpan) -> Int? {
    guard count <= BorrowedFieldPlaces.linearLimit else { return search(name, mark, in: bytes) }
    for index in 0..<count where self[unchecked: index].has(mark, in: bytes) {
      if mark.isWhole || self[unchecked: index].isNamed(name, in: bytes) { return index }
    }
    return nil
  }

  @inline(never)
  private func search(_ name: RawSpan, _ mark: FieldName.Mark, in bytes: RawSpan) -> Int? {
    var low = 0
    var high = count
    while low < high {
      let middle = (low &+ high) / 2
      let field = self[unchecked: middle]
      let prefix = field.prefix(in: bytes)
      let order =
        prefix != mark.prefix
        ? Ordering(mark.prefix, prefix) : name.compare(field.name(in: bytes))
      switch order {
      case .greater: low = middle &+ 1
      case .equal: return middle
      case .less: high = middle
      }
    }
    return nil
  }
}

// MARK: - Behind a record

extension FieldPlaces {
  /// Returns a copy of a record with the places of its fields behind it, in memory that the caller
  /// frees as a record's; `nil` if the fields are damaged.
  ///
  /// - Parameter root: the place of the count of fields.
  static func appended(
    to record: RawSpan, ofFieldsAt root: Int
  ) -> (memory: UnsafeMutableRawBufferPointer, fieldCount: Int)? {
    var reader = ByteReader(record, at: root)
    // A field takes two bytes at least.
    guard let count = try? reader.readCount("field count"), count <= record.byteCount / 2
    else { return nil }
    let start = FieldPlaces.start(after: record.byteCount)
    let byteCount = start + count * MemoryLayout<Field>.stride
    let memory = UnsafeMutableRawBufferPointer.allocateRecord(byteCount: byteCount)
    record.withUnsafeBytes { memory.copyMemory(from: $0) }
    let fields = UnsafeMutableRawBufferPointer(rebasing: memory[start...])
      .initializeMemory(as: Field.self, repeating: .none)
    // Damaged fields are reported when they are read.
    let isRead = fields.baseAddress.map {
      (try? reader.readFields(0..<count, of: $0, notingPlainNames: true)) != nil
    }
    guard isRead ?? true, reader.isAtEnd else {
      memory.freeRecord()
      return nil
    }
    return (memory, count)
  }

  /// The offset of the places behind `byteCount` bytes.
  fileprivate static func start(after byteCount: Int) -> Int { (byteCount &+ 7) & ~7 }
}

extension BorrowedFieldPlaces {
  /// Creates the places behind a record.
  ///
  /// - Parameters:
  ///   - record: the address of the record.
  ///   - byteCount: the size of the record.
  ///   - root: the place of its own fields.
  @inline(__always)
  init(behind record: UnsafeRawPointer, _ byteCount: Int, count: Int, of root: Int) {
    fields = (record + FieldPlaces.start(after: byteCount))
      .assumingMemoryBound(to: FieldPlaces.Field.self)
    self.count = count
    place = root
  }
}

extension FieldPlaces {
  /// A field's name and the place of its value, in 8 bytes, so that the processor fetches the
  /// places of most documents in one or two lines. A page of documents waits for these lines more
  /// than for anything else.
  fileprivate struct Field: Sendable {
    /// The key of the name's mark, the bit of a plain name, and the offset of the value, which is
    /// also the end of the name.
    private let bits: UInt64

    private static let placeBitCount: UInt64 = 24
    private static let keyShift = placeBitCount + 1
    static let placeLimit = 1 << 24 - 1
    static let none = Field(key: 0, place: 0, isPlain: false)

    @inline(__always)
    init(key: UInt64, place: Int, isPlain: Bool) {
      bits =
        key &<< Field.keyShift | (isPlain ? 1 &<< Field.placeBitCount : 0)
        | UInt64(truncatingIfNeeded: place)
    }

    @inline(__always)
    var place: Int { Int(truncatingIfNeeded: bits) & Field.placeLimit }
    @inline(__always)
    var isPlain: Bool { bits &>> Field.placeBitCount & 1 == 1 }
    private var byteCount: Int { Int(truncatingIfNeeded: bits &>> Field.keyShift) & 0x7FF }

    /// Returns the first bytes of the name, as a mark has them.
    @inline(__always)
    func prefix(in bytes: RawSpan) -> UInt64 {
      bytes.prefixInteger(at: place &- byteCount, byteCount: byteCount)
    }

    /// Whether the name, in `bytes`, has a mark.
    @inline(__always)
    func has(_ mark: FieldName.Mark, in bytes: RawSpan) -> Bool {
      // The size of the name is a part of the key.
      guard bits &>> Field.keyShift == mark.key else { return false }
      let (end, byteCount) = (place, mark.byteCount)
      // A record has more than eight bytes before its first name.
      guard end >= 8 else { return false }
      let difference = bytes.suffixInteger(endingAt: end) ^ mark.suffix
      guard byteCount > 8 else {
        return byteCount == 0 || difference &>> FieldName.Mark.bitCount(before: byteCount) == 0
      }
      return difference == 0
        && bytes.prefixInteger(at: end &- byteCount, byteCount: 8) == mark.prefix
    }

    @inline(__always)
    func isNamed(_ name: FieldName.Probe, in bytes: RawSpan) -> Bool {
      bits &>> Field.keyShift == name.key && place >= FieldName.Probe.byteCountLimit
        && name.isName(endingAt: place, in: bytes)
    }

    /// Returns the bytes of the name. They belong to the owner of `bytes`.
    @_lifetime(copy bytes)
    func name(in bytes: RawSpan) -> RawSpan {
      bytes.extracting((place &- byteCount)..<place)
    }

    @inline(never)
    func isNamed(_ name: RawSpan, in bytes: RawSpan) -> Bool { self.name(in: bytes).equals(name) }

    @inline(never)
    func precedes(_ other: Field, in bytes: RawSpan) -> Bool {
      let (prefix, otherPrefix) = (prefix(in: bytes), other.prefix(in: bytes))
      guard prefix == otherPrefix else { return prefix < otherPrefix }
      return name(in: bytes).compare(other.name(in: bytes)) == .less
    }
  }
}

extension ByteReader {
  /// Reads the names and passes over the values of the fields with these indexes.
  ///
  /// - Parameters:
  ///   - fields: memory for the fields, in which those before these are.
  ///   - notingPlainNames: whether fields will be asked for if their names are plain.
  @inline(__always)
  fileprivate mutating func readFields(
    _ indexes: Range<Int>, of fields: UnsafeMutablePointer<FieldPlaces.Field>,
    notingPlainNames: Bool
  ) throws(CorruptBytes) {
    let bytes = bytes
    // Eight bytes can be read before the end of each name, as a record's head is longer.
    guard bytes.byteCount >= 8, bytes.byteCount <= FieldPlaces.Field.placeLimit else {
      throw CorruptBytes("short map", at: offset)
    }
    // The greatest one, so that the first of these is compared with the field before it in full.
    var lastPrefix = UInt64.max
    for index in indexes {
      let (field, prefix) = try readFieldName(notingPlainName: notingPlainNames)
      // Look-ups rely on the order.
      if index > 0, prefix <= lastPrefix, !fields[index &- 1].precedes(field, in: bytes) {
        throw CorruptBytes("field in order", at: offset)
      }
      lastPrefix = prefix
      fields[index] = field
      if let end = bytes.endOfUsualValue(at: offset), end <= bytes.byteCount {
        move(to: end)
      } else {
        try skipValue()
      }
    }
  }

  /// Reads a field's name, up to the field's value.
  @inline(__always)
  private mutating func readFieldName(
    notingPlainName: Bool
  ) throws(CorruptBytes) -> (field: FieldPlaces.Field, prefix: UInt64) {
    guard let (byteCount, head) = bytes.usualName(at: offset) else {
      return try readRareFieldName(notingPlainName: notingPlainName)
    }
    let prefix = head & ~UInt64.prefixBits(behind: byteCount)
    let start = offset &+ 1
    move(to: start &+ byteCount)
    let isPlain = notingPlainName && bytes.extracting(start..<offset).isPlainFieldName
    return (field(prefix, byteCount, isPlain: isPlain), prefix)
  }

  /// Does the same for names of all sizes.
  @inline(never)
  private mutating func readRareFieldName(
    notingPlainName: Bool
  ) throws(CorruptBytes) -> (field: FieldPlaces.Field, prefix: UInt64) {
    let start = offset
    let byteCount = try readCount("field name")
    guard byteCount <= FieldName.Mark.byteCountLimit else {
      throw CorruptBytes("short field name", at: start)
    }
    let prefix = bytes.prefixInteger(at: offset, byteCount: byteCount)
    let name = try readBytes(byteCount, "field name")
    let isPlain = notingPlainName && name.isPlainFieldName
    return (field(prefix, byteCount, isPlain: isPlain), prefix)
  }

  /// Returns the field whose name ends here.
  @inline(__always)
  private func field(_ prefix: UInt64, _ byteCount: Int, isPlain: Bool) -> FieldPlaces.Field {
    let suffix = bytes.suffixInteger(endingAt: max(offset, 8))
    return FieldPlaces.Field(
      key: FieldName.Mark.key(prefix, suffix, byteCount), place: offset, isPlain: isPlain)
  }
}
