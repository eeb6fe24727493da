package import HearthDocumentModel

extension Engine {
  /// Returns the database as of `time`, with every commit up to then and none after it (§7.5).
  ///
  /// No later commit gets a time at or before `time`, so the result never changes. The view has the
  /// catalogue of that time: an index that wasn't ready then isn't used.
  ///
  /// - Throws: `invalidArgument` for a time in the future, or before a database that was created
  ///   since it was opened; `failedPrecondition` for a time that is no longer kept, or for which no
  ///   history is kept; errors of the store.
  package func readView(at time: Timestamp) throws(DatabaseError) -> ReadView {
    let now = try reserve(time)
    let current = try readView()
    if current.readTime <= time { return current }
    if let view = history?.view(at: time, now: now) { return view }
    throw DatabaseError(.failedPrecondition, "The requested 'read_time' is too old.")
  }
}
