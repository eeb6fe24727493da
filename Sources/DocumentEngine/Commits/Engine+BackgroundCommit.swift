package import HearthDocumentModel

extension Engine {
  /// Commits work of the database's own beside the commits of others. Its time isn't measured,
  /// since builds needn't slow down for it.
  ///
  /// - Parameters:
  ///   - writes: the writes that `stage` may apply. No other request of the group writes their
  ///     documents.
  ///   - stage: applies the changes.
  /// - Throws: the error of `stage`; errors of the store.
  package func commitInBackground(
    _ writes: [Write], _ stage: @escaping @Sendable (inout CommitDraft) throws -> Void
  ) throws(DatabaseError) {
    let request = CommitRequest(writing: writes, submittedAt: submissionTime()) { group in
      try stage(&group)
      return []
    }
    _ = try submit(request, isBackground: true)
  }
}
