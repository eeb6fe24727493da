import HearthDocumentModel
import HearthQueryPlanning
package import HearthStorageFormat

// The records of tunings and times to live, each after a version byte, 1:
//
//   covering    state
//   counts      id (varint), collection group (string), scope (1 is group), state,
//               field count (varint), field paths
//   sums        nothing
//   time to live
//               index id (varint), collection group (string), field path, offset in seconds
//               (varint), state of the index
//
//   state       1 byte, as in `TuningState`

private let version: UInt8 = 1

extension TuningState {
  func appendRecord(to bytes: inout [UInt8]) {
    bytes.append(version)
    bytes.append(rawValue)
  }

  init(record bytes: RawSpan) throws(CorruptBytes) {
    var reader = try ByteReader(bytes, version: version)
    self = try reader.readTuningState()
    try reader.requireEnd()
  }
}

extension KeptCounts {
  package func appendRecord(to bytes: inout [UInt8]) {
    bytes.append(version)
    bytes.appendVarint(id)
    bytes.appendString(definition.collectionGroup)
    bytes.append(definition.scope.byte)
    bytes.append(state.rawValue)
    bytes.appendVarint(definition.fields.count)
    for field in definition.fields { bytes.append(field) }
  }

  package init(record bytes: RawSpan) throws(CorruptBytes) {
    var reader = try ByteReader(bytes, version: version)
    id = try reader.readVarint("count id")
    let collectionGroup = try reader.readString("collection group")
    let scope = try reader.readScope()
    state = try reader.readTuningState()
    var fields: [FieldPath] = []
    for _ in 0..<(try reader.readCount("field count")) { fields.append(try reader.readFieldPath()) }
    definition = Definition(collectionGroup, fields, scope: scope)
    try reader.requireEnd()
  }
}

extension Tunings {
  /// Appends the record that sums of index entries are kept.
  static func appendSumsRecord(to bytes: inout [UInt8]) { bytes.append(version) }

  static func checkSumsRecord(_ bytes: RawSpan) throws(CorruptBytes) {
    try ByteReader(bytes, version: version).requireEnd()
  }
}

extension TimeToLive {
  func appendRecord(to bytes: inout [UInt8]) {
    bytes.append(version)
    bytes.appendVarint(index.id)
    bytes.appendString(collectionGroup)
    bytes.append(field)
    bytes.appendVarint(offsetSeconds)
    bytes.append(RecordedState(state).rawValue)
  }

  init(record bytes: RawSpan) throws(CorruptBytes) {
    var reader = try ByteReader(bytes, version: version)
    let id = try reader.readVarint("index id")
    let collectionGroup = try reader.readString("collection group")
    let field = try reader.readFieldPath()
    let start = reader.offset
    let offsetSeconds = Int(exactly: try reader.readVarint("offset"))
    guard let offsetSeconds, TimeToLive.offsets.contains(offsetSeconds) else {
      throw CorruptBytes("offset", at: start)
    }
    guard let state = try reader.readState().indexState else { throw CorruptBytes("state", at: 0) }
    try reader.requireEnd()
    self.init(id: id, collectionGroup, field, offsetSeconds: offsetSeconds, state: state)
  }
}

extension ByteReader {
  fileprivate mutating func readTuningState() throws(CorruptBytes) -> TuningState {
    let start = offset
    guard let state = TuningState(rawValue: try readByte("state")) else {
      throw CorruptBytes("tuning state", at: start)
    }
    return state
  }
}
