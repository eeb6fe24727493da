package import HearthDocumentModel

// Every key of a database. A key begins with one readable byte; FF begins none.
//
//   key                                                                  value
//   s                                                                    `StateRecord`
//   x d                                                                  `IdentityRecord`
//   x c  index id                                                        a `CompositeIndex`
//   x o  group, field | 00                                               a `FieldOverride`
//   x v  index id                                                        a `TuningState`
//   x k  count id                                                        `KeptCounts`
//   x s                                                                  version (1)
//   x h  index id                                                        nothing
//   x t  index id                                                        a `TimeToLive`
//   x b  c, index id | o, group, field | 00 | k, count id                key of the next document
//   c    collection's path                                               collection number
//   n    collection, document id                                         `EntryValue`
//   g    group, document's path                                          `EntryValue`
//   d    document number                                                 `DocumentRecord`
//   i    index id, collection, columns, document id   (collection scope)   `EntryValue`
//   i    index id, columns, document's path           (group scope)        `EntryValue`
//   a    collection, kind, field, column, document id                    `EntryValue`
//   A    group, kind, field, column, document's path                     `EntryValue`
//   u    count id, collection | 00, columns                              number of documents
//   e    n | g | a | A | i, index id                                     `EntrySums`
//   q                                                                    since when use is recorded
//   q c  index id                                                        `UsageRecord`
//   q f  scope, mode, group, field                                       `UsageRecord`
//   q n  scope, group                                                    `UsageRecord`
//   h    part                                                            `HotDocument`s
//
//   collection, index id, count id,
//   document number                         `OrderedUInt`; never reused
//   part                                    `OrderedUInt`, from 0
//   group                                   collection id, escaped with its end (`OrderedBytes`)
//   document id, path                       `OrderedName`
//   kind                                    00 the value as a whole, 01 one element of an array
//   scope, mode                             1 byte each, as in the catalogue's records
//   field                                   names, each escaped with its end; end
//   column                                  `OrderedValue`
//   values that are numbers                 varint: those of `n` and `g` are an `EntryValue` too
//
// `n` and `g` are the key index in its two scopes (§3.2); `n` also gives a document's number. `a`
// and `A` are the automatic indexes: one ascending entry, with an ascending name, serves the
// ascending index and, read backwards, the descending one. In `i` the columns and the name have the
// directions of the definition. The index of a time to live is one of them, ascending and of group
// scope; only sweeps read it. `u` are kept counts: one for each combination of values that some
// document has, with 00 in place of the collection if all documents of a group are counted
// together. `x h` hides an index from queries. `q` are records of the use of indexes, and `h` the
// numbers of the documents that were in memory at the last close; no snapshot guarantees anything
// about either. `e` are sums of entries, for checks (`EntrySum`). `x v`, `x k` and `x s` are
// tunings: while there is one, or a time to live, the identity has version 2. That keeps older
// releases from writing documents without maintaining them.
//
// Reserved, not yet written: `l` log of changes.

/// The one table of key layouts.
///
/// Keys are built here and nowhere else; columns and names are appended to a prefix by
/// ``ValueEncoder`` and ``OrderedName``.
package enum StorageKey {
  enum Prefix: UInt8 {
    case state = 0x73  // s
    case catalog = 0x78  // x
    case collection = 0x63  // c
    case name = 0x6E  // n
    case groupName = 0x67  // g
    case document = 0x64  // d
    case composite = 0x69  // i
    case automatic = 0x61  // a
    case groupAutomatic = 0x41  // A
    case count = 0x75  // u
    case sums = 0x65  // e
    case usage = 0x71  // q
    case hot = 0x68  // h
  }

  enum CatalogKind: UInt8 {
    case identity = 0x64  // d
    case composite = 0x63  // c
    case override = 0x6F  // o
    case checkpoint = 0x62  // b
    case covering = 0x76  // v
    case counts = 0x6B  // k
    case hidden = 0x68  // h
    case timeToLive = 0x74  // t
    case sums = 0x73  // s
  }

  /// The part of a field's value that an automatic index's entries hold.
  package enum AutomaticKind: UInt8, Sendable {
    case ordered = 0
    case contains = 1
  }

  private static func key(_ prefix: Prefix, reserving byteCount: Int = 24) -> [UInt8] {
    var key: [UInt8] = []
    key.reserveCapacity(byteCount)
    key.append(prefix.rawValue)
    return key
  }

  // MARK: Single records

  package static let state = key(.state)

  package static func document(_ number: UInt64) -> [UInt8] {
    var key: [UInt8] = []
    key.reserveCapacity(16)
    appendDocument(number, to: &key)
    return key
  }

  package static func appendDocument(_ number: UInt64, to bytes: inout [UInt8]) {
    bytes.append(Prefix.document.rawValue)
    bytes.appendOrdered(number)
  }

  package static let documentsPrefix = key(.document)

  package static func collection(_ path: ResourcePath) -> [UInt8] {
    var key = key(.collection)
    OrderedName.append(path: path, .ascending, to: &key)
    return key
  }

  /// Returns the prefix of the keys of all collections at any depth below `path`; for the root, of
  /// all collections.
  package static func collectionsPrefix(below path: ResourcePath) -> [UInt8] {
    var key = key(.collection)
    OrderedName.appendPrefix(path: path, .ascending, to: &key)
    return key
  }

  // MARK: Names

  package static func name(collection: UInt64, id: String) -> [UInt8] {
    var key: [UInt8] = []
    key.reserveCapacity(48)
    appendName(collection: collection, id: id, to: &key)
    return key
  }

  package static func appendName(collection: UInt64, id: String, to bytes: inout [UInt8]) {
    bytes.append(Prefix.name.rawValue)
    bytes.appendOrdered(collection)
    OrderedName.append(documentID: id, .ascending, to: &bytes)
  }

  package static func namePrefix(collection: UInt64) -> [UInt8] {
    var key = key(.name)
    key.appendOrdered(collection)
    return key
  }

  package static func groupName(collectionID: String, path: ResourcePath) -> [UInt8] {
    var key: [UInt8] = []
    key.reserveCapacity(64)
    appendGroupName(collectionID: collectionID, path: path, to: &key)
    return key
  }

  package static func appendGroupName(
    collectionID: String, path: ResourcePath, to bytes: inout [UInt8]
  ) {
    bytes.append(Prefix.groupName.rawValue)
    bytes.appendEscaped(collectionID)
    OrderedName.append(path: path, .ascending, to: &bytes)
  }

  package static func groupNamePrefix(collectionID: String) -> [UInt8] {
    var key = key(.groupName, reserving: 64)
    key.appendEscaped(collectionID)
    return key
  }

  // MARK: Index entries

  /// The prefixes of the keys of all entries: the key index in both scopes, composite indexes, and
  /// automatic indexes in both scopes.
  package static let entryPrefixes = [
    key(.name), key(.groupName), key(.composite), key(.automatic), key(.groupAutomatic),
  ]

  /// Returns the prefix of all entries of a composite index.
  package static func compositePrefix(id: UInt64) -> [UInt8] {
    var key: [UInt8] = []
    appendCompositePrefix(id: id, collection: nil, to: &key)
    return key
  }

  /// - Parameter collection: the collection's number; `nil` for an index of group scope.
  package static func appendCompositePrefix(
    id: UInt64, collection: UInt64?, to bytes: inout [UInt8]
  ) {
    bytes.append(Prefix.composite.rawValue)
    bytes.appendOrdered(id)
    if let collection { bytes.appendOrdered(collection) }
  }

  package static func appendAutomaticPrefix(
    collection: UInt64, kind: AutomaticKind, field: FieldPath, to bytes: inout [UInt8]
  ) {
    bytes.append(Prefix.automatic.rawValue)
    bytes.appendOrdered(collection)
    bytes.append(kind.rawValue)
    append(field, to: &bytes)
  }

  package static func appendGroupAutomaticPrefix(
    collectionID: String, kind: AutomaticKind, field: FieldPath, to bytes: inout [UInt8]
  ) {
    bytes.append(Prefix.groupAutomatic.rawValue)
    bytes.appendEscaped(collectionID)
    bytes.append(kind.rawValue)
    append(field, to: &bytes)
  }

  private static func append(_ field: FieldPath, to bytes: inout [UInt8]) {
    for name in field.names { bytes.appendEscaped(name) }
    bytes.append(OrderedValue.end)
  }
}

extension StorageKey {
  // MARK: Kept counts

  /// The prefix of the keys of all kept counts.
  package static let keptCountsPrefix = key(.count)

  /// Returns the prefix of all counts of one id.
  package static func keptCountsPrefix(id: UInt64) -> [UInt8] {
    var key = keptCountsPrefix
    key.appendOrdered(id)
    return key
  }

  /// Appends the prefix of a collection's counts, which ends before their columns.
  ///
  /// - Parameter collection: the collection's number; `nil` for the counts of the whole group.
  package static func appendKeptCountPrefix(
    id: UInt64, collection: UInt64?, to bytes: inout [UInt8]
  ) {
    bytes.append(Prefix.count.rawValue)
    bytes.appendOrdered(id)
    // Collections are numbered from 1.
    bytes.appendOrdered(collection ?? 0)
  }

  // MARK: Catalogue

  package static let catalogPrefix = key(.catalog)
  package static let identity = catalogPrefix + [CatalogKind.identity.rawValue]
  package static let compositesPrefix = catalogPrefix + [CatalogKind.composite.rawValue]
  package static let overridesPrefix = catalogPrefix + [CatalogKind.override.rawValue]

  package static func composite(id: UInt64) -> [UInt8] {
    var key = compositesPrefix
    key.appendOrdered(id)
    return key
  }

  package static let coveringsPrefix = catalogPrefix + [CatalogKind.covering.rawValue]
  package static let countsPrefix = catalogPrefix + [CatalogKind.counts.rawValue]
  package static let hiddenPrefix = catalogPrefix + [CatalogKind.hidden.rawValue]
  package static let timesToLivePrefix = catalogPrefix + [CatalogKind.timeToLive.rawValue]

  /// Returns the key of the record of a composite index's covering entries.
  package static func covering(compositeID id: UInt64) -> [UInt8] {
    var key = coveringsPrefix
    key.appendOrdered(id)
    return key
  }

  /// Returns the key of the mark that hides a composite index from queries.
  package static func hidden(compositeID id: UInt64) -> [UInt8] {
    var key = hiddenPrefix
    key.appendOrdered(id)
    return key
  }

  /// Returns the key of the definition of kept counts.
  package static func counts(id: UInt64) -> [UInt8] {
    var key = countsPrefix
    key.appendOrdered(id)
    return key
  }

  /// The key of the record that sums are kept.
  package static let sumsRecord = catalogPrefix + [CatalogKind.sums.rawValue]

  /// Returns the key of the record of a time to live.
  package static func timeToLive(indexID id: UInt64) -> [UInt8] {
    var key = timesToLivePrefix
    key.appendOrdered(id)
    return key
  }

  /// - Parameter field: the field; `nil` for all fields of the group.
  package static func override(collectionGroup: String, field: FieldPath?) -> [UInt8] {
    var key = overridesPrefix
    key.appendEscaped(collectionGroup)
    if let field { append(field, to: &key) } else { key.append(OrderedValue.end) }
    return key
  }

  /// Returns the key under which the build of a composite index stores the key of its next
  /// document.
  package static func checkpoint(compositeID id: UInt64) -> [UInt8] {
    checkpoint(of: composite(id: id))
  }

  /// Returns the key under which a change of an override stores the key of its next document.
  package static func checkpoint(
    overrideOf collectionGroup: String, field: FieldPath?
  ) -> [UInt8] {
    checkpoint(of: override(collectionGroup: collectionGroup, field: field))
  }

  /// Returns the key under which the first counting stores the key of its next document.
  package static func checkpoint(countsID id: UInt64) -> [UInt8] {
    checkpoint(of: counts(id: id))
  }

  private static func checkpoint(of record: [UInt8]) -> [UInt8] {
    catalogPrefix + [CatalogKind.checkpoint.rawValue] + record.dropFirst(catalogPrefix.count)
  }

  // MARK: Hot documents

  /// The prefix of the keys of the records of hot documents.
  package static let hotDocumentsPrefix = key(.hot)

  /// Returns the key of a record of hot documents.
  ///
  /// - Parameter part: the number of the record, from 0.
  package static func hotDocuments(part: UInt64) -> [UInt8] {
    var key = hotDocumentsPrefix
    key.appendOrdered(part)
    return key
  }

  // MARK: Reading keys

  /// Whether `key` is a document's key.
  package static func isDocument(_ key: RawSpan) -> Bool {
    !key.isEmpty && key.unsafeLoad(as: UInt8.self) == Prefix.document.rawValue
  }

  /// Whether `key` is a document's key in the key index of collection scope.
  package static func isName(_ key: RawSpan) -> Bool {
    !key.isEmpty && key.unsafeLoad(as: UInt8.self) == Prefix.name.rawValue
  }

  /// Returns the number in a document's key.
  ///
  /// - Throws: ``CorruptBytes`` for any other key.
  package static func documentNumber(of key: RawSpan) throws(CorruptBytes) -> UInt64 {
    var reader = try reader(of: key, .document, "document key")
    let number = try reader.readOrdered("document number")
    try reader.requireEnd()
    return number
  }

  /// Returns the index's id in the key of a record of covering entries.
  ///
  /// - Throws: ``CorruptBytes`` for any other key.
  package static func compositeID(ofCovering key: RawSpan) throws(CorruptBytes) -> UInt64 {
    try compositeID(of: key, .covering, "record of covering entries")
  }

  /// Returns the index's id in the key of a mark that hides it.
  ///
  /// - Throws: ``CorruptBytes`` for any other key.
  package static func compositeID(ofHidden key: RawSpan) throws(CorruptBytes) -> UInt64 {
    try compositeID(of: key, .hidden, "mark of a hidden index")
  }

  private static func compositeID(
    of key: RawSpan, _ kind: CatalogKind, _ what: String
  ) throws(CorruptBytes) -> UInt64 {
    var reader = try reader(of: key, .catalog, "catalogue key")
    guard try reader.readByte("catalogue record") == kind.rawValue else {
      throw CorruptBytes(what, at: 1)
    }
    let id = try reader.readOrdered("index id")
    try reader.requireEnd()
    return id
  }

  /// Returns the id of the counts in a kept count's key.
  ///
  /// - Throws: ``CorruptBytes`` for any other key.
  package static func countsID(ofCount key: RawSpan) throws(CorruptBytes) -> UInt64 {
    var reader = try reader(of: key, .count, "key of a count")
    return try reader.readOrdered("count id")
  }

  /// Returns the path in a collection's key.
  ///
  /// - Throws: ``CorruptBytes`` for any other key.
  package static func collectionPath(of key: RawSpan) throws(CorruptBytes) -> ResourcePath {
    var offset = try reader(of: key, .collection, "collection key").offset
    let path = try OrderedName.path(from: key, at: &offset, .ascending)
    guard path.isCollection, offset == key.byteCount else {
      throw CorruptBytes("collection path", at: offset)
    }
    return path
  }

  @_lifetime(copy key)
  private static func reader(
    of key: RawSpan, _ prefix: Prefix, _ what: String
  ) throws(CorruptBytes) -> ByteReader {
    var reader = ByteReader(key)
    guard try reader.readByte(what) == prefix.rawValue else { throw CorruptBytes(what, at: 0) }
    return reader
  }

  /// Returns the bytes of a value that is a number. In the key index, they are an ``EntryValue``
  /// too.
  package static func numberValue(_ number: UInt64) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.appendVarint(number)
    return bytes
  }

  /// Reads a number that ``numberValue(_:)`` encoded.
  ///
  /// - Throws: ``CorruptBytes`` for any other bytes.
  package static func number(of value: RawSpan) throws(CorruptBytes) -> UInt64 {
    var reader = ByteReader(value)
    let number = try reader.readVarint("number")
    try reader.requireEnd()
    return number
  }
}
