package import HearthDocumentModel

extension CatalogRecord {
  /// A time to live: documents of a collection group expire some time after the time in a field of
  /// theirs (§3.9).
  package struct TimeToLive: Sendable, Equatable {
    package var indexID: UInt64
    package var collectionGroup: String
    package var field: FieldPath
    package var offsetSeconds: UInt64
    package var state: UInt8

    package init(
      indexID: UInt64, collectionGroup: String, field: FieldPath, offsetSeconds: UInt64,
      state: UInt8
    ) {
      self.indexID = indexID
      self.collectionGroup = collectionGroup
      self.field = field
      self.offsetSeconds = offsetSeconds
      self.state = state
    }

    package func append(to bytes: inout [UInt8]) {
      bytes.append(CatalogRecord.version)
      bytes.appendVarint(indexID)
      bytes.appendString(collectionGroup)
      bytes.append(field)
      bytes.appendVarint(offsetSeconds)
      bytes.append(state)
    }

    /// - Throws: ``CorruptBytes``.
    package init(_ bytes: RawSpan) throws(CorruptBytes) {
      var reader = try ByteReader(bytes, version: CatalogRecord.version)
      indexID = try reader.readVarint("index id")
      collectionGroup = try reader.readString("collection group")
      field = try reader.readFieldPath()
      offsetSeconds = try reader.readVarint("offset")
      state = try reader.readByte("state")
      try reader.requireEnd()
    }
  }

  /// The mark that sums of index entries are kept.
  package struct Sums: Sendable, Equatable {
    package init() {}

    package func append(to bytes: inout [UInt8]) { bytes.append(CatalogRecord.version) }

    /// - Throws: ``CorruptBytes``.
    package init(_ bytes: RawSpan) throws(CorruptBytes) {
      let reader = try ByteReader(bytes, version: CatalogRecord.version)
      try reader.requireEnd()
    }
  }
}
