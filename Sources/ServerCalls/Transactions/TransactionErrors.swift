import HearthDocumentModel

// In production's words (W§3.9).
extension DatabaseError {
  /// The error for an id that was never given to a transaction of the caller in the database.
  static let unknownTransaction = DatabaseError(.invalidArgument, "Invalid transaction.")

  static let transactionIsOver = DatabaseError(
    .aborted, "The referenced transaction has expired or is no longer valid.")

  static let retriesReadOnly = DatabaseError(
    .invalidArgument, "Cannot retry a read-only transaction")
}
