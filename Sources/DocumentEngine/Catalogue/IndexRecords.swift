import HearthDocumentModel
package import HearthQueryPlanning
package import HearthStorageFormat

// The records of indexes, each after a version byte:
//
//   composite   id (varint), collection group (string), scope, state,
//               column count (varint), columns: field path, mode;
//               in version 2: field path and dimension (varint) of the vector
//   override    collection group (string), 0 | 1 and field path, index count (varint), indexes:
//               scope, mode, state; reverting (0 | 1);
//               while its change may fail, what was before: inherited (0 | 1), index count
//               (varint), indexes: scope, mode
//
//   scope       1 byte: 0 collection, 1 collection group
//   mode        1 byte: 0 ascending, 1 descending, 2 contains
//   state       1 byte: 0 creating, 1 ready, 2 given up, 3 creating and paused (composite only)
//
// The version is 1, and 2 for the composite record of a vector index: a release that knows only
// version 1 refuses the index instead of maintaining it without its vectors.

/// The state of an index in its record.
enum RecordedState: UInt8 {
  case creating, ready
  /// Dropped, or taken by an override, with entries that are still to be deleted.
  case givenUp
  case paused

  init(_ state: IndexState) { self = state == .creating ? .creating : .ready }

  /// The state of the index; `nil` for one that was given up.
  var indexState: IndexState? {
    switch self {
    case .creating, .paused: .creating
    case .ready: .ready
    case .givenUp: nil
    }
  }
}

extension CompositeIndex {
  private static let version: UInt8 = 1
  private static let vectorVersion: UInt8 = 2

  package func appendRecord(to bytes: inout [UInt8]) {
    bytes.append(
      definition.vector == nil ? CompositeIndex.version : CompositeIndex.vectorVersion)
    bytes.appendVarint(id)
    bytes.appendString(definition.collectionGroup)
    bytes.append(definition.scope.byte)
    bytes.append((isPaused ? .paused : RecordedState(state)).rawValue)
    bytes.appendVarint(definition.columns.count)
    for column in definition.columns {
      bytes.append(column.field)
      bytes.append(column.mode.byte)
    }
    if let vector = definition.vector {
      bytes.append(vector.field)
      bytes.appendVarint(vector.dimension)
    }
  }

  /// Appends the record of an index that was dropped. Only its id counts.
  static func appendRecord(ofDropped id: UInt64, to bytes: inout [UInt8]) {
    bytes.append(version)
    bytes.appendVarint(id)
    bytes.appendString("")
    bytes.append(QueryScope.collection.byte)
    bytes.append(RecordedState.givenUp.rawValue)
    bytes.appendVarint(0)
  }

  /// Returns the id in a record, and the index; `nil` if it was dropped.
  package static func read(
    record bytes: RawSpan
  ) throws(CorruptBytes) -> (id: UInt64, index: CompositeIndex?) {
    var reader = ByteReader(bytes)
    let hasVector = try reader.readVersion(version, or: vectorVersion)
    let id = try reader.readVarint("index id")
    let collectionGroup = try reader.readString("collection group")
    let scope = try reader.readScope()
    let recorded = try reader.readState()
    var columns: [IndexColumn] = []
    for _ in 0..<(try reader.readCount("column count")) {
      columns.append(IndexColumn(try reader.readFieldPath(), try reader.readMode()))
    }
    let vector = hasVector ? try reader.readVector() : nil
    try reader.requireEnd()
    guard let state = recorded.indexState else { return (id, nil) }
    let definition = IndexDefinition(collectionGroup, columns, scope: scope, vector: vector)
    var index = CompositeIndex(id: id, definition: definition, state: state)
    index.isPaused = recorded == .paused
    return (id, index)
  }
}

extension FieldOverride {
  private static let version: UInt8 = 1

  package func appendRecord(_ change: OverrideChange, to bytes: inout [UInt8]) {
    bytes.append(FieldOverride.version)
    bytes.appendString(collectionGroup)
    bytes.append(field == nil ? 0 : 1)
    if let field { bytes.append(field) }
    let kept = indexes.map { (index: $0.key, state: RecordedState($0.value)) }
    let gone = SingleFieldIndex.all.filter { change.retiring.contains(AutomaticSpaces($0)) }
      .map { (index: $0, state: RecordedState.givenUp) }
    // A state of the catalogue must have only one form in bytes.
    func rank(_ entry: (index: SingleFieldIndex, state: RecordedState)) -> (UInt8, UInt8, UInt8) {
      (entry.index.scope.byte, entry.index.mode.byte, entry.state.rawValue)
    }
    bytes.appendVarint(kept.count + gone.count)
    for (index, state) in (kept + gone).sorted(by: { rank($0) < rank($1) }) {
      bytes.append(index)
      bytes.append(state.rawValue)
    }
    bytes.append(change.isReverting ? 1 : 0)
    guard let earlier = change.earlier else { return }
    bytes.append(earlier.isInherited ? 1 : 0)
    let indexes = SingleFieldIndex.all.filter(Set(earlier.indexes).contains)
    bytes.appendVarint(indexes.count)
    for index in indexes { bytes.append(index) }
  }

  /// Returns the override in a record, and its change.
  package static func read(
    record bytes: RawSpan
  ) throws(CorruptBytes) -> (override: FieldOverride, change: OverrideChange) {
    var reader = try ByteReader(bytes, version: version)
    let collectionGroup = try reader.readString("collection group")
    let field = try reader.readFlag("field") ? try reader.readFieldPath() : nil
    var indexes: [SingleFieldIndex: IndexState] = [:]
    var change = OverrideChange()
    for _ in 0..<(try reader.readCount("index count")) {
      let index = try reader.readSingleFieldIndex()
      if let state = try reader.readState().indexState {
        indexes[index] = state
      } else {
        change.retiring.formUnion(AutomaticSpaces(index))
      }
    }
    change.isReverting = try reader.readFlag("reverting")
    if !reader.isAtEnd { change.earlier = try reader.readEarlierOverride() }
    try reader.requireEnd()
    return (FieldOverride(collectionGroup, field, indexes), change)
  }
}

// MARK: - Parts of records

extension IndexMode {
  package var byte: UInt8 {
    switch self {
    case .ascending: 0
    case .descending: 1
    case .contains: 2
    }
  }
}

extension QueryScope {
  var byte: UInt8 { self == .collectionGroup ? 1 : 0 }
}

extension [UInt8] {
  fileprivate mutating func append(_ index: SingleFieldIndex) {
    append(index.scope.byte)
    append(index.mode.byte)
  }
}

extension ByteReader {
  mutating func readScope() throws(CorruptBytes) -> QueryScope {
    try readFlag("scope") ? .collectionGroup : .collection
  }

  mutating func readState() throws(CorruptBytes) -> RecordedState {
    let start = offset
    guard let state = RecordedState(rawValue: try readByte("state")) else {
      throw CorruptBytes("index state", at: start)
    }
    return state
  }

  fileprivate mutating func readMode() throws(CorruptBytes) -> IndexMode {
    let start = offset
    let byte = try readByte("mode")
    guard let mode = IndexMode.allCases.first(where: { $0.byte == byte }) else {
      throw CorruptBytes("index mode", at: start)
    }
    return mode
  }

  fileprivate mutating func readVector() throws(CorruptBytes) -> VectorColumn {
    let field = try readFieldPath()
    let start = offset
    guard let dimension = Int(exactly: try readVarint("dimension")) else {
      throw CorruptBytes("dimension", at: start)
    }
    return VectorColumn(field, dimension: dimension)
  }

  fileprivate mutating func readSingleFieldIndex() throws(CorruptBytes) -> SingleFieldIndex {
    let scope = try readScope()
    return SingleFieldIndex(try readMode(), scope: scope)
  }

  fileprivate mutating func readEarlierOverride() throws(CorruptBytes) -> EarlierOverride {
    let isInherited = try readFlag("inherited")
    var indexes: [SingleFieldIndex] = []
    for _ in 0..<(try readCount("index count")) { indexes.append(try readSingleFieldIndex()) }
    return EarlierOverride(indexes, isInherited: isInherited)
  }
}
