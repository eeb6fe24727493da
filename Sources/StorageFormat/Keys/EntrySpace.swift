/// A set of index entries that are summed up together: the entries of one composite index, or all
/// entries of another kind.
package enum EntrySpace: Sendable, Hashable {
  case names
  case groupNames
  case automatic
  case groupAutomatic
  /// A composite index, or the index of a time to live.
  case composite(UInt64)

  /// Creates the space of an entry's key; `nil` for any other key.
  ///
  /// - Throws: ``CorruptBytes`` for an entry of a composite index whose id can't be read.
  package init?(ofKey key: RawSpan) throws(CorruptBytes) {
    guard !key.isEmpty else { return nil }
    switch StorageKey.Prefix(rawValue: key.unsafeLoad(as: UInt8.self)) {
    case .name: self = .names
    case .groupName: self = .groupNames
    case .automatic: self = .automatic
    case .groupAutomatic: self = .groupAutomatic
    case .composite:
      var reader = ByteReader(key, at: 1)
      self = .composite(try reader.readOrdered("index id"))
    default: return nil
    }
  }

  /// The prefix of the keys of its entries.
  package var prefix: [UInt8] {
    switch self {
    case .names: [StorageKey.Prefix.name.rawValue]
    case .groupNames: [StorageKey.Prefix.groupName.rawValue]
    case .automatic: [StorageKey.Prefix.automatic.rawValue]
    case .groupAutomatic: [StorageKey.Prefix.groupAutomatic.rawValue]
    case .composite(let id): StorageKey.compositePrefix(id: id)
    }
  }
}

extension StorageKey {
  /// The prefix of the keys of all sums.
  package static let sumsPrefix = [Prefix.sums.rawValue]

  /// Returns the key of the sums of a space's entries.
  package static func sums(of space: EntrySpace) -> [UInt8] { sumsPrefix + space.prefix }

  /// Returns the space in the key of its sums.
  ///
  /// - Throws: ``CorruptBytes`` for any other key.
  package static func space(ofSums key: RawSpan) throws(CorruptBytes) -> EntrySpace {
    let count = sumsPrefix.count
    guard key.byteCount > count, key.unsafeLoad(as: UInt8.self) == Prefix.sums.rawValue,
      let space = try EntrySpace(ofKey: key.extracting(droppingFirst: count)),
      sums(of: space).count == key.byteCount
    else { throw CorruptBytes("key of sums", at: 0) }
    return space
  }
}
