import HearthDocumentModel

/// The reads of a transaction, to be checked before its writes are staged. A transaction is
/// serialisable if its reads would give the same results now.
///
/// The check runs inside the committer, where nothing can come between it and the write. It
/// compares keys only.
struct ReadValidation: Sendable {
  let reads: ReadSet.Merged
  /// The number of the last commit in the transaction's view.
  let position: UInt64
  let log: CommitLog

  /// Throws if a commit after the transaction's view, or a request that `draft` already holds,
  /// wrote a key that the transaction has read.
  ///
  /// - Complexity: for each key written since, the logarithm of the number of ranges read.
  /// - Throws: `aborted`, also if the log doesn't reach back far enough; never if nothing was read.
  func check(_ draft: CommitDraft) throws(DatabaseError) {
    guard !reads.isEmpty else { return }
    guard let commits = log.commits(after: position) else { throw .contention }
    guard !commits.contains(where: reads.isTouched(by:)), !reads.isTouched(by: draft.batch),
      !draft.derived.counts.touches(reads)
    else { throw .contention }
  }
}

extension ReadSet.Merged {
  /// Whether `commit` may change what was read.
  func isTouched(by commit: Commit) -> Bool {
    // If an index was dropped, its entries no longer tell what the scan would find.
    hasScans && commit.changesCatalog || isTouched(by: commit.batch)
  }
}
