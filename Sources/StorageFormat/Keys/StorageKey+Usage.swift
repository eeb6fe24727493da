package import HearthDocumentModel

/// An index as the records of its use name it: by properties that never change during its life.
package enum IndexName: Sendable, Hashable {
  case composite(id: UInt64)
  /// A single-field index.
  ///
  /// - Parameter mode: the engine's byte for the mode.
  case field(FieldPath, mode: UInt8, collectionGroup: UTF8Key, scopeIsGroup: Bool)
  /// The key index.
  case names(collectionGroup: UTF8Key, scopeIsGroup: Bool)
}

extension StorageKey {
  private enum UsageKind: UInt8 {
    case composite = 0x63  // c
    case field = 0x66  // f
    case names = 0x6E  // n
  }

  /// The key that holds the time since when use is recorded. It is also the prefix of all records
  /// of use.
  package static let usage = [Prefix.usage.rawValue]

  /// Returns the key of the record of an index's use.
  package static func usage(of name: IndexName) -> [UInt8] {
    var key = usage
    switch name {
    case .composite(let id):
      key.append(UsageKind.composite.rawValue)
      key.appendOrdered(id)
    case .field(let field, let mode, let group, let scopeIsGroup):
      key += [UsageKind.field.rawValue, scopeIsGroup ? 1 : 0, mode]
      key.appendEscaped(group.string)
      OrderedName.append(
        path: ResourcePath(unchecked: field.names), .ascending, to: &key)
    case .names(let group, let scopeIsGroup):
      key += [UsageKind.names.rawValue, scopeIsGroup ? 1 : 0]
      key.appendEscaped(group.string)
    }
    return key
  }

  /// Returns the index that a record of use is about; `nil` for the key that holds the start
  /// of the recording.
  ///
  /// - Throws: ``CorruptBytes`` for any other key.
  package static func indexName(ofUsage key: RawSpan) throws(CorruptBytes) -> IndexName? {
    var reader = ByteReader(key)
    guard try reader.readByte("prefix") == Prefix.usage.rawValue else {
      throw CorruptBytes("key of use", at: 0)
    }
    guard key.byteCount > 1 else { return nil }
    let kind = UsageKind(rawValue: try reader.readByte("kind of index"))
    guard let kind else { throw CorruptBytes("kind of index", at: 1) }
    let name: IndexName
    switch kind {
    case .composite: name = .composite(id: try reader.readOrdered("index id"))
    case .field: name = try fieldName(key, &reader)
    case .names:
      let scopeIsGroup = try reader.readByte("scope") == 1
      name = .names(collectionGroup: try group(key, &reader), scopeIsGroup: scopeIsGroup)
    }
    try reader.requireEnd()
    return name
  }

  private static func fieldName(
    _ key: RawSpan, _ reader: inout ByteReader
  ) throws(CorruptBytes) -> IndexName {
    let scopeIsGroup = try reader.readByte("scope") == 1
    let mode = try reader.readByte("mode")
    let group = try group(key, &reader)
    var offset = reader.offset
    let names = try OrderedName.path(from: key, at: &offset, .ascending).segments
    guard !names.isEmpty else { throw CorruptBytes("field", at: reader.offset) }
    try reader.skip(offset - reader.offset, "field")
    return .field(
      FieldPath(unchecked: names), mode: mode, collectionGroup: group, scopeIsGroup: scopeIsGroup)
  }

  private static func group(
    _ key: RawSpan, _ reader: inout ByteReader
  ) throws(CorruptBytes) -> UTF8Key {
    var offset = reader.offset
    let id = try OrderedName.documentID(from: key, at: &offset, .ascending)
    try reader.skip(offset - reader.offset, "group")
    return UTF8Key(id)
  }
}
