/// Index entries that are summed up together: those of one composite index, and all of each other
/// kind.
package enum EntrySpace: Sendable, Hashable {
  case names
  case groupNames
  case automatic
  case groupAutomatic
  /// Also the index of a time to live.
  case composite(UInt64)

  /// The space of a key; `nil` for one that is no entry's.
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

  /// What the keys of its entries begin with.
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
  /// What the keys of all sums begin with.
  package static let sumsPrefix = [Prefix.sums.rawValue]

  /// The sums of a space's entries.
  package static func sums(of space: EntrySpace) -> [UInt8] { sumsPrefix + space.prefix }

  /// The space in the key of its sums.
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
