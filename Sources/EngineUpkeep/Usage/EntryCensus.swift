import HearthDocumentEngine
import HearthDocumentModel
import HearthOrderedStore
import HearthStorageFormat

/// The entries of each index, counted in one pass over all of them.
struct EntryCensus {
  struct Extent {
    var entryCount = 0
    /// The bytes of all keys and values, as they would be without the store's compression.
    var byteCount = 0

    mutating func add(_ other: Extent) {
      entryCount += other.entryCount
      byteCount += other.byteCount
    }
  }

  private(set) var documentCount = 0
  /// Collections that have documents.
  private(set) var collectionCount = 0
  /// By the index; of the two that share entries, by the ascending one.
  private(set) var extents: [IndexName: Extent] = [:]

  private let groups: [UInt64: UTF8Key]

  /// - Parameters:
  ///   - cursor: over the view that is counted, which need not be held.
  ///   - progress: is told the number of entries counted, now and then.
  init(_ cursor: any StoreCursor, _ progress: (Int) -> Void) throws {
    groups = try EntryCensus.groups(cursor)
    var count = 0
    for prefix in StorageKey.entryPrefixes {
      // Entries of one index and place come in a row, behind bytes that are the same.
      var run: [UInt8] = []
      var runName: IndexName?
      var extent = Extent()
      try cursor.forEachEntry(in: .prefix(prefix)) { key, value in
        if run.isEmpty || !key.starts(with: run) {
          settle(runName, extent)
          extent = Extent()
          guard let part = StorageKey.indexPart(of: key) else {
            throw CorruptBytes("entry", at: 0)
          }
          run = [UInt8](copying: key.extracting(0..<part.end))
          runName = try name(of: key, part)
        }
        extent.add(Extent(entryCount: 1, byteCount: key.byteCount + value.byteCount))
        count += 1
        if count.isMultiple(of: 10_000) { progress(count) }
        return true
      }
      settle(runName, extent)
    }
  }

  private mutating func settle(_ name: IndexName?, _ extent: Extent) {
    guard let name else { return }
    extents[name, default: Extent()].add(extent)
    guard case .names(_, scopeIsGroup: false) = name else { return }
    collectionCount += 1
    documentCount += extent.entryCount
  }

  private func name(of key: RawSpan, _ part: IndexPart) throws -> IndexName {
    if let isGroup = StorageKey.nameScopeIsGroup(of: key) {
      return .names(collectionGroup: try group(of: key, isGroup: isGroup), scopeIsGroup: isGroup)
    }
    let isGroup = try StorageKey.automaticIndex(of: key, part)?.isGroup
    let group = try isGroup.map { try self.group(of: key, isGroup: $0) } ?? UTF8Key("")
    guard let name = try IndexName(ofEntry: key, part, in: group) else {
      throw CorruptBytes("entry", at: 0)
    }
    return name
  }

  private func group(of key: RawSpan, isGroup: Bool) throws -> UTF8Key {
    guard !isGroup else { return try StorageKey.collectionGroup(ofEntry: key) }
    let number = try StorageKey.collectionNumber(ofEntry: key)
    guard let group = groups[number] else {
      throw DatabaseError.damaged("Collection \(number) has entries and no path.")
    }
    return group
  }

  /// The ids of all collections, by number.
  private static func groups(_ cursor: any StoreCursor) throws -> [UInt64: UTF8Key] {
    var groups: [UInt64: UTF8Key] = [:]
    var last = UTF8Key("")
    try cursor.forEachEntry(
      in: .prefix(StorageKey.collectionsPrefix(below: ResourcePath.root))
    ) { key, value in
      let id = try StorageKey.collectionPath(of: key).lastSegment ?? ""
      // Collections are many where their ids are few: those of each user, say.
      if last != UTF8Key(id) { last = UTF8Key(id) }
      groups[try StorageKey.number(of: value)] = last
      return true
    }
    return groups
  }
}

extension RawSpan {
  fileprivate func starts(with prefix: [UInt8]) -> Bool {
    byteCount >= prefix.count
      && extracting(0..<prefix.count).compare(prefix.span.bytes) == .equal
  }
}
