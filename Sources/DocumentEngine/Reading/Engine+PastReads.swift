package import DocumentModel

extension Engine {
  /// The database as it stood at `time`: with every commit up to then, and none after it (§7.5).
  ///
  /// No later commit gets a time at or before `time`, so the answer never changes. The view's
  /// catalogue is that of its moment: an index that wasn't ready then isn't used.
  ///
  /// - Throws: `invalidArgument` for a time in the future, or before a database that was founded
  ///   since it was opened; `failedPrecondition` for one that is not kept any more, or that no
  ///   history is kept for; what the store reports.
  package func readView(at time: Timestamp) throws(DatabaseError) -> ReadView {
    let now = try reserve(time)
    let current = try readView()
    if current.readTime <= time { return current }
    if let view = history?.view(at: time, now: now) { return view }
    throw DatabaseError(.failedPrecondition, "The requested 'read_time' is too old.")
  }
}
