public import HearthDocumentModel
public import HearthQueryPlanning

/// The body of a `runQuery` request.
public struct RunQueryRequest: Sendable, Equatable {
  public var query: StructuredQuery
  public var explain: ExplainOptions?
  public var consistency: ReadConsistency?

  public init(
    _ query: StructuredQuery, explain: ExplainOptions? = nil, consistency: ReadConsistency? = nil
  ) {
    self.query = query
    self.explain = explain
    self.consistency = consistency
  }

  /// - Parameter parent: the parent that the request's address names.
  /// - Throws: `invalidArgument`, in production's words if they are known (§6.1). The query itself
  ///   is not checked here, but by planning.
  public init(json: [UInt8], below parent: ResourcePath = .root) throws(DatabaseError) {
    self = try MessageReader.read(json) { reader, json throws(DatabaseError) in
      try reader.runQueryRequest(json, below: parent)
    }
  }
}

extension StructuredQuery {
  /// Reads a `StructuredQuery` without its request.
  ///
  /// - Throws: `invalidArgument`, in production's words if they are known (§6.1).
  public init(json: [UInt8], below parent: ResourcePath = .root) throws(DatabaseError) {
    self = try MessageReader.read(json, at: "structured_query") {
      reader, json throws(DatabaseError) in
      try reader.query(json, below: parent)
    }
  }
}

extension MessageType {
  fileprivate static let runQueryRequest = MessageType(
    "RunQueryRequest", ["structuredQuery", "explainOptions"] + consistencyFields,
    oneofs: [consistency])
}

extension MessageReader {
  /// Checks that the body of a request is a message.
  func expectMessage(_ json: JSONValue) throws(DatabaseError) {
    guard case .object = json else {
      throw .invalidArgument(
        "Invalid JSON payload received. Unknown name \"\": Root element must be a message.")
    }
  }

  mutating func runQueryRequest(
    _ json: JSONValue, below parent: ResourcePath
  ) throws(DatabaseError) -> RunQueryRequest {
    try expectMessage(json)
    // A POST to a top-level collection creates a document, regardless of the text after the colon.
    if parent.segments.count == 1 {
      _ = try reading(MessageField("document")) { reader throws(DatabaseError) in
        try reader.document(json)
      }
    }
    var query: StructuredQuery?
    var request = RunQueryRequest(StructuredQuery(collectionID: "", below: parent))
    try message(json, .runQueryRequest) { reader, field, value throws(DatabaseError) in
      switch field {
      case "structuredQuery": query = try reader.query(value, below: parent)
      case "explainOptions": request.explain = try reader.explainOptions(value)
      default: request.consistency = try reader.consistency(field, value)
      }
    }
    if let query {
      request.query = query
    } else {
      refuse("only structured queries are supported")
    }
    return request
  }
}
