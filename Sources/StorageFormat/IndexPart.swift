package import DocumentModel

/// The part of an entry's key in front of its columns: which index the entry is of, and where it
/// lies.
package struct IndexPart: Sendable, Equatable {
  /// Behind the number of the collection, or the group, where the key begins with one.
  package let placeEnd: Int
  /// Behind what says the rest.
  package let end: Int
}

extension StorageKey {
  /// The part of an entry's key in front of its columns; for a document's or a count's key what
  /// all of them, or all of one kind, begin with. `nil` for any other key.
  ///
  /// It doesn't check more of the key than it needs to.
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
    case .state, .catalog, .collection, .usage, .sums, nil: return nil
    }
  }

  /// A number for the index of the entry with this key, wherever it lies: all entries of one index
  /// of a collection id have the same.
  ///
  /// - Parameter groupHash: a number for the collection id, which not every key has.
  package static func indexHash(
    of key: RawSpan, _ part: IndexPart, groupHash: UInt64
  ) -> UInt64 {
    var hash = ByteHash()
    hash.combine(UInt64(key.byte(0)))
    hash.combine(key.extracting(part.placeEnd..<part.end))
    hash.combine(groupHash)
    return hash.value
  }

  /// The collection's number in the key of an entry of collection scope that has one behind the
  /// prefix.
  ///
  /// - Throws: ``CorruptBytes`` where there is none.
  package static func collectionNumber(ofEntry key: RawSpan) throws(CorruptBytes) -> UInt64 {
    var reader = ByteReader(key, at: 1)
    return try reader.readOrdered("collection number")
  }

  /// The collection id in the key of an entry of group scope that has one behind the prefix.
  ///
  /// - Throws: ``CorruptBytes`` where there is none.
  package static func collectionGroup(ofEntry key: RawSpan) throws(CorruptBytes) -> UTF8Key {
    var offset = 1
    return UTF8Key(try OrderedName.documentID(from: key, at: &offset, .ascending))
  }

  /// The id of the composite index of an entry with this key; `nil` for another entry.
  ///
  /// - Throws: ``CorruptBytes``.
  package static func compositeID(ofEntry key: RawSpan) throws(CorruptBytes) -> UInt64? {
    var reader = ByteReader(key)
    guard try reader.readByte("prefix") == Prefix.composite.rawValue else { return nil }
    return try reader.readOrdered("index id")
  }

  /// What the key of an automatic entry says of its index; `nil` for another entry.
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

  /// What the keys of all entries of one kind begin with: of the key index, or of the automatic
  /// indexes.
  package static func entryPrefix(ofNames: Bool, scopeIsGroup: Bool) -> [UInt8] {
    let prefix: Prefix =
      ofNames
      ? (scopeIsGroup ? .groupName : .name) : (scopeIsGroup ? .groupAutomatic : .automatic)
    return [prefix.rawValue]
  }

  /// Whether the key is one of the key index, and in which scope.
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

  /// Where the `OrderedUInt` that begins at `offset` ends, if it does.
  fileprivate func orderedEnd(at offset: Int) -> Int? {
    guard offset < byteCount else { return nil }
    let first = byte(offset)
    let end = offset + 1 + (first < 0x80 ? 0 : Int(first & 0x7F))
    return end <= byteCount ? end : nil
  }

  /// Where the escaped bytes that begin at `offset` end, behind their end.
  fileprivate func escapedEnd(at offset: Int) -> Int? {
    var offset = offset
    while offset < byteCount {
      if byte(offset) == 0 { return offset + 1 }
      offset += 1
    }
    return nil
  }

  /// Where the field path that begins at `offset` ends: an empty name is its end.
  fileprivate func fieldEnd(at offset: Int) -> Int? {
    var offset = offset
    while let end = escapedEnd(at: offset) {
      if end == offset + 1 { return end }
      offset = end
    }
    return nil
  }
}
