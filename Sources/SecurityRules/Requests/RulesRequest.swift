public import HearthDocumentModel

/// A client's request: the facts that all of its operations share, and the documents that rules
/// have read for it.
///
/// One thread uses it at a time.
public final class RulesRequest {
  /// The id of the database, such as `(default)`.
  public let database: String
  /// The time of the judgement. Server timestamps of the request's writes equal it.
  public let time: Timestamp
  /// Whether the request belongs to a transaction.
  public let isInTransaction: Bool
  /// The value of `request.auth`.
  let auth: RulesValue
  let reads: DocumentReads

  /// Creates a request.
  ///
  /// - Parameters:
  ///   - auth: the user, or `nil` for an anonymous caller.
  ///   - documents: the documents that rules may ask for.
  public init(
    in database: String = "(default)", by auth: RulesAuth?, at time: Timestamp,
    isInTransaction: Bool = false, reading documents: any RulesDocuments
  ) {
    self.database = database
    self.time = time
    self.isInTransaction = isInTransaction
    self.auth = auth?.value ?? .null
    reads = DocumentReads(documents)
  }

  /// The documents that rules have read with `get` and `exists`, and those to which queries are
  /// fixed, in order. A decision may change when one of them does.
  public var documentsRead: [ResourcePath] { reads.paths }
}
