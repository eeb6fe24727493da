package import HearthDocumentEngine
package import HearthDocumentModel
package import HearthOrderedStore

extension Engine {
  /// Opens the database in `store`, or founds it there, and begins its upkeep: from now on it is
  /// known where much is deleted, and what is to be built.
  ///
  /// - Throws: the errors of ``init(over:databaseID:history:settings:clock:observer:)``, where the
  ///   parameters are described. Builds are told to an observer that is a ``BuildObserver``.
  package convenience init(
    _ store: any OrderedStore, databaseID: DatabaseID? = nil, history: HistoryLimits? = nil,
    settings: EngineSettings = EngineSettings(), clock: any EngineClock = SystemClock(),
    observer: (any EngineObserver)? = nil
  ) throws(DatabaseError) {
    try self.init(
      over: store, databaseID: databaseID, history: history, settings: settings, clock: clock,
      observer: observer)
    (_, _) = (buildState, deletedRanges)
  }
}
