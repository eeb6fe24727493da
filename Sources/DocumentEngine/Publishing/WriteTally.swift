package import HearthDocumentModel
import HearthQueryPlanning
package import HearthStorageFormat

/// Adds the entries that commits put and delete to the counters of their indexes. It finds the
/// counters by the entries' keys alone.
struct WriteTally {
  private static let uncountedLimit = 4096

  private var counters: [UInt64: IndexCounter] = [:]
  /// Indexes that are not counted: those of fields beyond the limit, and those that serve no
  /// queries.
  private var uncounted: Set<UInt64> = []
  /// The last index and its counter. The entries of one index mostly come in a row.
  private var last: (hash: UInt64, counter: IndexCounter)?
  private var lastCount: UInt64 = 0

  init() {}

  /// Counts the entries that a commit has put and deleted.
  mutating func count(_ changes: [DocumentChange], in usage: IndexUsage) {
    for change in changes { count(change, usage.writeCounter) }
  }

  /// - Parameter makeCounter: returns the counter of an index that is new to the tally; `nil` for
  ///   one that is not counted.
  private mutating func count(
    _ change: DocumentChange, _ makeCounter: (IndexName) -> IndexCounter?
  ) {
    let group = change.path.parent.lastSegment ?? ""
    var groupHash = ByteHash()
    groupHash.combine(group)
    if change.old == nil || change.new == nil {
      for scopeIsGroup in [false, true] {
        let hash = groupHash.value &+ (scopeIsGroup ? 1 : 0)
        let counter =
          counters[hash]
          ?? makeCounter(.names(collectionGroup: UTF8Key(group), scopeIsGroup: scopeIsGroup))
        counters[hash] = counter
        counter?.count(entryWrites: 1)
      }
    }
    EntryList.forEachWrittenKey(from: change.oldEntries, to: change.newEntries) { key in
      guard let part = StorageKey.indexPart(of: key) else { return }
      let isComposite = part.placeEnd == 1
      let hash = StorageKey.indexHash(
        of: key, part, groupHash: isComposite ? 0 : groupHash.value)
      if let last, last.hash == hash {
        lastCount &+= 1
        return
      }
      settle()
      guard !uncounted.contains(hash) else { return }
      let counter =
        counters[hash] ?? WriteTally.name(key, part, UTF8Key(group)).flatMap(makeCounter)
      guard let counter else {
        if uncounted.count < WriteTally.uncountedLimit { uncounted.insert(hash) }
        return
      }
      counters[hash] = counter
      last = (hash, counter)
      lastCount = 1
    }
    settle()
  }

  private mutating func settle() {
    last?.counter.count(entryWrites: lastCount)
    last = nil
    lastCount = 0
  }

  /// Returns the index of an entry. Of two indexes that share entries, it is the ascending one.
  private static func name(
    _ key: RawSpan, _ part: IndexPart, _ group: UTF8Key
  ) -> IndexName? {
    do throws(CorruptBytes) {
      return try IndexName(ofEntry: key, part, in: group)
    } catch {
      // The engine has just made the key itself.
      preconditionFailure("\(error)")
    }
  }
}

extension IndexName {
  /// Returns the index of an entry outside of the key index; of two indexes that share entries, the
  /// ascending one.
  package init?(ofEntry key: RawSpan, _ part: IndexPart, in group: UTF8Key) throws(CorruptBytes) {
    if let id = try StorageKey.compositeID(ofEntry: key) {
      self = .composite(id: id)
      return
    }
    guard let (field, kind, isGroup) = try StorageKey.automaticIndex(of: key, part) else {
      return nil
    }
    self = .field(
      field, mode: kind.mode.byte, collectionGroup: group, scopeIsGroup: isGroup)
  }
}

extension StorageKey.AutomaticKind {
  fileprivate var mode: IndexMode { self == .contains ? .contains : .ascending }
}
