public import HearthDocumentModel

extension DatabaseError {
  /// The error in production's words for an explain that doesn't run the query (§6.1). Only
  /// `missingIndex` then names a missing index.
  public var forPlanOnly: DatabaseError {
    missingIndex == nil
      ? self : DatabaseError(code, "no matching index found.", details: details, cause: cause)
  }
}
