package import HearthDocumentModel

/// The part of an entry's key before its columns, which identifies the index and the entry's
/// collection or group.
package struct IndexPart: Sendable, Equatable {
  /// The offset after the collection's number or the group; 1 if the key begins with neither.
  package let placeEnd: Int
  /// The offset after the whole part.
  package let end: Int
}

extension StorageKey {
  /// Returns the part of an entry's key before its columns. For the key of a document or a count,
  /// it is the prefix of all documents, or of all counts of one id. `nil` for any other key.
  ///
  /// It checks no more of the key than it needs to.
  package static func indexPart(of key: RawSpan) -> IndexPart? {
    guard !key.isEmpty else { return nil }
    switch Prefix(rawValue: key.byte(0)) {
    case .composite, .count:
      return key.orderedEnd(at: 1).map { IndexPart(placeEnd: 1, end: $0) }
    case .name: return key.orderedEnd(at: 1).map { IndexPart(placeEnd: $0, end: $0) }
    case .groupName: return key.escapedEnd(at: 1).map { IndexPart(placeEnd: $0, end: $0) }
    case .automatic:
      guard let placeEnd = key.orderedEnd(at: 1) else { return nil }
      return key.fieldEnd(at: placeEnd + 1).map { IndexPart(placeEnd: placeEnd, end: $0) }
    case .groupAutomatic:
      guard let placeEnd = key.escapedEnd(at: 1) else { return nil }
      return key.fieldEnd(at: placeEnd + 1).map { IndexPart(placeEnd: placeEnd, end: $0) }
    case .document: return IndexPart(placeEnd: 1, end: 1)
    case .state, .catalog, .collection, .usage, .hot, .sums, nil: return nil
    }
  }

  /// Returns a hash for the index of the entry with this key. All entries of one index of a
  /// collection id have the same, in every collection.
  ///
  /// - Parameter groupHash: a hash of the collection id, which not every key contains.
  package static func indexHash(
    of key: RawSpan, _ part: IndexPart, groupHash: UInt64
  ) -> UInt64 {
    var hash = ByteHash()
    hash.combine(UInt64(key.byte(0)))
    hash.combine(key.extracting(part.placeEnd..<part.end))
    hash.combine(groupHash)
    return hash.value
  }

  /// Returns the collection's number in the key of an entry of collection scope. The number must
  /// directly follow the key's prefix.
  ///
  /// - Throws: ``CorruptBytes`` if there is none.
  package static func collectionNumber(ofEntry key: RawSpan) throws(CorruptBytes) -> UInt64 {
    var reader = ByteReader(key, at: 1)
    return try reader.readOrdered("collection number")
  }

  /// Returns the collection id in the key of an entry of group scope. The id must directly follow
  /// the key's prefix.
  ///
  /// - Throws: ``CorruptBytes`` if there is none.
  package static func collectionGroup(ofEntry key: RawSpan) throws(CorruptBytes) -> UTF8Key {
    var offset = 1
    return UTF8Key(try OrderedName.documentID(from: key, at: &offset, .ascending))
  }

  /// Returns the id of the composite index that the entry with this key is of; `nil` for an entry
  /// of another kind.
  ///
  /// - Throws: ``CorruptBytes``.
  package static func compositeID(ofEntry key: RawSpan) throws(CorruptBytes) -> UInt64? {
    var reader = ByteReader(key)
    guard try reader.readByte("prefix") == Prefix.composite.rawValue else { return nil }
    return try reader.readOrdered("index id")
  }

  /// Returns the index that the key of an automatic entry names; `nil` for an entry of another
  /// kind.
  ///
  /// - Throws: ``CorruptBytes``.
  package static func automaticIndex(
    of key: RawSpan, _ part: IndexPart
  ) throws(CorruptBytes) -> (field: FieldPath, kind: AutomaticKind, isGroup: Bool)? {
    let prefix = Prefix(rawValue: key.byte(0))
    guard prefix == .automatic || prefix == .groupAutomatic else { return nil }
    guard let kind = AutomaticKind(rawValue: key.byte(part.placeEnd)) else {
      throw CorruptBytes("kind", at: part.placeEnd)
    }
    var offset = part.placeEnd + 1
    let names = try OrderedName.path(from: key, at: &offset, .ascending).segments
    return (FieldPath(unchecked: names), kind, prefix == .groupAutomatic)
  }

  /// Returns the prefix of the keys of all entries of one kind: of the key index, or of the
  /// automatic indexes.
  package static func entryPrefix(ofNames: Bool, scopeIsGroup: Bool) -> [UInt8] {
    let prefix: Prefix =
      ofNames
      ? (scopeIsGroup ? .groupName : .name) : (scopeIsGroup ? .groupAutomatic : .automatic)
    return [prefix.rawValue]
  }

  /// Returns whether a key of the key index is of group scope; `nil` for any other key.
  package static func nameScopeIsGroup(of key: RawSpan) -> Bool? {
    switch Prefix(rawValue: key.isEmpty ? 0 : key.byte(0)) {
    case .name: false
    case .groupName: true
    default: nil
    }
  }
}

extension RawSpan {
  fileprivate func byte(_ offset: Int) -> UInt8 {
    unsafeLoad(fromByteOffset: offset, as: UInt8.self)
  }

  /// Returns the end of the `OrderedUInt` that begins at `offset`; `nil` if it is incomplete.
  fileprivate func orderedEnd(at offset: Int) -> Int? {
    guard offset < byteCount else { return nil }
    let first = byte(offset)
    let end = offset + 1 + (first < 0x80 ? 0 : Int(first & 0x7F))
    return end <= byteCount ? end : nil
  }

  /// Returns the offset after the escaped bytes that begin at `offset` and their end; `nil` if they
  /// have no end.
  fileprivate func escapedEnd(at offset: Int) -> Int? {
    var offset = offset
    while offset < byteCount {
      if byte(offset) == 0 { return offset + 1 }
      offset += 1
    }
    return nil
  }

  /// Returns the offset after the field path that begins at `offset`. An empty name ends it.
  fileprivate func fieldEnd(at offset: Int) -> Int? {
    var offset = offset
    while let end = escapedEnd(at: offset) {
      if end == offset + 1 { return end }
      offset = end
    }
    return nil
  }
}
