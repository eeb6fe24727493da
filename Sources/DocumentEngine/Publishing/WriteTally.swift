package import HearthDocumentModel
import HearthQueryPlanning
package import HearthStorageFormat

/// Adds the entries that commits put and delete to the counters of their indexes. It finds the
/// counters by the entries' keys alone.
struct WriteTally {
  private static let uncountedLimit = 4096

  /// The indexes that are counted, in the order in which they were met.
  private var indexes: [CountedIndex] = []
  private var places: [UInt64: Int] = [:]
  /// Hashes of indexes that are not counted: those of fields beyond the limit, and those that serve
  /// no queries.
  private var uncounted: Set<UInt64> = []
  /// The places of indexes whose counters don't have all entries yet.
  private var unsettled: [Int] = []
  /// The place of the index that is expected next. The entries of a document mostly come in the
  /// order in which those of the one before came.
  private var next = 0

  /// An index with the entries that its counter doesn't have yet.
  private struct CountedIndex {
    let hash: UInt64
    let counter: IndexCounter
    var count: UInt64
  }

  init() {}

  /// Counts the entries that a commit has put and deleted.
  mutating func count(_ changes: [DocumentChange], in usage: IndexUsage) {
    for change in changes { count(change, usage.writeCounter) }
    settle()
  }

  /// - Parameter makeCounter: returns the counter of an index that is new to the tally; `nil` for
  ///   one that is not counted.
  private mutating func count(
    _ change: DocumentChange, _ makeCounter: (IndexName) -> IndexCounter?
  ) {
    let group = change.path.collectionID ?? ""
    var groupHash = ByteHash()
    groupHash.combine(group)
    if change.old == nil || change.new == nil {
      for scopeIsGroup in [false, true] {
        let hash = groupHash.value &+ (scopeIsGroup ? 1 : 0)
        guard !countKnown(hash) else { continue }
        let name = IndexName.names(collectionGroup: UTF8Key(group), scopeIsGroup: scopeIsGroup)
        if let counter = makeCounter(name) { count(hash, counter) }
      }
    }
    EntryList.forEachWrittenKey(from: change.oldEntries, to: change.newEntries) { key in
      guard let part = StorageKey.indexPart(of: key) else { return }
      let isComposite = part.placeEnd == 1
      let hash = StorageKey.indexHash(
        of: key, part, groupHash: isComposite ? 0 : groupHash.value)
      guard !countKnown(hash), !uncounted.contains(hash) else { return }
      if let counter = WriteTally.name(key, part, UTF8Key(group)).flatMap(makeCounter) {
        count(hash, counter)
      } else if uncounted.count < WriteTally.uncountedLimit {
        uncounted.insert(hash)
      }
    }
  }

  /// Counts an entry, if its index has been met.
  ///
  /// - Returns: whether the index has been met.
  private mutating func countKnown(_ hash: UInt64) -> Bool {
    guard let place = place(of: hash) else { return false }
    count(at: place)
    return true
  }

  /// Counts an entry of an index that is new to the tally.
  private mutating func count(_ hash: UInt64, _ counter: IndexCounter) {
    places[hash] = indexes.count
    indexes.append(CountedIndex(hash: hash, counter: counter, count: 0))
    count(at: indexes.count - 1)
  }

  private mutating func count(at place: Int) {
    if indexes[place].count == 0 { unsettled.append(place) }
    indexes[place].count &+= 1
    next = place &+ 1
  }

  private func place(of hash: UInt64) -> Int? {
    if next < indexes.count, indexes[next].hash == hash { return next }
    // An array's elements have entries in one index.
    if next > 0, indexes[next &- 1].hash == hash { return next &- 1 }
    return places[hash]
  }

  /// Gives the counters what they don't have yet.
  private mutating func settle() {
    for place in unsettled {
      indexes[place].counter.count(entryWrites: indexes[place].count)
      indexes[place].count = 0
    }
    unsettled.removeAll(keepingCapacity: true)
    next = 0
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
