import FoundationEssentials
import HearthDocumentModel
import HearthProtocols

/// The way in which a transaction is kept apart from other callers (§7.4).
enum TransactionMode {
  /// It reads alone, at a time or now.
  case readOnly(Timestamp?)
  /// It locks what it reads. The id is that of an earlier attempt; the empty one for none.
  case locking(retrying: Data)
  /// It fails if what it has read is changed by others.
  case optimistic(retrying: Data)

  /// Without options, a transaction reads and writes.
  ///
  /// - Throws: `invalidArgument` for a time with more than microseconds.
  init(_ options: V1.TransactionOptions) throws(DatabaseError) {
    switch options.mode {
    case .readOnly(let options):
      switch options.consistencySelector {
      case .readTime(let time): self = .readOnly(try Timestamp(ofVersion: time))
      case nil: self = .readOnly(nil)
      }
    case .readWrite(let options):
      let earlier = options.retryTransaction
      self =
        options.concurrencyMode == .optimistic
        ? .optimistic(retrying: earlier) : .locking(retrying: earlier)
    case nil: self = .locking(retrying: Data())
    }
  }

  /// The id of an earlier attempt; `nil` for none.
  var earlier: Data? {
    switch self {
    case .locking(let id), .optimistic(let id): id.isEmpty ? nil : id
    case .readOnly: nil
    }
  }

  /// The use that it makes of its database.
  var use: DatabaseUse {
    if case .readOnly = self { .reading } else { .writing }
  }
}
