package import DocumentModel
import OrderedStore
import StorageFormat

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
    if try current.readTime() <= time { return current }
    if let view = history?.view(at: time, now: now) { return view }
    throw DatabaseError(.failedPrecondition, "The requested 'read_time' is too old.")
  }
}

extension ReadView {
  /// The time of the last commit that the view has; the year 1 for a database without any.
  ///
  /// - Complexity: a point read.
  /// - Throws: `dataLoss`, or what the store reports.
  package func readTime() throws(DatabaseError) -> Timestamp {
    try reportingErrors { try state().lastCommitTime }
  }

  /// The number of the last commit that the view has; 0 for a database without any.
  ///
  /// - Complexity: a point read.
  /// - Throws: `dataLoss`, or what the store reports.
  package func commitNumber() throws(DatabaseError) -> UInt64 {
    try reportingErrors { try state().commitNumber }
  }

  private func state() throws -> StateRecord {
    guard let bytes = try snapshot.value(of: StorageKey.state) else {
      throw DatabaseError.damaged("The state record is missing.")
    }
    return try StateRecord(bytes.span.bytes)
  }
}
