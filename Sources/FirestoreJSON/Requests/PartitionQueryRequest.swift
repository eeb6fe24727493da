public import HearthDocumentModel
public import HearthQueryPlanning

/// The body of a `partitionQuery` request (§9.3).
public struct PartitionQueryRequest: Sendable, Equatable {
  public var query: StructuredQuery
  public var partitionCount: Int
  /// The size of a page; 0 for no limit.
  public var pageSize: Int
  public var pageToken: String
  public var readTime: Timestamp?

  /// - Parameter parent: the parent that the request's address names.
  /// - Throws: `invalidArgument`, in production's words if they are known (§6.1). It doesn't check
  ///   whether the query can be partitioned.
  public init(json: [UInt8], below parent: ResourcePath = .root) throws(DatabaseError) {
    self = try MessageReader.read(json) { reader, json throws(DatabaseError) in
      try PartitionQueryRequest(&reader, json, below: parent)
    }
  }

  private init(
    _ reader: inout MessageReader, _ json: JSONValue, below parent: ResourcePath
  ) throws(DatabaseError) {
    try reader.expectMessage(json)
    var request = PartitionQueryRequest(StructuredQuery(collectionID: "", below: parent))
    var hasQuery = false
    try reader.message(json, .partitionQueryRequest) { reader, field, value throws(DatabaseError) in
      switch field {
      case "structuredQuery":
        request.query = try reader.query(value, below: parent)
        hasQuery = true
      case "partitionCount": request.partitionCount = Int(try reader.integer(value))
      case "pageSize": request.pageSize = try reader.integer32(value)
      case "pageToken": request.pageToken = try reader.string(value)
      default: request.readTime = try reader.alignedTimestamp(value, field: field)
      }
    }
    if !hasQuery { reader.refuse("Query is required.") }
    request.refuseParameters(&reader)
    self = request
  }

  private func refuseParameters(_ reader: inout MessageReader) {
    if partitionCount <= 0 { reader.refuse("Partition count must be greater than zero.") }
    if pageSize < 0 { reader.refuse("Page size must be nonnegative.") }
    // Answers have one page, so Hearth never gives out a token.
    if !pageToken.isEmpty { reader.refuse("invalid page token") }
  }

  public init(
    _ query: StructuredQuery, partitionCount: Int = 0, pageSize: Int = 0, pageToken: String = "",
    readTime: Timestamp? = nil
  ) {
    self.query = query
    self.partitionCount = partitionCount
    self.pageSize = pageSize
    self.pageToken = pageToken
    self.readTime = readTime
  }
}

extension MessageType {
  fileprivate static let partitionQueryRequest = MessageType(
    "PartitionQueryRequest",
    ["structuredQuery", "partitionCount", "pageSize", "pageToken", "readTime"])
}
