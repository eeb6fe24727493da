import CHearthLevelDB
import HearthOrderedStore

/// A snapshot of LevelDB's, which any thread may use and release.
struct LevelDBView: Hashable, @unchecked Sendable {
  let pointer: OpaquePointer
  /// Number of writes that had ended when the view was registered. It sees these at least.
  let ordinal: UInt64
}

/// The snapshots that are held, and the number of writes that have ended.
///
/// An ordinal is read before its snapshot is made, and given up after the snapshot was released. So
/// at any time LevelDB's oldest snapshot sees all writes up to ``oldestOrdinal``. A snapshot that
/// is made while a write looks here will see all writes that ended before.
struct LiveViews {
  private var views: Set<LevelDBView> = []
  /// Number of views for each ordinal, in ascending order.
  private var counts: [(ordinal: UInt64, count: Int)] = []
  /// Number of writes that have ended.
  private(set) var writeCount: UInt64 = 0

  /// Number of the last write that every view sees, including views that are still to be made.
  var oldestOrdinal: UInt64 { counts.first?.ordinal ?? writeCount }

  /// Makes a snapshot of `database`; `nil` without memory.
  mutating func make(of database: OpaquePointer) -> LevelDBView? {
    let ordinal = writeCount
    guard let pointer = leveldb_create_snapshot(database) else { return nil }
    let view = LevelDBView(pointer: pointer, ordinal: ordinal)
    views.insert(view)
    if counts.last?.ordinal == ordinal {
      counts[counts.count - 1].count += 1
    } else {
      counts.append((ordinal, 1))
    }
    return view
  }

  mutating func release(_ view: LevelDBView, of database: OpaquePointer) {
    guard views.remove(view) != nil else { return }
    leveldb_release_snapshot(database, view.pointer)
    let place = counts.indices.first(reaching: { counts[$0].ordinal >= view.ordinal })
    counts[place].count -= 1
    if counts[place].count == 0 { counts.remove(at: place) }
  }

  mutating func releaseAll(of database: OpaquePointer) {
    for view in views { leveldb_release_snapshot(database, view.pointer) }
    views = []
    counts = []
  }

  /// Counts a write that has ended.
  mutating func endWrite() { writeCount += 1 }
}
