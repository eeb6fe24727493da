import Hearth
import HearthDocumentModel
import HearthProtocols
import SwiftProtobuf

/// The version of the database that a read sees (§7.4, §7.5).
enum ReadVersion {
  case latest
  case time(Timestamp)
  case transaction([UInt8])
  case newTransaction

  private init(ofTransaction id: some Sequence<UInt8>) {
    let bytes = Array(id)
    self = bytes.isEmpty ? .latest : .transaction(bytes)
  }

  /// - Throws: `invalidArgument` for a time with more than microseconds.
  private init(at time: Google_Protobuf_Timestamp) throws(DatabaseError) {
    self = .time(try Timestamp(ofVersion: time))
  }
}

// The oneof of each request. An empty transaction is none.
extension ReadVersion {
  init(
    _ selector: V1.GetDocumentRequest.OneOf_ConsistencySelector?
  ) throws(DatabaseError) {
    switch selector {
    case .transaction(let id): self.init(ofTransaction: id)
    case .readTime(let time): try self.init(at: time)
    case nil: self = .latest
    }
  }

  init(
    _ selector: V1.ListDocumentsRequest.OneOf_ConsistencySelector?
  ) throws(DatabaseError) {
    switch selector {
    case .transaction(let id): self.init(ofTransaction: id)
    case .readTime(let time): try self.init(at: time)
    case nil: self = .latest
    }
  }

  init(
    _ selector: V1.ListCollectionIdsRequest.OneOf_ConsistencySelector?
  ) throws(DatabaseError) {
    switch selector {
    case .readTime(let time): try self.init(at: time)
    case nil: self = .latest
    }
  }

  init(
    _ selector: V1.BatchGetDocumentsRequest.OneOf_ConsistencySelector?
  ) throws(DatabaseError) {
    switch selector {
    case .transaction(let id): self.init(ofTransaction: id)
    case .newTransaction: self = .newTransaction
    case .readTime(let time): try self.init(at: time)
    case nil: self = .latest
    }
  }

  init(_ selector: V1.RunQueryRequest.OneOf_ConsistencySelector?) throws(DatabaseError) {
    switch selector {
    case .transaction(let id): self.init(ofTransaction: id)
    case .newTransaction: self = .newTransaction
    case .readTime(let time): try self.init(at: time)
    case nil: self = .latest
    }
  }

  init(
    _ selector: V1.RunAggregationQueryRequest.OneOf_ConsistencySelector?
  ) throws(DatabaseError) {
    switch selector {
    case .transaction(let id): self.init(ofTransaction: id)
    case .newTransaction: self = .newTransaction
    case .readTime(let time): try self.init(at: time)
    case nil: self = .latest
    }
  }

  init(
    _ selector: V1.PartitionQueryRequest.OneOf_ConsistencySelector?
  ) throws(DatabaseError) {
    switch selector {
    case .readTime(let time): try self.init(at: time)
    case nil: self = .latest
    }
  }
}

extension Database {
  /// Returns the database at a version.
  ///
  /// - Throws: `invalidArgument` for an id that no transaction has; the errors of
  ///   `snapshot(at:)`.
  func snapshot(of version: ReadVersion) throws(DatabaseError) -> DatabaseSnapshot {
    switch version {
    case .latest: return try snapshot()
    case .time(let time): return try snapshot(at: time)
    case .transaction: throw .unknownTransaction
    case .newTransaction:
      throw DatabaseError(.unimplemented, "Transactions are not served.")
    }
  }
}

extension DatabaseError {
  /// The error for an id that was never given to a transaction.
  static let unknownTransaction = DatabaseError(.invalidArgument, "Invalid transaction.")
}
