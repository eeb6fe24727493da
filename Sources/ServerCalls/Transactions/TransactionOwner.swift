import HearthDocumentModel

/// The database and the caller of a transaction. For others, its id is that of none.
///
/// Only a hash is held, since names and credentials may be long, and owners are remembered beyond
/// the end of their transactions.
struct TransactionOwner: Hashable, Sendable {
  private let hash: Int

  init(_ database: DatabaseID, _ context: CallContext) {
    var hasher = Hasher()
    hasher.combine(database)
    hasher.combine(context.caller)
    hash = hasher.finalize()
  }
}
