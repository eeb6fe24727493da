package import DocumentModel

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
/// It gives back the very document, 1 apart from 1.0 and 0.0 apart from -0.0.
package struct DocumentRecord: Sendable {
  static let version: UInt8 = 1

  enum Tag: UInt8 {
    case null, `false`, `true`, integer, double, timestamp, string, bytes
    case reference, foreignReference, geoPoint, array, vector, map
  }

  package let bytes: [UInt8]
  package let path: ResourcePath
  package let createTime: Timestamp
  package let updateTime: Timestamp
  /// The database that the record lies in.
  package let own: DatabaseID
  let fieldsOffset: Int

  /// Reads all but the fields.
  ///
  /// - Parameter own: the database that the record lies in.
  /// - Throws: ``CorruptBytes``.
  package init(_ bytes: [UInt8], own: DatabaseID) throws(CorruptBytes) {
    var reader = ByteReader(bytes.span.bytes)
    try reader.readVersion(DocumentRecord.version)
    createTime = try reader.readTimestamp("create time")
    updateTime = try reader.readTimestamp("update time")
    path = try reader.readDocumentPath()
    fieldsOffset = reader.offset
    self.bytes = bytes
    self.own = own
  }

  /// The value of one field, or `nil`. Decodes nothing else; passes over the fields before it.
  ///
  /// - Throws: ``CorruptBytes``.
  package func value(at path: FieldPath) throws(CorruptBytes) -> Value? {
    var reader = ByteReader(bytes.span.bytes, at: fieldsOffset)
    for (depth, name) in path.names.enumerated() {
      guard try reader.seekValue(named: name) else { return nil }
      if depth == path.names.count - 1 { return try reader.readValue(own, depth: 0) }
      guard try reader.readMapStart() else { return nil }
    }
    return nil
  }

  /// All fields.
  ///
  /// - Throws: ``CorruptBytes``.
  package func fields() throws(CorruptBytes) -> MapValue {
    var reader = ByteReader(bytes.span.bytes, at: fieldsOffset)
    let fields = try reader.readFields(own, depth: 0)
    try reader.requireEnd()
    return fields
  }

  /// The whole document.
  ///
  /// - Throws: ``CorruptBytes``.
  package func document() throws(CorruptBytes) -> Document {
    Document(path: path, fields: try fields(), createTime: createTime, updateTime: updateTime)
  }

  /// A record of a document that is in no store.
  ///
  /// - Throws: ``CorruptBytes`` if `path` names no document.
  package init(
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
