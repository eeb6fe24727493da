import HearthDocumentModel

/// The places of the fields of one map, found in one pass over its names. A field is then found
/// without reading any other.
///
/// One value can read one map after another, into the same memory. Its calls take the bytes that
/// the map was read from.
///
/// - Complexity: a look-up compares a few integers.
package struct FieldPlaces: Sendable {
  /// The fields in the order of names. Fields of an earlier map may follow them.
  private var fields: [Field] = []
  package private(set) var count = 0
  /// The place of the map itself.
  package private(set) var place = 0

  /// The number of fields up to which a linear search is fastest.
  private static let linearLimit = 12

  /// Creates the places of a map without fields.
  package init() {}

  /// Returns the memory that the places of `count` fields take, in bytes.
  static func memoryByteCount(ofFields count: Int) -> Int {
    count == 0 ? 0 : 32 + count * MemoryLayout<Field>.stride
  }

  /// Reads the names of a map.
  ///
  /// - Parameters:
  ///   - reader: a reader at the count of the map's fields; it moves to the map's end.
  ///   - place: the place of the map itself.
  ///   - notingPlainNames: whether fields will be asked for if their names are plain.
  /// - Throws: ``CorruptBytes``.
  mutating func read(
    _ reader: inout ByteReader, place: Int, notingPlainNames: Bool = false
  ) throws(CorruptBytes) {
    count = 0
    self.place = place
    let bytes = reader.bytes
    guard bytes.byteCount <= Field.placeLimit else { throw CorruptBytes("short map", at: place) }
    // A copy stays in registers.
    var here = reader
    let count = try here.readCount("field count")
    var lastPrefix: UInt64 = 0
    // Room grows with the fields that are read: the count may be damaged.
    while self.count < count {
      let start = self.count
      let room = Swift.min(count, Swift.max(start &* 2, 32))
      if fields.count < room {
        fields.append(contentsOf: repeatElement(Field.none, count: room - fields.count))
      }
      var span = fields.mutableSpan
      for index in start..<room {
        let field = try here.readFieldName(notingPlainName: notingPlainNames)
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

  /// Fetches the places of the first fields into the processor's cache.
  @inline(__always)
  func prefetch() {
    // Only the address leaves the closure, so that no reference to the fields is counted.
    let (start, byteCount) = fields.withUnsafeBytes { ($0.baseAddress, $0.count) }
    guard let start else { return }
    Prefetch.line(at: start)
    if byteCount > 64 { Prefetch.line(at: start + 64) }
  }

  // MARK: By index

  /// Returns the place of the value of the field at `index` in the order of names.
  package func place(at index: Int) -> Int { Int(fields[index].place) }

  /// Returns the name of the field at `index`.
  ///
  /// - Throws: ``CorruptBytes`` if it is no UTF-8.
  package func name(at index: Int, in bytes: [UInt8]) throws(CorruptBytes) -> String {
    let name = fields[index].name(in: bytes.span.bytes)
    guard let name = String(validatingUTF8: name) else {
      throw CorruptBytes("UTF-8 of field name", at: place(at: index) &- name.byteCount)
    }
    return name
  }

  /// Returns the place of the value of the field at `index`, if the field has that name. The mark
  /// must identify the name, or `nil` is returned.
  @inline(__always)
  func place(at index: Int, ifNamed mark: FieldName.Mark, in bytes: RawSpan) -> Int? {
    mark.isWhole ? place(at: index, ifWhole: mark, in: bytes) : nil
  }

  /// Does the same for a mark that identifies its name.
  @inline(__always)
  private func place(at index: Int, ifWhole mark: FieldName.Mark, in bytes: RawSpan) -> Int? {
    borrowed.place(at: index, ifWhole: mark, in: bytes)
  }

  /// The places without a reference that is counted. They live as long as this value, unchanged.
  @inline(__always)
  var borrowed: BorrowedFieldPlaces {
    BorrowedFieldPlaces(fields: fields.withUnsafeBufferPointer { $0.baseAddress }, count: count)
  }

  /// Whether the field at `index` and the one before it show that no field has the name of `mark`.
  ///
  /// - Returns: `false` too if the first bytes of their names don't tell.
  func lacks(_ mark: FieldName.Mark, at index: Int) -> Bool {
    guard index <= count else { return false }
    return fields.withUnsafeBufferPointer { fields in
      (index == 0 || fields[index &- 1].prefix < mark.prefix)
        && (index == count || fields[index].prefix > mark.prefix)
    }
  }

  /// Returns the index of the first field whose first bytes are greater than those of `mark`.
  func firstIndex(after mark: FieldName.Mark) -> Int {
    fields[..<count].firstIndex { $0.prefix > mark.prefix } ?? count
  }

  // MARK: By name

  /// Returns the index of a field in the order of names; `nil` if the map doesn't have it. Names
  /// are compared by their bytes.
  package func index(of name: FieldName, in bytes: [UInt8]) -> Int? {
    index(of: name, in: bytes.span.bytes)
  }

  func index(of name: FieldName, in bytes: RawSpan) -> Int? {
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
  @inline(__always)
  func place(of name: RawSpan, ifPlain: Bool, in bytes: RawSpan) -> Int? {
    guard let index = index(of: name, FieldName.Mark(name), in: bytes) else { return nil }
    let field = fields.span[unchecked: index]
    return ifPlain && !field.isPlain ? nil : Int(field.place)
  }

  @inline(__always)
  private func index(of name: RawSpan, _ mark: FieldName.Mark, in bytes: RawSpan) -> Int? {
    guard count <= FieldPlaces.linearLimit else { return search(name, mark, in: bytes) }
    let fields = fields.span
    for index in 0..<count where fields[unchecked: index].has(mark, in: bytes) {
      if mark.isWhole || fields[unchecked: index].isNamed(name, in: bytes) { return index }
    }
    return nil
  }

  @inline(never)
  private func search(_ name: RawSpan, _ mark: FieldName.Mark, in bytes: RawSpan) -> Int? {
    var low = 0
    var high = count
    while low < high {
      let middle = (low &+ high) / 2
      let field = fields[middle]
      let order =
        field.prefix != mark.prefix
        ? Ordering(mark.prefix, field.prefix) : name.compare(field.name(in: bytes))
      switch order {
      case .greater: low = middle &+ 1
      case .equal: return middle
      case .less: high = middle
      }
    }
    return nil
  }
}

/// The places of the fields of one map, which another value keeps alive.
struct BorrowedFieldPlaces {
  fileprivate var fields: UnsafePointer<FieldPlaces.Field>?
  fileprivate(set) var count = 0

  /// Returns the place of the value of the field at `index`, if the field has that name. The mark
  /// must identify the name.
  @inline(__always)
  func place(at index: Int, ifWhole mark: FieldName.Mark, in bytes: RawSpan) -> Int? {
    guard index < count else { return nil }
    // There are some, as the count says.
    let field = fields.unsafelyUnwrapped[index]
    return field.has(mark, in: bytes) ? Int(field.place) : nil
  }
}

extension FieldPlaces {
  /// A field's name and the place of its value, in 16 bytes.
  fileprivate struct Field: Sendable {
    /// The first eight bytes of the name as a big-endian number, padded with zeros. Most names
    /// differ in them.
    let prefix: UInt64
    /// The offset of the value, which is also the end of the name.
    let place: UInt32
    /// The size of the name in bytes, and the lowest bit for a plain name.
    private let size: UInt32

    static let placeLimit = Int(UInt32.max / 2)
    static let none = Field(prefix: 0, byteCount: 0, place: 0, isPlain: false)

    @inline(__always)
    init(prefix: UInt64, byteCount: Int, place: Int, isPlain: Bool) {
      self.prefix = prefix
      self.place = UInt32(truncatingIfNeeded: place)
      size = UInt32(truncatingIfNeeded: byteCount) &<< 1 | (isPlain ? 1 : 0)
    }

    var byteCount: Int { Int(size &>> 1) }
    var isPlain: Bool { size & 1 == 1 }

    /// Whether the name, in `bytes`, has a mark.
    @inline(__always)
    func has(_ mark: FieldName.Mark, in bytes: RawSpan) -> Bool {
      // A short name's prefix holds all of its bytes.
      prefix == mark.prefix && byteCount == mark.byteCount
        && (byteCount <= 8 || bytes.suffixInteger(endingAt: Int(place)) == mark.suffix)
    }

    /// Returns the bytes of the name. They belong to the owner of `bytes`.
    @_lifetime(copy bytes)
    func name(in bytes: RawSpan) -> RawSpan {
      bytes.extracting((Int(place) &- byteCount)..<Int(place))
    }

    @inline(never)
    func isNamed(_ name: RawSpan, in bytes: RawSpan) -> Bool { self.name(in: bytes).equals(name) }

    @inline(never)
    func precedes(_ other: Field, in bytes: RawSpan) -> Bool {
      name(in: bytes).compare(other.name(in: bytes)) == .less
    }
  }
}

extension ByteReader {
  /// Reads a field's name, up to the field's value.
  @inline(__always)
  fileprivate mutating func readFieldName(
    notingPlainName: Bool
  ) throws(CorruptBytes) -> FieldPlaces.Field {
    let byteCount = try readCount("field name")
    let prefix = bytes.prefixInteger(at: offset, byteCount: byteCount)
    let name = try readBytes(byteCount, "field name")
    return FieldPlaces.Field(
      prefix: prefix, byteCount: byteCount, place: offset,
      isPlain: notingPlainName && name.isPlainFieldName)
  }
}
