import DocumentModel
import OrderedStore
import StorageFormat

/// Walks the entries of one scan in the order of the query.
///
/// The *suffix* of an entry (its columns behind the prefix, and its name) is handed out in one form
/// whatever the index stores, so that the cursors of a join can compare theirs: bytes that ascend
/// in the order of the query, the name as a document id for a collection and as a path for a group.
final class IndexCursor {
  let scan: ScanBytes
  private let cursor: any StoreCursor
  /// Entries that the cursor has stood on.
  private(set) var entriesRead = 0
  /// Times that the cursor jumped.
  private(set) var seekCount = 0
  private(set) var isValid = false

  init(_ scan: ScanBytes, in snapshot: any StoreSnapshot) throws {
    self.scan = scan
    cursor = try snapshot.makeCursor()
  }

  func start() throws {
    if scan.isReversed {
      try seek(before: scan.range.upper)
    } else {
      try seek(to: scan.range.lower)
    }
  }

  /// Moves one entry on.
  func next() throws {
    try step()
    try arrive()
  }

  private func step() throws {
    if scan.isReversed { try cursor.previous() } else { try cursor.next() }
  }

  /// Moves to the first entry whose suffix is at or behind `suffix`, never back.
  func seek(toSuffix suffix: [UInt8]) throws {
    let key = try storedKey(ofSuffix: suffix)
    if scan.isReversed {
      // The last key at or before `key`: keys are self-delimiting, so nothing lies between the two.
      let upper = key + [0]
      try seek(before: isAtOrAfter(upper.span.bytes, scan.range.upper) ? scan.range.upper : upper)
    } else {
      try seek(to: isAtOrAfter(key.span.bytes, scan.range.lower) ? key : scan.range.lower)
    }
  }

  private func seek(to key: [UInt8]) throws {
    seekCount += 1
    try cursor.seek(to: key)
    try arrive()
  }

  private func seek(before key: [UInt8]) throws {
    seekCount += 1
    try cursor.seek(before: key)
    try arrive()
  }

  /// Takes note of where the cursor stands, behind entries of other collections.
  private func arrive() throws {
    let cursor = cursor
    while true {
      isValid = cursor.isValid && isInRange(cursor.key)
      guard isValid else { return }
      entriesRead += 1
      if try isInCollection(cursor.key) { return }
      try step()
    }
  }

  private func isInRange(_ key: RawSpan) -> Bool {
    scan.isReversed
      ? isAtOrAfter(key, scan.range.lower)
      : !isAtOrAfter(key, scan.range.upper)
  }

  private func isAtOrAfter(_ key: RawSpan, _ bound: [UInt8]) -> Bool {
    key.compare(bound.span.bytes) != .less
  }

  /// What the entry says of its document.
  func readEntry() throws -> (documentNumber: UInt64, anyCut: Bool) {
    let cursor = cursor
    return try EntryValue.read(cursor.value)
  }

  /// Throws if anything could not be read; to be called before results are final.
  func checkReads() throws { try cursor.checkReads() }

  // MARK: Suffixes

  /// Replaces the contents of `suffix` by the entry's, in the order of the query.
  func readSuffix(into suffix: inout [UInt8]) throws {
    let cursor = cursor
    let key = cursor.key
    let stored = key.extracting(droppingFirst: scan.prefix.count)
    suffix.removeAll(keepingCapacity: true)
    switch scan.nameLayout {
    case .id, .path: suffix.append(stored)
    case .pathInCollection(let collection):
      let name = try nameOffset(in: stored)
      suffix.append(stored.extracting(first: name))
      // What is left of the path is the id; the path's own terminator is no part of an id.
      suffix.append(
        stored.extracting(droppingFirst: name + collection.count).extracting(droppingLast: 1))
    }
    if scan.isReversed { for index in suffix.indices { suffix[index] = ~suffix[index] } }
  }

  private func storedKey(ofSuffix suffix: [UInt8]) throws -> [UInt8] {
    let stored = scan.isReversed ? suffix.map { ~$0 } : suffix
    guard case .pathInCollection(let collection) = scan.nameLayout else {
      return scan.prefix + stored
    }
    let name = try nameOffset(in: stored.span.bytes)
    let terminator: UInt8 = scan.nameOrder == .ascending ? 0x00 : 0xFF
    return scan.prefix + stored[..<name] + collection + stored[name...] + [terminator]
  }

  private func nameOffset(in suffix: RawSpan) throws -> Int {
    var offset = 0
    for order in scan.columns {
      offset = try OrderedValue.endOfValue(in: suffix, at: offset, order)
    }
    return offset
  }

  // MARK: Residual conditions

  /// Whether the entry satisfies what the range of keys doesn't ensure.
  func satisfiesResiduals() throws -> Bool {
    guard scan.hasResiduals else { return true }
    let cursor = cursor
    let suffix = cursor.key.extracting(droppingFirst: scan.prefix.count)
    var offset = 0
    for (index, order) in scan.columns.enumerated() {
      let end = try OrderedValue.endOfValue(in: suffix, at: offset, order)
      let column = suffix.extracting(offset..<end)
      if let allowed = scan.residuals[index], !allowed.contains(column) { return false }
      offset = end
    }
    guard let allowed = scan.residuals.last ?? nil else { return true }
    return allowed.contains(suffix.extracting(droppingFirst: offset))
  }

  // MARK: Entries of other collections

  /// Whether the entry's document lies directly in the wanted collection: the path in an index of
  /// group scope may lead elsewhere, and also through the collection.
  private func isInCollection(_ key: RawSpan) throws -> Bool {
    guard case .pathInCollection(let collection) = scan.nameLayout else { return true }
    let suffix = key.extracting(droppingFirst: scan.prefix.count)
    let name = suffix.extracting(droppingFirst: try nameOffset(in: suffix))
    guard name.byteCount > collection.count,
      name.extracting(first: collection.count).compare(collection.span.bytes) == .equal
    else { return false }
    let terminator: UInt8 = scan.nameOrder == .ascending ? 0x00 : 0xFF
    let id = name.extracting(droppingFirst: collection.count)
    for offset in 0..<id.byteCount
    where id.unsafeLoad(fromByteOffset: offset, as: UInt8.self) == terminator {
      return offset == id.byteCount - 2
    }
    return false
  }
}

extension [UInt8] {
  /// Appends the bytes of `span`.
  mutating func append(_ span: RawSpan) {
    span.withUnsafeBytes { append(contentsOf: $0) }
  }
}
