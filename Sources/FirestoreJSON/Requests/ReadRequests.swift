public import HearthDocumentModel
public import HearthQueryPlanning

/// The body of a `batchGet` request (§7.5).
public struct BatchGetRequest: Sendable, Equatable {
  public var documents: [ResourcePath]
  /// The fields to return; `nil` for all of them.
  public var mask: [FieldPath]?
  public var consistency: ReadConsistency?

  /// - Parameter database: the database that the request's address names.
  /// - Throws: `invalidArgument`, in production's words if they are known (§6.1).
  public init(json: [UInt8], in database: DatabaseID) throws(DatabaseError) {
    self = try MessageReader.read(json) { reader, json throws(DatabaseError) in
      try BatchGetRequest(&reader, json, in: database)
    }
  }

  private init(
    _ reader: inout MessageReader, _ json: JSONValue, in database: DatabaseID
  ) throws(DatabaseError) {
    try reader.expectMessage(json)
    var paths: [ResourcePath] = []
    var mask: [FieldPath]?
    var consistency: ReadConsistency?
    try reader.message(json, .batchGetRequest) { reader, field, value throws(DatabaseError) in
      switch field {
      case "documents":
        paths = try reader.list(value, of: "TYPE_STRING") { reader, json throws(DatabaseError) in
          let name = try reader.string(json)
          return reader.meaning(or: .root) { () throws(DatabaseError) in
            try DocumentName(requested: name, in: database).path
          }
        }
      case "mask": mask = try reader.mask(value)
      default: consistency = try reader.consistency(field, value)
      }
    }
    self.documents = paths
    self.mask = mask
    self.consistency = consistency
  }
}

/// The parameters of a `listDocuments` request, as one JSON object (§7.5).
public struct ListDocumentsRequest: Sendable, Equatable {
  public var collectionID: String
  /// The size of a page; 0 for the default.
  public var pageSize: Int
  public var pageToken: String
  public var orders: [Order]
  public var mask: [FieldPath]?
  /// Whether to list documents that don't exist but have documents below them.
  public var showMissing: Bool
  public var consistency: ReadConsistency?

  /// - Throws: `invalidArgument`, in production's words if they are known (§6.1).
  public init(json: [UInt8]) throws(DatabaseError) {
    self = try MessageReader.read(json) { reader, json throws(DatabaseError) in
      try ListDocumentsRequest(&reader, json)
    }
  }

  private init(_ reader: inout MessageReader, _ json: JSONValue) throws(DatabaseError) {
    try reader.expectMessage(json)
    var request = ListDocumentsRequest()
    try reader.message(json, .listDocumentsRequest) { reader, field, value throws(DatabaseError) in
      switch field {
      case "collectionId": request.collectionID = try reader.string(value)
      case "pageSize": request.pageSize = try reader.integer32(value)
      case "pageToken": request.pageToken = try reader.string(value)
      case "orderBy": request.orders = reader.orders(inText: try reader.string(value))
      case "mask": request.mask = try reader.mask(value)
      case "showMissing": request.showMissing = try reader.boolean(value)
      default: request.consistency = try reader.consistency(field, value)
      }
    }
    if request.pageSize < 0 { reader.refuse("Page size must be nonnegative.") }
    self = request
  }

  private init() {
    (collectionID, pageSize, pageToken, orders, showMissing) = ("", 0, "", [], false)
  }
}

/// The body of a `beginTransaction` request (§7.4).
public struct BeginTransactionRequest: Sendable, Equatable {
  public var options: TransactionOptions

  /// - Throws: `invalidArgument`, in production's words if they are known (§6.1).
  public init(json: [UInt8]) throws(DatabaseError) {
    options = try MessageReader.read(json) { reader, json throws(DatabaseError) in
      try reader.expectMessage(json)
      var options = TransactionOptions.readWrite
      try reader.message(json, .beginTransactionRequest) { reader, _, value throws(DatabaseError) in
        options = try reader.transactionOptions(value)
      }
      return options
    }
  }
}

extension MessageType {
  fileprivate static let batchGetRequest = MessageType(
    "BatchGetDocumentsRequest", ["documents", "mask"] + consistencyFields, oneofs: [consistency])
  fileprivate static let listDocumentsRequest = MessageType(
    "ListDocumentsRequest",
    [
      "collectionId", "pageSize", "pageToken", "orderBy", "mask", "showMissing", "transaction",
      "readTime",
    ], oneofs: [consistency])
  fileprivate static let beginTransactionRequest = MessageType(
    "BeginTransactionRequest", ["options"])
}

extension MessageReader {
  /// Reads orders as a parameter writes them: `population desc, __name__`.
  fileprivate mutating func orders(inText text: String) -> [Order] {
    meaning(or: []) { () throws(DatabaseError) in
      if text.isEmpty { return [] }
      do {
        return try OrderClause.parse(text)
      } catch {
        throw .invalidArgument("Invalid order by clause \"\(text)\".")
      }
    }
  }
}
