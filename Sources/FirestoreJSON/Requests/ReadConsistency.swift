public import HearthDocumentModel

/// The options of a new transaction (§7.4).
public enum TransactionOptions: Sendable, Equatable {
  /// Reads at one moment: `readTime`, or the present if that is `nil`.
  case readOnly(readTime: Timestamp?)
  case readWrite
}

/// The version that a read sees instead of the present (§7.4, §7.5).
public enum ReadConsistency: Sendable, Equatable {
  case transaction([UInt8])
  case newTransaction(TransactionOptions)
  case readTime(Timestamp)
}

/// The options of explaining a query (§9.2).
public struct ExplainOptions: Sendable, Equatable {
  /// Whether the query runs. Otherwise it is only planned, and there are no results.
  public var analyze: Bool

  public init(analyze: Bool) {
    self.analyze = analyze
  }
}

extension MessageType {
  private static let modes = ["readOnly", "readWrite"]
  fileprivate static let transactionOptions = MessageType(
    "TransactionOptions", modes, oneofs: [Oneof(name: "mode", members: modes)])
  fileprivate static let readOnly = MessageType("TransactionOptions.ReadOnly", ["readTime"])
  fileprivate static let readWrite = MessageType(
    "TransactionOptions.ReadWrite", ["retryTransaction", "concurrencyMode"])
  fileprivate static let explainOptions = MessageType("ExplainOptions", ["analyze"])

  static let consistencyFields = ["transaction", "newTransaction", "readTime"]
  /// The oneof of every read.
  static let consistency = Oneof(name: "consistency_selector", members: consistencyFields)
}

extension EnumType {
  fileprivate static let concurrency = EnumType(
    "TransactionOptions.ConcurrencyMode",
    ["CONCURRENCY_MODE_UNSPECIFIED", "OPTIMISTIC", "PESSIMISTIC"])
}

extension MessageReader {
  /// Reads a field of the oneof that selects the version of a read; `nil` for an empty transaction.
  mutating func consistency(
    _ field: String, _ json: JSONValue
  ) throws(DatabaseError) -> ReadConsistency? {
    switch field {
    case "transaction":
      let transaction = try bytes(json)
      return transaction.isEmpty ? nil : .transaction(transaction)
    case "newTransaction": return .newTransaction(try transactionOptions(json))
    default: return .readTime(try alignedTimestamp(json, field: field))
    }
  }

  mutating func transactionOptions(_ json: JSONValue) throws(DatabaseError) -> TransactionOptions {
    var options = TransactionOptions.readWrite
    try message(json, .transactionOptions) { reader, mode, value throws(DatabaseError) in
      if mode == "readOnly" {
        var readTime: Timestamp?
        try reader.message(value, .readOnly) { reader, field, value throws(DatabaseError) in
          readTime = try reader.alignedTimestamp(value, field: field)
        }
        options = .readOnly(readTime: readTime)
      } else {
        try reader.message(value, .readWrite) { reader, field, value throws(DatabaseError) in
          if field == "concurrencyMode" {
            _ = try reader.enumeration(value, .concurrency)
          } else {
            _ = try reader.bytes(value)
          }
        }
      }
    }
    return options
  }

  /// Reads a time that names a version. It is refused if digits would have to be cut off (§7.2,
  /// §7.5).
  mutating func alignedTimestamp(
    _ json: JSONValue, field: String
  ) throws(DatabaseError) -> Timestamp {
    let time = try timestamp(json, field: field)
    if case .string(let text) = json, Timestamp.hasNanoseconds(rfc3339: text) {
      refuse("timestamp cannot have more than microseconds precision")
    }
    return time
  }

  mutating func explainOptions(_ json: JSONValue) throws(DatabaseError) -> ExplainOptions {
    var options = ExplainOptions(analyze: false)
    try message(json, .explainOptions) { reader, _, value throws(DatabaseError) in
      options.analyze = try reader.boolean(value)
    }
    return options
  }
}
