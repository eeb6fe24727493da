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

// MARK: - Values

extension EntryValue {
  /// The number of zero bytes behind the number in a name's value.
  ///
  /// LevelDB decodes a compressed block once, checks it, and keeps it in memory. A block that
  /// compression wouldn't make smaller by an eighth stays as it is in its file, and is checked anew
  /// at each read of a name. Random ids alone are such blocks; zeros, which take no room when they
  /// are compressed, make the difference.
  private static let namePadding = 8

  /// Appends the value of a document's key in the key index of collection scope.
  package static func appendName(documentNumber: UInt64, to bytes: inout [UInt8]) {
    append(documentNumber: documentNumber, to: &bytes)
    for _ in 0..<namePadding { bytes.append(0) }
  }

  /// Returns the bytes of an entry's value that say something. Earlier builds wrote names without
  /// zeros.
  @_lifetime(copy value)
  package static func content(of value: RawSpan, at key: RawSpan) -> RawSpan {
    guard StorageKey.isName(key) else { return value }
    var end = value.byteCount
    while end > 0, value.unsafeLoad(fromByteOffset: end &- 1, as: UInt8.self) == 0 { end &-= 1 }
    return value.extracting(first: end)
  }

  /// Whether two values of an entry say the same.
  package static func areEqual(
    _ value: [UInt8]?, _ other: [UInt8], at key: [UInt8]
  ) -> Bool {
    guard let value, value != other else { return value != nil }
    let key = key.span.bytes
    return content(of: value.span.bytes, at: key).equals(content(of: other.span.bytes, at: key))
  }
}

extension EntrySum {
  /// Creates the sum of one entry, by the bytes that say something.
  package init(ofEntry key: RawSpan, _ value: RawSpan) {
    self.init(key: key, value: EntryValue.content(of: value, at: key))
  }
}
