public import HearthDocumentModel
import HearthQueryPlanning

/// A query from a client's or a server's log: as JSON, in any of Firestore's forms, or as a line of
/// text.
///
/// JSON may be the body of a `runQuery` or a `runAggregationQuery` request, or the message inside
/// it: a `StructuredQuery` or a `StructuredAggregationQuery`. A member `parent`, which those
/// messages have outside of REST, names the document above the query's collections.
public struct LoggedQuery: Sendable, Equatable {
  public var query: AnyQuery
  public var explain: ExplainOptions?
  public var consistency: ReadConsistency?
  /// The database that `parent` names; `nil` without a `parent`.
  public var database: DatabaseID?

  public init(_ query: AnyQuery) {
    self.query = query
  }

  /// Reads JSON.
  ///
  /// - Parameter parent: the parent of the query if the JSON has none.
  /// - Throws: `invalidArgument`, in production's words if they are known (§6.1).
  public init(json: [UInt8], below parent: ResourcePath = .root) throws(DatabaseError) {
    self = try LoggedQuery(try ProtocolText.json(json), below: parent)
  }

  /// Reads JSON if the text begins like an object, and else the syntax of ``QueryText``.
  ///
  /// - Parameter database: the queried database.
  /// - Throws: ``QueryTextError`` for text; `invalidArgument` for JSON, and for bytes that are no
  ///   UTF-8.
  public init(line: [UInt8], in database: DatabaseID) throws {
    guard let text = String(validating: line, as: UTF8.self) else {
      throw DatabaseError(.invalidArgument, "The line is not valid UTF-8.")
    }
    if line.first(where: { $0 != UInt8(ascii: " ") }) == UInt8(ascii: "{") {
      try self.init(json: line)
    } else {
      self.init(try QueryText.parse(text, in: database))
    }
  }

  private init(_ json: JSONValue, below parent: ResourcePath) throws(DatabaseError) {
    var parent = parent
    var body = json
    if case .object(var members) = json {
      if let index = members.firstIndex(where: { $0.0.utf8Equal("parent") }),
        case .string(let name) = members[index].1
      {
        (database, parent) = try LoggedQuery.parent(name)
        members.remove(at: index)
        body = .object(members)
      }
    }
    let database = database
    self = try MessageReader.read(body, at: LoggedQuery.root(of: body)) {
      reader, json throws(DatabaseError) in
      try LoggedQuery(&reader, json, below: parent)
    }
    self.database = database
  }

  private init(
    _ reader: inout MessageReader, _ json: JSONValue, below parent: ResourcePath
  ) throws(DatabaseError) {
    self.init(.documents(StructuredQuery(collectionID: "", below: parent)))
    if json.has("structuredAggregationQuery") {
      try readRequest(&reader, json, below: parent)
    } else if json.has("aggregations") {
      query = .figures(try reader.aggregationQuery(json, below: parent))
    } else if json.has("structuredQuery") {
      // A POST to a top-level collection creates a document, regardless of the text after the
      // colon.
      if parent.segments.count == 1 {
        _ = try reader.reading(MessageField("document")) { reader throws(DatabaseError) in
          try reader.document(json)
        }
      }
      try readRequest(&reader, json, below: parent)
    } else {
      try reader.expectMessage(json)
      query = .documents(try reader.query(json, below: parent))
    }
  }

  private mutating func readRequest(
    _ reader: inout MessageReader, _ json: JSONValue, below parent: ResourcePath
  ) throws(DatabaseError) {
    let isAggregation = json.has("structuredAggregationQuery")
    let type: MessageType = isAggregation ? .runAggregationQueryRequest : .runQueryRequest
    var (request, hasQuery) = (self, false)
    try reader.message(json, type) { reader, field, value throws(DatabaseError) in
      switch field {
      case "structuredQuery":
        request.query = .documents(try reader.query(value, below: parent))
        hasQuery = true
      case "structuredAggregationQuery":
        request.query = .figures(try reader.aggregationQuery(value, below: parent))
        hasQuery = true
      case "explainOptions": request.explain = try reader.explainOptions(value)
      default: request.consistency = try reader.consistency(field, value)
      }
    }
    if !hasQuery {
      reader.refuse(
        isAggregation
          ? "Only structured aggregation queries are supported."
          : "only structured queries are supported")
    }
    self = request
  }

  /// Returns the place of the message itself in errors: a query without its request is named as in
  /// a request.
  private static func root(of json: JSONValue) -> String {
    if json.has("structuredAggregationQuery") { return "" }
    if json.has("aggregations") { return "structured_aggregation_query" }
    return json.has("structuredQuery") ? "" : "structured_query"
  }

  /// Returns the database and the path in the full name of a root or a document.
  private static func parent(
    _ name: String
  ) throws(DatabaseError) -> (DatabaseID, ResourcePath) {
    let segments = name.split(separator: "/", omittingEmptySubsequences: false)
    // The root's name lacks a document path. Adding one makes it a full name that can be read.
    guard segments.count == 5 else {
      let document = try DocumentName(fullName: name)
      return (document.database, document.path)
    }
    do {
      return (try DocumentName(fullName: name + "/x/x").database, .root)
    } catch {
      throw .invalidArgument(error.message.replacing("\(name)/x/x", with: name))
    }
  }
}

extension MessageType {
  fileprivate static let runQueryRequest = request("RunQueryRequest", of: "structuredQuery")
  fileprivate static let runAggregationQueryRequest = request(
    "RunAggregationQueryRequest", of: "structuredAggregationQuery")

  private static func request(_ name: String, of query: String) -> MessageType {
    MessageType(name, [query, "explainOptions"] + consistencyFields, oneofs: [consistency])
  }
}

extension JSONValue {
  /// Whether the value is an object with a field of this name.
  fileprivate func has(_ name: String) -> Bool {
    guard case .object(let members) = self else { return false }
    let field = MessageField(name)
    return members.contains { field.isWritten($0.0) }
  }
}
