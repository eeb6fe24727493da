import Hearth
import HearthDocumentModel

/// The opening or closing of a database, with its error.
typealias DatabaseWork = Task<DatabaseError?, Never>

/// The state of a registry.
struct OpenDatabases {
  /// A database that is open, about to be, or about to be no longer.
  struct Slot {
    var database: Database?
    /// Work that others wait for; `nil` for a database that is open.
    var work: DatabaseWork?
    var isClosing = false
    /// Whether the database is an empty one in place of one that doesn't exist.
    var isStandIn = false
    /// The memory that its caches may take.
    var cacheByteCount = 0
    var lastUse = ContinuousClock.now
  }

  var slots: [DatabaseID: Slot] = [:]
  /// Whether no more databases may be opened.
  var isClosed = false

  /// Returns the memory for the caches of one more database: a quarter of what the others leave. So
  /// the first ones have all they want, and 100 have something each.
  ///
  /// - Parameter total: the memory for all.
  func cacheShare(of total: Int) -> Int {
    let taken = slots.values.reduce(0) { $0 + $1.cacheByteCount }
    return min(Database.Options().allCachesByteCount, max((total - taken) / 4, 1 << 20))
  }

  /// A closing that is under way.
  var closing: DatabaseWork? { slots.values.first(where: \.isClosing)?.work }

  /// Returns the open databases that no caller uses, and that had their last use up to `time`: the
  /// one that is idle longest first. A database in use counts as used now.
  ///
  /// - Parameter mayClose: whether a database that no caller uses may be closed.
  mutating func idle(
    since time: ContinuousClock.Instant, _ mayClose: (Slot) -> Bool
  ) -> [DatabaseID] {
    var unused: [(id: DatabaseID, lastUse: ContinuousClock.Instant)] = []
    for id in Array(slots.keys) {
      if isKnownUniquelyReferenced(&slots[id, default: Slot()].database) {
        guard let slot = slots[id], slot.lastUse <= time, mayClose(slot) else { continue }
        unused.append((id, slot.lastUse))
      } else {
        slots[id]?.lastUse = .now
      }
    }
    return unused.sorted { $0.lastUse < $1.lastUse }.map(\.id)
  }
}
