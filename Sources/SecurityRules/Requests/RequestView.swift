import HearthDocumentModel
import HearthQueryPlanning

/// The variable `request`.
final class RequestView: MemberSource {
  private let method: RulesMethod
  private let database: String
  private let time: RulesTimestamp
  private let isInTransaction: Bool
  private let auth: RulesValue
  /// The path of the document, or of the query's collection.
  private let path: ResourcePath?
  /// The document after the request; `nil` in reads, null in deletes.
  private let resource: RulesValue?
  private let query: QueryView?
  private let mask: [FieldPath]?

  /// - Parameter path: the path below the database; `nil` if a query names no collection.
  init(_ operation: RulesOperation, of request: RulesRequest, path: ResourcePath?) {
    method = operation.method
    database = request.database
    time = RulesTimestamp(request.time)
    isInTransaction = request.isInTransaction
    auth = request.auth
    self.path = path
    resource = operation.resourceAfter(in: request.database)
    query = operation.query.map { QueryView($0) }
    mask = operation.mask
  }

  func value(of name: String) throws(RulesError) -> RulesValue? {
    switch name {
    case "auth": return auth
    case "method": return .string(method.rawValue)
    case "path":
      guard let path else { throw .unknown }
      return .path(RulesPath(path, in: database))
    case "time": return .timestamp(time)
    case "resource": return resource
    case "query": return query.map { .map(.object($0)) }
    case "writeFields": return writeFields
    case "headers": return .map(RulesMap([]))
    case "inTransaction": return .bool(isInTransaction)
    case "fields": return .null
    default: return nil
    }
  }

  func entries() throws(RulesError) -> [RulesMap.Entry] {
    var entries: [RulesMap.Entry] = []
    for name in Self.names {
      if let value = try value(of: name) { entries.append((name, value)) }
    }
    return entries
  }

  private static let names = [
    "auth", "fields", "headers", "inTransaction", "method", "path", "query", "resource", "time",
    "writeFields",
  ]

  private var writeFields: RulesValue {
    guard let mask else { return .null }
    return .list(RulesList(mask.map { .string($0.description) }))
  }
}

extension RulesOperation {
  /// The document; `nil` for a query.
  var path: ResourcePath? {
    switch target {
    case .document(let path), .result(let path, _): path
    case .query: nil
    }
  }

  /// The value of `request.resource`: no member in reads, null in deletes.
  fileprivate func resourceAfter(in database: String) -> RulesValue? {
    guard case .document(let path) = target, method != .get else { return nil }
    guard let after else { return .null }
    return .map(.object(DocumentView(path, in: database, data: .stored(after))))
  }

  /// The query; `nil` for other operations.
  var query: StructuredQuery? {
    switch target {
    case .document: nil
    case .query(let query), .result(_, let query): query
    }
  }
}

/// The value of `request.query`.
private final class QueryView: MemberSource {
  private let query: StructuredQuery

  init(_ query: StructuredQuery) {
    self.query = query
  }

  func value(of name: String) throws(RulesError) -> RulesValue? {
    switch name {
    case "limit": return query.limit.map { .int(Int64($0)) } ?? .null
    case "offset": return .int(Int64(query.offset))
    case "orderBy":
      return .map(
        RulesMap(
          query.orders.map { order in
            (order.field.description, .string(order.direction == .ascending ? "ASC" : "DESC"))
          }))
    default: return nil
    }
  }

  /// Returns the members. The first stands for others that production has, so that no rule takes
  /// the rest for all of them.
  func entries() throws(RulesError) -> [RulesMap.Entry] {
    var entries: [RulesMap.Entry] = [("", .null)]
    for name in ["limit", "offset", "orderBy"] {
      if let value = try value(of: name) { entries.append((name, value)) }
    }
    return entries
  }
}
