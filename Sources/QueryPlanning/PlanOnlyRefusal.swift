public import DocumentModel

extension DatabaseError {
  /// The error as production words it for an explain that doesn't run the query (§6.1): a missing
  /// index is then named by `missingIndex` alone.
  public var forPlanOnly: DatabaseError {
    missingIndex == nil
      ? self : DatabaseError(code, "no matching index found.", details: details, cause: cause)
  }
}
