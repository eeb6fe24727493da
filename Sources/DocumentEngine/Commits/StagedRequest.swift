package import HearthDocumentModel

/// The function that judges a request's writes while they are staged, so that nothing can change
/// between the judgement and the commit.
///
/// It must not wait for other commits. It may be called again for the same request, which is staged
/// anew after a wait for locks. If it throws, that request alone fails, with its error.
package typealias CommitJudgement = @Sendable (StagedRequest) throws -> Void

/// The writes of one request with their documents, as they are staged, for a judgement of them.
package struct StagedRequest {
  /// All writes of the request to one document.
  package struct StagedDocument: Sendable {
    /// The first of the writes.
    package let firstWrite: Write
    /// Whether one of the writes does more than verify its precondition.
    package let isWritten: Bool
    /// The fields before the request; `nil` if there is no document.
    package let before: MapValue?
    /// The fields after all writes of the request; `nil` if there is no document then.
    package let after: MapValue?

    package var path: ResourcePath { firstWrite.path }
  }

  /// The written documents, each once, in the order of their first writes.
  package let documents: [StagedDocument]
  private let draft: CommitDraft
  /// The positions of documents, for a request with several.
  private let positions: [ResourcePath: Int]

  /// - Parameter draft: the draft with all requests before this one.
  init(_ documents: [StagedDocument], at positions: [ResourcePath: Int], in draft: CommitDraft) {
    (self.documents, self.positions, self.draft) = (documents, positions, draft)
  }

  /// The value of server timestamps: the time of the commit, in whole milliseconds.
  package var serverTime: Timestamp { draft.commitTime.wholeMilliseconds }

  /// The database that the request is of.
  package var databaseID: DatabaseID { draft.view.databaseID }

  /// Whether the request has a write of a document.
  package func names(_ path: ResourcePath) -> Bool { document(at: path) != nil }

  /// Returns the fields of any document before the request; `nil` if there is none.
  ///
  /// - Complexity: two point reads.
  /// - Throws: `dataLoss`; errors of the store.
  package func fields(at path: ResourcePath) throws(DatabaseError) -> MapValue? {
    if let document = document(at: path) { return document.before }
    return try draft.fields(at: path)
  }

  /// Returns the fields of any document after all writes of the request; `nil` if there is none.
  ///
  /// - Complexity: two point reads.
  /// - Throws: `dataLoss`; errors of the store.
  package func fieldsAfter(at path: ResourcePath) throws(DatabaseError) -> MapValue? {
    if let document = document(at: path) { return document.after }
    return try draft.fields(at: path)
  }

  private func document(at path: ResourcePath) -> StagedDocument? {
    guard documents.count > 1 else { return documents.first.flatMap { $0.path == path ? $0 : nil } }
    return positions[path].map { documents[$0] }
  }
}
