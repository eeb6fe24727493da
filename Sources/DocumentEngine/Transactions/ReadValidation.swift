import DocumentModel

/// What a transaction has read, to be looked over before its writes are staged: that it still reads
/// the same now is what makes it serialisable.
///
/// The check runs inside the committer, where nothing can come between it and the write, and
/// compares keys only.
struct ReadValidation: Sendable {
  let reads: ReadSet.Merged
  /// The last commit that the transaction's view has.
  let position: UInt64
  let log: CommitLog

  /// Throws if a commit after the transaction's view, or a request that `group` holds already,
  /// wrote something that the transaction has read.
  ///
  /// - Complexity: the keys written since, each the logarithm of the ranges read.
  /// - Throws: `aborted`, also where the log doesn't reach back far enough to tell; never if
  ///   nothing was read.
  func check(_ group: CommitGroup) throws(DatabaseError) {
    guard !reads.isEmpty else { return }
    guard let commits = log.commits(after: position) else { throw .contention }
    for commit in commits {
      // An index that was dropped meanwhile doesn't tell any more what the scan would find.
      let missesEntries = reads.hasScans && commit.changesCatalog
      guard !missesEntries, !reads.isTouched(by: commit.batch) else { throw .contention }
    }
    guard !reads.isTouched(by: group.batch), !group.changesCount(in: reads) else {
      throw .contention
    }
  }
}

extension DatabaseError {
  /// Somebody wrote what a transaction has read: it may be tried again (§7.4).
  fileprivate static var contention: DatabaseError {
    DatabaseError(.aborted, "Too much contention on these documents. Please try again.")
  }
}
