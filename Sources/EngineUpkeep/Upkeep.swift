package import DocumentModel
package import OrderedStore
import StorageFormat

/// The state of an open database's upkeep that isn't in the catalogue. Commits keep it in line.
final class Upkeep: CommitFollower {
  let builds: BuildState
  /// The regions of keys in which much was deleted.
  let deletedRanges = DeletedRanges()
  /// `true` while a thread sums up entries.
  let isSumming = Lock(false)

  fileprivate init(_ engine: Engine, _ state: StateRecord, _ catalog: Catalog) {
    builds = BuildState(catalog, state, engine.clock, engine.observer)
  }

  func follow(_ commit: PublishedCommit) {
    deletedRanges.note(commit.batch)
    if let catalog = commit.catalog { builds.follow(catalog, commit.state) }
  }

  func close() { builds.close() }
}

extension Engine {
  /// Opens the database in `store`, or founds it there, and begins its upkeep.
  ///
  /// - Throws: the errors of ``init(over:databaseID:history:settings:clock:observer:)``, where the
  ///   parameters are described.
  package convenience init(
    _ store: any OrderedStore, databaseID: DatabaseID? = nil, history: HistoryLimits? = nil,
    settings: Settings = Settings(), clock: any EngineClock = SystemClock(),
    observer: (any EngineObserver)? = nil
  ) throws(DatabaseError) {
    try self.init(
      over: store, databaseID: databaseID, history: history, settings: settings, clock: clock,
      observer: observer)
    _ = upkeep
  }

  /// The upkeep of the database. It knows what was deleted since it began.
  var upkeep: Upkeep { follower { Upkeep(self, $0, $1) } }
}
