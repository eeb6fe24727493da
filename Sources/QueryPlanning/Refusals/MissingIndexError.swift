import HearthDocumentModel

extension DatabaseError {
  /// Returns the refusal of a query, in production's words (§6.1).
  ///
  /// The text mentions a build only if the proposed index itself is being built (§5.3).
  ///
  /// - Parameters:
  ///   - building: the candidates that will serve the query, beside those that are ready.
  ///   - hidden: the hidden indexes that would serve the query, beside the candidates.
  static func missingIndex(
    _ suggestion: IndexSuggestion, of query: NormalizedQuery, candidates: [IndexCandidate],
    building: [IndexDefinition], hidden: [IndexDefinition]
  ) -> DatabaseError {
    let index = suggestion.perfect
    let present = candidates.first { $0.index == index }
    let isBuilding = present?.state == .creating
    let details = MissingIndex(
      index: index, smaller: suggestion.smaller, building: isBuilding ? [index] : building,
      hidden: hidden)
    var indexID: UInt64?
    if case .composite(let id)? = present?.source { indexID = id }
    let link = CreationLink(to: index, in: query.database, indexID: indexID)
    return DatabaseError(
      .failedPrecondition,
      message(
        for: details, isBuilding: isBuilding, link, in: query.database,
        inequalityFieldCount: query.inequalityFieldCount),
      details: details)
  }

  private static func message(
    for missing: MissingIndex, isBuilding: Bool, _ link: CreationLink, in database: DatabaseID,
    inequalityFieldCount: Int
  ) -> String {
    if let (field, single) = missing.index.singleField {
      let head =
        "The query requires a \(single.kind) index for collection "
        + "\(missing.index.collectionGroup) and field \(field). "
      return isBuilding
        ? head + "That index is not ready yet. See its status here: \(link)"
        : head + "You can create it here: \(link)"
    }
    guard !isBuilding else {
      return "The query requires an index. That index is currently building and cannot be used "
        + "yet. See its status here: \(link)"
    }
    if missing.index.vector != nil {
      return "Missing vector index configuration. Please create the required index with the "
        + "following gcloud command: \(VectorIndexCommand(to: missing.index, in: database))"
    }
    let message = "The query requires an index. You can create it here: \(link)"
    guard inequalityFieldCount > 1 else { return message }
    return message + " .\nThe query contains range and inequality filters on multiple fields, "
      + "please refer to the documentation for index selection best practices: "
      + "https://cloud.google.com/firestore/docs/query-data/multiple-range-fields."
  }
}

extension SingleFieldIndex {
  /// The kind of the index as production calls it, such as `COLLECTION_ASC`.
  fileprivate var kind: String {
    switch mode {
    case .ascending: "\(scope.rawValue)_ASC"
    case .descending: "\(scope.rawValue)_DESC"
    case .contains: "\(scope.rawValue)_CONTAINS"
    }
  }
}
