import FoundationEssentials
import Hearth
import HearthDocumentModel
import HearthProtocols
import SwiftProtobuf

/// The version of the database that a read sees (§7.4, §7.5).
enum ReadVersion {
  case latest
  case time(Timestamp)
  case transaction(Data)
  case newTransaction(TransactionMode)

  /// Returns the database in which rules find other documents than those that are read: the present
  /// one, so that no right outlasts its end, and on which no transaction depends.
  ///
  /// - Parameter snapshot: the version itself.
  func rulesSnapshot(
    for snapshot: DatabaseSnapshot, of database: Database
  ) throws(DatabaseError) -> DatabaseSnapshot {
    if case .latest = self { return snapshot }
    return try database.snapshot()
  }

  private init(ofTransaction id: Data) {
    self = id.isEmpty ? .latest : .transaction(id)
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
    case .newTransaction(let options): self = .newTransaction(try TransactionMode(options))
    case .readTime(let time): try self.init(at: time)
    case nil: self = .latest
    }
  }

  init(_ selector: V1.RunQueryRequest.OneOf_ConsistencySelector?) throws(DatabaseError) {
    switch selector {
    case .transaction(let id): self.init(ofTransaction: id)
    case .newTransaction(let options): self = .newTransaction(try TransactionMode(options))
    case .readTime(let time): try self.init(at: time)
    case nil: self = .latest
    }
  }

  init(
    _ selector: V1.RunAggregationQueryRequest.OneOf_ConsistencySelector?
  ) throws(DatabaseError) {
    switch selector {
    case .transaction(let id): self.init(ofTransaction: id)
    case .newTransaction(let options): self = .newTransaction(try TransactionMode(options))
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
