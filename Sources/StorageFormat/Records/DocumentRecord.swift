package import HearthDocumentModel

// The record under a document's key:
//
//   version       1 byte, 1
//   create time   8 bytes little-endian, microseconds
//   update time   8 bytes little-endian, microseconds
//   path          segment count (varint), segments (strings)
//   fields        field count (varint), then for each field, sorted by name:
//                 name (string), value
//
//   string        byte count (varint), UTF-8
//   value         tag (1 byte) and a payload of known or told length, so that a reader can skip it:
//
//   tag  value              payload
//   0    null
//   1 2  false, true
//   3    integer            zigzag varint
//   4    double             8 bytes little-endian
//   5    timestamp          8 bytes little-endian, microseconds
//   6    string             byte count (varint), UTF-8
//   7    bytes              byte count (varint), bytes
//   8    own reference      byte count (varint), path
//   9    foreign reference  byte count (varint), project (string), database (string), path
//   10   geo point          latitude, longitude: 8 bytes little-endian each
//   11   array              byte count (varint), element count (varint), values
//   12   vector             dimension (varint), 8 bytes little-endian each
//   13   map                byte count (varint), fields

/// A document as it is stored: its bytes, and the one reader of them.
///
/// A place is the offset of a value in the bytes. It is found when the value is asked for, and no
/// other value is decoded. A record that will be read often notes the places of its fields.
///
/// It returns exactly the document that was written: 1 differs from 1.0, and 0.0 from -0.0. All of
/// its readers share it. It changes only in `replace`, while nothing else refers to it.
package final class DocumentRecord: @unchecked Sendable {
  static let version: UInt8 = 1

  /// The bytes, and behind them the places of the fields if they are noted. They lie together, so
  /// that the processor finds both with one look into memory.
  private let memory: UnsafeMutableRawBufferPointer
  /// The database that contains the record.
  package let own: DatabaseID
  /// It changes only while the record has one reference, and so one thread.
  @exclusivity(unchecked) private var extent: RecordExtent

  private static let createTimeOffset = 1
  private static let updateTimeOffset = 9
  private static let pathOffset = 17
  /// The size of a record up to which its memory is kept for the next one.
  private static let reusedByteCount = 4096

  /// Reads everything but the fields, so that later reads of these parts succeed.
  ///
  /// - Parameter own: the database that contains the record.
  /// - Throws: ``CorruptBytes``.
  package convenience init(_ bytes: [UInt8], own: DatabaseID) throws(CorruptBytes) {
    try self.init(bytes.span.bytes, own: own)
  }

  /// Does the same with a copy of the bytes.
  ///
  /// - Parameter notingFields: whether the places of the fields are noted, for a record that will
  ///   be read often. Fields that are damaged are not noted; they are reported when they are read.
  /// - Throws: ``CorruptBytes``.
  package init(
    _ bytes: RawSpan, own: DatabaseID, notingFields: Bool = false
  ) throws(CorruptBytes) {
    var extent = try RecordExtent(of: bytes)
    if notingFields, let noted = FieldPlaces.appended(to: bytes, ofFieldsAt: Int(extent.root)) {
      memory = noted.memory
      extent.fieldCount = UInt32(truncatingIfNeeded: noted.fieldCount)
    } else {
      let copy = UnsafeMutableRawBufferPointer.allocateRecord(byteCount: bytes.byteCount)
      bytes.withUnsafeBytes { copy.copyMemory(from: $0) }
      memory = copy
    }
    self.extent = extent
    self.own = own
  }

  deinit { memory.freeRecord() }

  /// Returns a record of other bytes of the same database, in the memory of `record` if that has
  /// room and no other reference. The places of fields are not noted.
  ///
  /// A result that is kept may so take twice its size, or 256 bytes.
  ///
  /// - Parameter record: the last record, which becomes the new one; `nil` after a large document.
  /// - Throws: ``CorruptBytes``.
  package static func replace(
    _ record: inout DocumentRecord?, by bytes: RawSpan, own: DatabaseID
  ) throws(CorruptBytes) -> DocumentRecord {
    if isKnownUniquelyReferenced(&record), let record, bytes.byteCount <= record.memory.count,
      record.memory.count <= max(256, 2 * bytes.byteCount)
    {
      record.extent = try RecordExtent(of: bytes)
      bytes.withUnsafeBytes { record.memory.copyMemory(from: $0) }
      return record
    }
    record = nil
    let new = try DocumentRecord(bytes, own: own)
    if bytes.byteCount <= reusedByteCount { record = new }
    return new
  }

  /// The place of the document's own fields, which have no tag.
  package var root: Int { Int(extent.root) }
  /// The size of the bytes.
  package var byteCount: Int { Int(extent.byteCount) }

  /// The stored bytes, which live as long as the record.
  package var bytes: RawSpan {
    @inline(__always)
    @_lifetime(borrow self)
    get {
      let bytes = RawSpan(_unsafeStart: start, byteCount: byteCount)
      return _overrideLifetime(bytes, borrowing: self)
    }
  }

  /// Returns a reader of the bytes, which live as long as the record.
  @inline(__always)
  @_lifetime(borrow self)
  func reader(at place: Int) -> ByteReader { ByteReader(bytes, at: place) }

  /// The places of the fields, which live as long as the record; `nil` if they are not noted.
  @inline(__always)
  var places: BorrowedFieldPlaces? {
    guard extent.fieldCount != RecordExtent.notNoted else { return nil }
    return BorrowedFieldPlaces(behind: start, byteCount, count: Int(extent.fieldCount), of: root)
  }

  /// The address of the bytes, which live as long as the record. It is found without a look at
  /// them.
  @inline(__always)
  var start: UnsafeRawPointer {
    // There is one, as no record is empty.
    UnsafeRawPointer(memory.baseAddress.unsafelyUnwrapped)
  }

  package var createTime: Timestamp { time(at: DocumentRecord.createTimeOffset) }
  package var updateTime: Timestamp { time(at: DocumentRecord.updateTimeOffset) }

  private func time(at offset: Int) -> Timestamp {
    var reader = self.reader(at: offset)
    // The initializer has read it before, so this succeeds.
    return (try? reader.readTimestamp("time")) ?? .minimum
  }

  /// The document's path, made from the bytes at each call.
  package var path: ResourcePath {
    var reader = self.reader(at: DocumentRecord.pathOffset)
    return (try? reader.readDocumentPath()) ?? .root
  }

  /// The document's id, made from the bytes at each call.
  package var documentID: String {
    var reader = self.reader(at: DocumentRecord.pathOffset)
    return (try? reader.readDocumentID()) ?? ""
  }

  /// Whether the document is the one at `path`.
  package func isDocument(at path: ResourcePath) -> Bool {
    var reader = self.reader(at: DocumentRecord.pathOffset)
    return reader.isPath(path)
  }

  /// The memory that the record takes, in bytes, roughly.
  package var memoryByteCount: Int { 96 + memory.count }

  // MARK: Fields by name

  /// Returns the value of the field whose path is written `text`; `nil` if `text` is no plain name,
  /// or the record has no top-level field of that name.
  ///
  /// - Throws: ``CorruptBytes``.
  package func value(ofPlainName text: String) throws(CorruptBytes) -> Value? {
    guard let place = try place(of: text.utf8.span.bytes, ifPlain: true) else { return nil }
    var reader = self.reader(at: place)
    return try reader.readFrequentValue(own, depth: 0)
  }

  /// Returns the value of one field; `nil` if there is none.
  ///
  /// - Throws: ``CorruptBytes``.
  package func value(at path: FieldPath) throws(CorruptBytes) -> Value? {
    guard let place = try place(of: path) else { return nil }
    return try value(at: place)
  }

  /// Returns the value at `place`.
  ///
  /// - Throws: ``CorruptBytes``.
  package func value(at place: Int) throws(CorruptBytes) -> Value {
    guard place != root else { return .map(try fields()) }
    var reader = self.reader(at: place)
    return try reader.readValue(own, depth: 0)
  }

  /// Returns the place of a field, through nested maps; `nil` if there is none.
  ///
  /// - Throws: ``CorruptBytes``.
  package func place(of path: FieldPath) throws(CorruptBytes) -> Int? {
    guard let first = path.names.first,
      let place = try place(of: first.utf8.span.bytes, ifPlain: false)
    else { return nil }
    var reader = self.reader(at: place)
    return try reader.seekValue(inMaps: path.names.dropFirst()) ? reader.offset : nil
  }

  /// Returns the place of a top-level field.
  ///
  /// - Parameter ifPlain: whether it is returned only if the name is the text of its path.
  @inline(__always)
  private func place(of name: RawSpan, ifPlain: Bool) throws(CorruptBytes) -> Int? {
    guard let places else { return try search(for: name, ifPlain) }
    return places.place(of: name, ifPlain: ifPlain, in: bytes)
  }

  /// Goes through the names of the bytes.
  @inline(never)
  private func search(for name: RawSpan, _ ifPlain: Bool) throws(CorruptBytes) -> Int? {
    switch FieldSearch(for: FieldName.Mark(name)).result(in: bytes, at: root) {
    case .missing: return nil
    case .found(let place): return !ifPlain || name.isPlainFieldName ? place : nil
    case .unclear:
      var reader = self.reader(at: root)
      guard try reader.seekValue(named: name), !ifPlain || name.isPlainFieldName
      else { return nil }
      return reader.offset
    }
  }

  // MARK: The whole document

  /// Returns all fields.
  ///
  /// - Throws: ``CorruptBytes``.
  package func fields() throws(CorruptBytes) -> MapValue {
    var reader = self.reader(at: root)
    let fields = try reader.readFields(own, depth: 0)
    try reader.requireEnd()
    return fields
  }

  /// Returns all fields, with the names of the document that was decoded last where they are the
  /// same.
  ///
  /// - Throws: ``CorruptBytes``.
  package func fields(sharing names: inout SharedNames) throws(CorruptBytes) -> MapValue {
    var reader = self.reader(at: root)
    let fields = try reader.readFields(own, sharing: &names)
    try reader.requireEnd()
    return fields
  }

  /// Returns the whole document.
  ///
  /// - Throws: ``CorruptBytes``.
  package func document() throws(CorruptBytes) -> Document {
    Document(path: path, fields: try fields(), createTime: createTime, updateTime: updateTime)
  }

  /// Creates a record of a document that is in no store.
  ///
  /// - Throws: ``CorruptBytes`` if `path` names no document.
  package convenience init(
    _ fields: MapValue, of path: ResourcePath, own: DatabaseID
  ) throws(CorruptBytes) {
    var bytes: [UInt8] = []
    DocumentRecord.append(
      Document(path: path, fields: fields, createTime: .minimum, updateTime: .minimum),
      own: own, to: &bytes)
    try self.init(bytes, own: own)
  }

  /// Appends the record of `document`.
  package static func append(_ document: Document, own: DatabaseID, to bytes: inout [UInt8]) {
    bytes.append(version)
    bytes.append(document.createTime)
    bytes.append(document.updateTime)
    bytes.append(document.path)
    bytes.append(document.fields, own: own)
  }
}

/// The extent of a record's parts, in a few bytes, since there are many records in memory.
private struct RecordExtent {
  /// The number of fields of a record that doesn't note their places.
  static let notNoted = UInt32.max

  let root: UInt32
  let byteCount: UInt32
  var fieldCount = notNoted

  /// Reads everything but the fields.
  ///
  /// - Throws: ``CorruptBytes``.
  init(of bytes: RawSpan) throws(CorruptBytes) {
    var reader = try ByteReader(bytes, version: DocumentRecord.version)
    _ = try reader.readTimestamp("create time")
    _ = try reader.readTimestamp("update time")
    try reader.skipDocumentPath()
    root = UInt32(truncatingIfNeeded: reader.offset)
    guard let byteCount = UInt32(exactly: bytes.byteCount) else {
      throw CorruptBytes("short record", at: reader.offset)
    }
    self.byteCount = byteCount
  }
}
