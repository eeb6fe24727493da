package import HearthDocumentModel

// The records under the keys `x`, each after a version byte:
//
//   identity    format version (varint), project, database (strings)
//   composite   id (varint), collection group (string), scope (1 is group), state (1 byte),
//               column count (varint), columns: field path, mode (1 byte);
//               in version 2: field path and dimension (varint) of the vector
//   override    collection group (string), 0 | 1 and field path, index count (varint), indexes:
//               scope, mode, state (1 byte each); reverting (0 | 1);
//               while its change may fail, what was before: inherited (0 | 1), index count
//               (varint), indexes: scope, mode (1 byte each)
//
//   covering    state (1 byte)
//   counts      id (varint), collection group (string), scope (1 is group), state (1 byte),
//               field count (varint), field paths
//   time to live
//               index id (varint), collection group (string), field path, offset in seconds
//               (varint), state (1 byte)
//
//   field path  name count (varint), names (strings)
//
// The version is 1, and 2 for the composite record of a vector index: a release that knows only
// version 1 refuses the index instead of maintaining it without its vectors. The identity has
// version 2 while there are records of covering entries, of counts or of times to live, or an
// override with its earlier indexes: a release that doesn't know these records refuses the
// database. Modes and states are the engine's bytes; the format only stores them.

/// The records of the catalogue, as bytes without their meaning.
package enum CatalogRecord {
  static let version: UInt8 = 1
  fileprivate static let vectorVersion: UInt8 = 2
  fileprivate static let tunedVersion: UInt8 = 2

  /// The identity of the database and the version of its format.
  package struct Identity: Sendable, Equatable {
    package var formatVersion: UInt64
    package var database: DatabaseID
    /// Whether there are records that earlier releases don't know.
    package var isTuned: Bool

    package init(formatVersion: UInt64, database: DatabaseID, isTuned: Bool = false) {
      self.formatVersion = formatVersion
      self.database = database
      self.isTuned = isTuned
    }
  }

  package struct Composite: Sendable, Equatable {
    package struct Column: Sendable, Equatable {
      package var field: FieldPath
      package var mode: UInt8

      package init(field: FieldPath, mode: UInt8) {
        self.field = field
        self.mode = mode
      }
    }

    package struct Vector: Sendable, Equatable {
      package var field: FieldPath
      package var dimension: UInt64

      package init(field: FieldPath, dimension: UInt64) {
        self.field = field
        self.dimension = dimension
      }
    }

    package var id: UInt64
    package var collectionGroup: String
    package var scopeIsGroup: Bool
    package var columns: [Column]
    package var vector: Vector?
    package var state: UInt8

    package init(
      id: UInt64, collectionGroup: String, scopeIsGroup: Bool, columns: [Column],
      vector: Vector? = nil, state: UInt8
    ) {
      self.id = id
      self.collectionGroup = collectionGroup
      self.scopeIsGroup = scopeIsGroup
      self.columns = columns
      self.vector = vector
      self.state = state
    }
  }

  /// A list of single-field indexes that replaces the inherited one (§3.3).
  package struct Override: Sendable, Equatable {
    package struct Index: Sendable, Equatable {
      package var scopeIsGroup: Bool
      package var mode: UInt8
      package var state: UInt8

      package init(scopeIsGroup: Bool, mode: UInt8, state: UInt8) {
        self.scopeIsGroup = scopeIsGroup
        self.mode = mode
        self.state = state
      }
    }

    package var collectionGroup: String
    /// The field; `nil` for all fields of the group.
    package var field: FieldPath?
    package var indexes: [Index]
    /// Whether the override is removed once its fields are back at the indexes that they inherit.
    package var isReverting: Bool
    /// The indexes to restore if the change that is under way fails; `nil` outside such a change.
    package var earlier: Earlier?

    /// The indexes of a field before its override was changed.
    package struct Earlier: Sendable, Equatable {
      package struct Index: Sendable, Equatable {
        package var scopeIsGroup: Bool
        package var mode: UInt8

        package init(scopeIsGroup: Bool, mode: UInt8) {
          self.scopeIsGroup = scopeIsGroup
          self.mode = mode
        }
      }

      package var indexes: [Index]
      /// Whether the field had no override of its own.
      package var isInherited: Bool

      package init(indexes: [Index], isInherited: Bool) {
        self.indexes = indexes
        self.isInherited = isInherited
      }
    }

    package init(
      collectionGroup: String, field: FieldPath?, indexes: [Index], isReverting: Bool,
      earlier: Earlier? = nil
    ) {
      self.collectionGroup = collectionGroup
      self.field = field
      self.indexes = indexes
      self.isReverting = isReverting
      self.earlier = earlier
    }
  }
}

extension CatalogRecord.Identity {
  package func append(to bytes: inout [UInt8]) {
    bytes.append(isTuned ? CatalogRecord.tunedVersion : CatalogRecord.version)
    bytes.appendVarint(formatVersion)
    bytes.appendString(database.project)
    bytes.appendString(database.database)
  }

  /// Whether a later release wrote the record, so that this one can't read it.
  package static func isNewer(_ bytes: RawSpan) -> Bool {
    var reader = ByteReader(bytes)
    return (try? reader.readByte("version")).map { $0 > CatalogRecord.tunedVersion } ?? false
  }

  /// - Throws: ``CorruptBytes``.
  package init(_ bytes: RawSpan) throws(CorruptBytes) {
    var reader = ByteReader(bytes)
    isTuned = try reader.readVersion(CatalogRecord.version, or: CatalogRecord.tunedVersion)
    formatVersion = try reader.readVarint("format version")
    database = try reader.readDatabase()
    try reader.requireEnd()
  }
}

extension CatalogRecord.Composite {
  package func append(to bytes: inout [UInt8]) {
    bytes.append(vector == nil ? CatalogRecord.version : CatalogRecord.vectorVersion)
    bytes.appendVarint(id)
    bytes.appendString(collectionGroup)
    bytes.append(scopeIsGroup ? 1 : 0)
    bytes.append(state)
    bytes.appendVarint(columns.count)
    for column in columns {
      bytes.append(column.field)
      bytes.append(column.mode)
    }
    if let vector {
      bytes.append(vector.field)
      bytes.appendVarint(vector.dimension)
    }
  }

  /// - Throws: ``CorruptBytes``.
  package init(_ bytes: RawSpan) throws(CorruptBytes) {
    var reader = ByteReader(bytes)
    let hasVector = try reader.readVersion(CatalogRecord.version, or: CatalogRecord.vectorVersion)
    id = try reader.readVarint("index id")
    collectionGroup = try reader.readString("collection group")
    scopeIsGroup = try reader.readFlag("scope")
    state = try reader.readByte("state")
    columns = []
    for _ in 0..<(try reader.readCount("column count")) {
      let field = try reader.readFieldPath()
      columns.append(Column(field: field, mode: try reader.readByte("mode")))
    }
    vector = nil
    if hasVector {
      let field = try reader.readFieldPath()
      vector = Vector(field: field, dimension: try reader.readVarint("dimension"))
    }
    try reader.requireEnd()
  }
}

extension CatalogRecord.Override {
  package func append(to bytes: inout [UInt8]) {
    bytes.append(CatalogRecord.version)
    bytes.appendString(collectionGroup)
    bytes.append(field == nil ? 0 : 1)
    if let field { bytes.append(field) }
    bytes.appendVarint(indexes.count)
    for index in indexes {
      bytes.append(index.scopeIsGroup ? 1 : 0)
      bytes.append(index.mode)
      bytes.append(index.state)
    }
    bytes.append(isReverting ? 1 : 0)
    guard let earlier else { return }
    bytes.append(earlier.isInherited ? 1 : 0)
    bytes.appendVarint(earlier.indexes.count)
    for index in earlier.indexes {
      bytes.append(index.scopeIsGroup ? 1 : 0)
      bytes.append(index.mode)
    }
  }

  /// - Throws: ``CorruptBytes``.
  package init(_ bytes: RawSpan) throws(CorruptBytes) {
    var reader = try ByteReader(bytes, version: CatalogRecord.version)
    collectionGroup = try reader.readString("collection group")
    field = try reader.readFlag("field") ? try reader.readFieldPath() : nil
    indexes = []
    for _ in 0..<(try reader.readCount("index count")) {
      let scopeIsGroup = try reader.readFlag("scope")
      let mode = try reader.readByte("mode")
      let state = try reader.readByte("state")
      indexes.append(Index(scopeIsGroup: scopeIsGroup, mode: mode, state: state))
    }
    isReverting = try reader.readFlag("reverting")
    earlier = reader.isAtEnd ? nil : try Earlier(&reader)
    try reader.requireEnd()
  }
}

extension CatalogRecord.Override.Earlier {
  fileprivate init(_ reader: inout ByteReader) throws(CorruptBytes) {
    isInherited = try reader.readFlag("inherited")
    indexes = []
    for _ in 0..<(try reader.readCount("index count")) {
      let scopeIsGroup = try reader.readFlag("scope")
      indexes.append(Index(scopeIsGroup: scopeIsGroup, mode: try reader.readByte("mode")))
    }
  }
}

extension CatalogRecord {
  /// The mark that a composite index's entries carry their documents' records. The key holds the
  /// index's id.
  package struct Covering: Sendable, Equatable {
    package var state: UInt8

    package init(state: UInt8) {
      self.state = state
    }

    package func append(to bytes: inout [UInt8]) {
      bytes.append(CatalogRecord.version)
      bytes.append(state)
    }

    /// - Throws: ``CorruptBytes``.
    package init(_ bytes: RawSpan) throws(CorruptBytes) {
      var reader = try ByteReader(bytes, version: CatalogRecord.version)
      state = try reader.readByte("state")
      try reader.requireEnd()
    }
  }

  /// A definition of kept counts: one count for each combination of values of some fields.
  package struct Counts: Sendable, Equatable {
    package var id: UInt64
    package var collectionGroup: String
    package var scopeIsGroup: Bool
    package var fields: [FieldPath]
    package var state: UInt8

    package init(
      id: UInt64, collectionGroup: String, scopeIsGroup: Bool, fields: [FieldPath], state: UInt8
    ) {
      self.id = id
      self.collectionGroup = collectionGroup
      self.scopeIsGroup = scopeIsGroup
      self.fields = fields
      self.state = state
    }

    package func append(to bytes: inout [UInt8]) {
      bytes.append(CatalogRecord.version)
      bytes.appendVarint(id)
      bytes.appendString(collectionGroup)
      bytes.append(scopeIsGroup ? 1 : 0)
      bytes.append(state)
      bytes.appendVarint(fields.count)
      for field in fields { bytes.append(field) }
    }

    /// - Throws: ``CorruptBytes``.
    package init(_ bytes: RawSpan) throws(CorruptBytes) {
      var reader = try ByteReader(bytes, version: CatalogRecord.version)
      id = try reader.readVarint("count id")
      collectionGroup = try reader.readString("collection group")
      scopeIsGroup = try reader.readFlag("scope")
      state = try reader.readByte("state")
      fields = []
      for _ in 0..<(try reader.readCount("field count")) {
        fields.append(try reader.readFieldPath())
      }
      try reader.requireEnd()
    }
  }
}

extension [UInt8] {
  mutating func append(_ field: FieldPath) {
    appendVarint(field.names.count)
    for name in field.names { appendString(name) }
  }
}

extension ByteReader {
  mutating func readFieldPath() throws(CorruptBytes) -> FieldPath {
    let start = offset
    var names: [String] = []
    for _ in 0..<(try readCount("field path")) { names.append(try readString("field name")) }
    guard !names.isEmpty, !names.contains(where: \.isEmpty) else {
      throw CorruptBytes("field path", at: start)
    }
    return FieldPath(unchecked: names)
  }
}
