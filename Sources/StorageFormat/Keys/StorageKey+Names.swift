package import HearthDocumentModel

/// Reading keys of the key index on their own (§3.2).
extension StorageKey {
  /// The prefixes of the keys of the key index, in collection scope and in group scope.
  package static let namesPrefix = [Prefix.name.rawValue]
  package static let groupNamesPrefix = [Prefix.groupName.rawValue]

  /// Returns the collection's number and the document's id in a key of collection scope.
  ///
  /// - Throws: ``CorruptBytes`` for any other key.
  package static func name(
    of key: RawSpan
  ) throws(CorruptBytes) -> (collection: UInt64, id: String) {
    var reader = ByteReader(key)
    guard try reader.readByte("name") == Prefix.name.rawValue else {
      throw CorruptBytes("name", at: 0)
    }
    let collection = try reader.readOrdered("collection number")
    var offset = reader.offset
    let id = try OrderedName.documentID(from: key, at: &offset, .ascending)
    guard offset == key.byteCount else { throw CorruptBytes("end", at: offset) }
    return (collection, id)
  }

  /// Returns the document's path in a key of group scope.
  ///
  /// - Throws: ``CorruptBytes`` for any other key.
  package static func path(ofGroupName key: RawSpan) throws(CorruptBytes) -> ResourcePath {
    var reader = ByteReader(key)
    guard try reader.readByte("name") == Prefix.groupName.rawValue else {
      throw CorruptBytes("name of a group", at: 0)
    }
    var offset = reader.offset
    _ = try OrderedName.documentID(from: key, at: &offset, .ascending)
    let path = try OrderedName.path(from: key, at: &offset, .ascending)
    guard path.isDocument, offset == key.byteCount else {
      throw CorruptBytes("document path", at: offset)
    }
    return path
  }
}
