import OrderedStore

/// Finds the keys of which LevelDB 1.23 may bring back what was deleted, by the edits of its
/// MANIFEST.
///
/// While a snapshot is held, compaction keeps several versions of a key, and it may end a table of
/// a level between two of them: a split. The left table then has the newer versions, its right
/// neighbour the older ones. A later compaction from the level above takes those tables along whose
/// keys lie within its own; when its last key lies before the split one, that is the left table
/// alone. A delete in it is dropped where no deeper level has the key, which nobody asks the right
/// neighbour for; and the put in there is the newest version again.
///
/// A delete that is written after the split was made lies on a level above, and comes down with the
/// range of keys that it stands in, so with both tables: nothing comes back any more. So all that
/// is needed is to delete a key again, when it becomes split, and is not there at that time.
///
/// A compaction that comes before that delete leaves the key exposed: the left table is gone, the
/// right one is still there. Then the key may be back already, or may have been put again; the
/// number of its newest version tells.
///
/// A snapshot that is older than the second delete doesn't see it. It may show such a key, from the
/// moment when the first delete is dropped until it is released.
package struct SplitKeys {
  /// A key that has to be looked at.
  package struct Suspect: Equatable, Sendable {
    package var key: [UInt8]
    /// The number of the newest of the older versions, those of the right table.
    package var olderSequence: UInt64
    /// Whether the left table is gone, with all that it had of the key.
    package var isExposed: Bool

    package init(key: [UInt8], olderSequence: UInt64, isExposed: Bool) {
      self.key = key
      self.olderSequence = olderSequence
      self.isExposed = isExposed
    }
  }

  private(set) var manifest = Manifest()
  /// The numbers of the tables of each level but 0, in the order of their keys.
  private var levels: [UInt64: [UInt64]] = [:]
  /// In the order in which they were found.
  package private(set) var suspects: [Suspect] = []

  package init() {}

  /// Takes one record of the MANIFEST.
  ///
  /// - Returns: `false` where it is no edit.
  /// - Complexity: logarithmic in the number of tables, for each that comes or goes.
  package mutating func apply(_ record: [UInt8]) -> Bool {
    guard let edit = ManifestEdit(record.span.bytes) else { return false }
    let bereft = edit.removed.compactMap { remove($0) }
    manifest.apply(edit)
    let tables = edit.added.map(\.table).filter { $0.level > 0 }
    for (number, table) in edit.added where table.level > 0 {
      levels[table.level, default: []].insert(number, at: place(of: table))
    }
    for table in tables { noteSplits(of: table) }
    for table in bereft { noteExposure(of: table) }
    return true
  }

  /// The suspects so far, which are then forgotten.
  mutating func takeSuspects() -> [Suspect] {
    defer { suspects = [] }
    return suspects
  }

  /// Adds suspects that are known from elsewhere.
  mutating func add(_ suspects: [Suspect]) { self.suspects += suspects }

  /// Takes a table out of its level.
  ///
  /// - Returns: its right neighbour, if the two shared a key.
  private mutating func remove(_ number: UInt64) -> Manifest.Table? {
    guard let table = manifest.tables[number], table.level > 0 else { return nil }
    let place = place(of: table)
    guard neighbour(at: place, on: table.level)?.number == number else { return nil }
    levels[table.level]?.remove(at: place)
    guard let right = neighbour(at: place, on: table.level)?.table,
      right.smallest.userKey == table.largest.userKey
    else { return nil }
    return right
  }

  private mutating func noteSplits(of table: Manifest.Table) {
    let place = place(of: table)
    noteSplit(leftPlace: place - 1, on: table.level)
    noteSplit(leftPlace: place, on: table.level)
  }

  private mutating func noteSplit(leftPlace: Int, on level: UInt64) {
    guard let left = neighbour(at: leftPlace, on: level)?.table,
      let right = neighbour(at: leftPlace + 1, on: level)?.table,
      left.largest.userKey == right.smallest.userKey
    else { return }
    note(right.smallest, isExposed: false)
  }

  /// A table that is still in its place, and whose left neighbour went without another that ends
  /// with the same key.
  private mutating func noteExposure(of table: Manifest.Table) {
    let place = place(of: table)
    guard neighbour(at: place, on: table.level)?.table == table else { return }
    let left = neighbour(at: place - 1, on: table.level)?.table
    guard left?.largest.userKey != table.smallest.userKey else { return }
    note(table.smallest, isExposed: true)
  }

  /// - Parameter older: the newest of the older versions. A delete there does no harm: it does what
  ///   the dropped one did.
  private mutating func note(_ older: InternalKey, isExposed: Bool) {
    let suspect = Suspect(
      key: older.userKey, olderSequence: older.sequence, isExposed: isExposed)
    // Both of two neighbours that come tell of their split.
    guard !older.isDeletion, suspect != suspects.last else { return }
    suspects.append(suspect)
  }

  // MARK: The tables of a level

  private func neighbour(
    at place: Int, on level: UInt64
  ) -> (number: UInt64, table: Manifest.Table)? {
    guard let numbers = levels[level], numbers.indices.contains(place) else { return nil }
    return manifest.tables[numbers[place]].map { (numbers[place], $0) }
  }

  /// Where a table stands on its level, or would stand.
  private func place(of table: Manifest.Table) -> Int {
    let numbers = levels[table.level] ?? []
    var (low, high) = (0, numbers.count)
    while low < high {
      let middle = (low + high) / 2
      if manifest.tables[numbers[middle]]?.smallest.precedes(table.smallest) ?? false {
        low = middle + 1
      } else {
        high = middle
      }
    }
    return low
  }
}
