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

/// A document as it is stored: its bytes, from which single fields can be read.
///
/// It returns exactly the document that was written: 1 differs from 1.0, and 0.0 from -0.0. It
/// never changes, and all of its readers share it.
package final class DocumentRecord: Sendable {
  static let version: UInt8 = 1

  enum Tag: UInt8 {
    case null, `false`, `true`, integer, double, timestamp, string, bytes
    case reference, foreignReference, geoPoint, array, vector, map
  }

  package let bytes: [UInt8]
  /// The database that contains the record.
  package let own: DatabaseID
  let fieldsOffset: Int
  /// The places of the fields; `nil` if they were not noted.
  private let table: FieldTable?

  private static let createTimeOffset = 1
  private static let updateTimeOffset = 9
  private static let pathOffset = 17

  /// Reads everything but the fields, so that later reads of these parts succeed.
  ///
  /// - Parameters:
  ///   - own: the database that contains the record.
  ///   - notingFields: whether to note the places of the fields, for a record that will be read
  ///     often.
  /// - Throws: ``CorruptBytes``.
  package init(
    _ bytes: [UInt8], own: DatabaseID, notingFields: Bool = false
  ) throws(CorruptBytes) {
    var reader = ByteReader(bytes.span.bytes)
    try reader.readVersion(DocumentRecord.version)
    _ = try reader.readTimestamp("create time")
    _ = try reader.readTimestamp("update time")
    try reader.skipDocumentPath()
    fieldsOffset = reader.offset
    // Damaged fields are reported when they are read.
    table = notingFields ? try? FieldTable(&reader) : nil
    self.bytes = bytes
    self.own = own
  }

  package var createTime: Timestamp { time(at: DocumentRecord.createTimeOffset) }
  package var updateTime: Timestamp { time(at: DocumentRecord.updateTimeOffset) }

  private func time(at offset: Int) -> Timestamp {
    let bytes = bytes
    var reader = ByteReader(bytes.span.bytes, at: offset)
    // The initializer has read it before, so this succeeds.
    return (try? reader.readTimestamp("time")) ?? .minimum
  }

  /// The document's path, made from the bytes at each call.
  package var path: ResourcePath {
    let bytes = bytes
    var reader = ByteReader(bytes.span.bytes, at: DocumentRecord.pathOffset)
    return (try? reader.readDocumentPath()) ?? .root
  }

  /// Whether the document is the one at `path`.
  package func isDocument(at path: ResourcePath) -> Bool {
    let bytes = bytes
    var reader = ByteReader(bytes.span.bytes, at: DocumentRecord.pathOffset)
    return reader.isPath(path)
  }

  /// The memory that the record takes, in bytes, roughly.
  package var memoryByteCount: Int { 160 + bytes.count + (table?.byteCount ?? 0) }

  /// Returns the value of the field whose path is written `text`; `nil` if `text` is no plain name,
  /// or the record has no top-level field of that name.
  ///
  /// - Throws: ``CorruptBytes``.
  package func value(ofPlainName text: String) throws(CorruptBytes) -> Value? {
    let name = text.utf8.span.bytes
    let bytes = bytes
    guard let table else {
      var reader = ByteReader(bytes.span.bytes, at: fieldsOffset)
      guard try reader.seekValue(named: name), name.isPlainFieldName else { return nil }
      return try reader.readValue(own, depth: 0)
    }
    guard let place = table.place(ofPlainName: name, in: bytes.span.bytes) else { return nil }
    var reader = ByteReader(bytes.span.bytes, at: place)
    return try reader.readValue(own, depth: 0)
  }

  /// Returns the value of one field; `nil` if there is none. It skips the fields before it and
  /// decodes no other value.
  ///
  /// - Throws: ``CorruptBytes``.
  package func value(at path: FieldPath) throws(CorruptBytes) -> Value? {
    let bytes = bytes
    var reader = ByteReader(bytes.span.bytes, at: fieldsOffset)
    for (depth, name) in path.names.enumerated() {
      guard try reader.seekValue(named: name.utf8.span.bytes) else { return nil }
      if depth == path.names.count - 1 { return try reader.readValue(own, depth: 0) }
      guard try reader.readMapStart() else { return nil }
    }
    return nil
  }

  /// Returns all fields.
  ///
  /// - Throws: ``CorruptBytes``.
  package func fields() throws(CorruptBytes) -> MapValue {
    let bytes = bytes
    var reader = ByteReader(bytes.span.bytes, at: fieldsOffset)
    let fields = try reader.readFields(own, depth: 0)
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
