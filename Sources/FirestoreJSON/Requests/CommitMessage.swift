public import HearthDocumentModel

/// The body of a `commit` request (§7.1): writes that are applied together and in order.
public struct CommitMessage: Sendable, Equatable {
  public var writes: [Write]
  public var transaction: [UInt8]?

  public init(_ writes: [Write], transaction: [UInt8]? = nil) {
    self.writes = writes
    self.transaction = transaction
  }

  /// - Parameter database: the database that the request's address names; with `nil`, names may be
  ///   of any database.
  /// - Throws: `invalidArgument`, in production's words if they are known (§6.1). The limits of
  ///   names and values are not checked here, but by the write.
  public init(json: [UInt8], in database: DatabaseID?) throws(DatabaseError) {
    self = try MessageReader.read(json) { reader, json throws(DatabaseError) in
      try reader.expectMessage(json)
      var commit = CommitMessage([])
      try reader.message(json, .commitRequest) { reader, field, value throws(DatabaseError) in
        if field == "writes" {
          commit.writes = try reader.writes(value, in: database)
        } else {
          let transaction = try reader.bytes(value)
          commit.transaction = transaction.isEmpty ? nil : transaction
        }
      }
      return commit
    }
  }
}

/// The body of a `batchWrite` request (§7.1): writes that succeed or fail one by one.
public struct BatchWriteMessage: Sendable, Equatable {
  public var writes: [Write]

  public init(_ writes: [Write]) {
    self.writes = writes
  }

  /// - Parameter database: the database that the request's address names; with `nil`, names may be
  ///   of any database.
  /// - Throws: `invalidArgument`, in production's words if they are known (§6.1). The limits of
  ///   names and values are not checked here, but by the write.
  public init(json: [UInt8], in database: DatabaseID?) throws(DatabaseError) {
    self = try MessageReader.read(json) { reader, json throws(DatabaseError) in
      try reader.expectMessage(json)
      var batch = BatchWriteMessage([])
      try reader.message(json, .batchWriteRequest) { reader, field, value throws(DatabaseError) in
        if field == "writes" {
          batch.writes = try reader.writes(value, in: database)
        } else {
          try reader.checkLabels(value)
        }
      }
      return batch
    }
  }
}

extension MessageType {
  fileprivate static let commitRequest = MessageType("CommitRequest", ["writes", "transaction"])
  fileprivate static let batchWriteRequest = MessageType("BatchWriteRequest", ["writes", "labels"])
}

extension MessageReader {
  /// Checks the labels. They are not kept: they are for the bill.
  fileprivate func checkLabels(_ json: JSONValue) throws(DatabaseError) {
    guard case .object(let members) = json else { throw invalid("TYPE_STRING", json) }
    for (_, value) in members { _ = try string(value) }
  }
}
