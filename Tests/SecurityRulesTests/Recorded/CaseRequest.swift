import Foundation
import HearthDocumentModel
import HearthFirestoreJSON
import HearthQueryPlanning
import HearthSecurityRules

/// A recorded request of the REST interface, as the operations that rules judge.
struct CaseRequest {
  let operations: [RulesOperation]
  let request: RulesRequest

  /// A time in whole milliseconds, which server timestamps equal.
  private static let time = 1_795_530_000_123_000

  init(_ row: RulesCase) throws {
    let json = row.json["request"]
    let address = Address(json?["path"]?.string ?? "/v1/{DB}/documents/t/x")
    let time = try Timestamp(microseconds: Int64(Self.time))
    let isOwn = address.database == RulesCase.database
    var documents = try CommittedDocuments(
      seed: isOwn ? row.json["seed"]?.string.flatMap { try? Self.seeds.get()[$0] } : nil)
    operations = try Self.operations(
      json?["method"]?.string ?? "GET", address, json?["body"] ?? .object([]), at: time,
      &documents)
    var auth: RulesAuth?
    if case .object(let claims)? = row.json["auth"] {
      auth = RulesAuth(claims: MapValue(plain: claims))
    }
    request = RulesRequest(
      in: address.database.database, by: auth, at: time,
      isInTransaction: json?["transaction"]?.boolean ?? false, reading: documents)
  }

  private static let seeds = Result {
    try JSONValue(
      parsing: Array(try Data(contentsOf: RulesCase.folder.appending(path: "seeds.json"))))
  }

  private static func operations(
    _ method: String, _ address: Address, _ body: JSONValue, at time: Timestamp,
    _ documents: inout CommittedDocuments
  ) throws -> [RulesOperation] {
    let path = try address.path.isEmpty ? .root : ResourcePath(address.path)
    switch (method, address.call) {
    case ("GET", nil) where path.isDocument:
      return [.get(path, document: try documents.fields(at: path))]
    case ("GET", nil): return [.list(try listing(path, address))]
    case (_, "batchGet"):
      return try body.read("documents").elements.map { name in
        let path = try DocumentName(fullName: String(decoding: name.bytes, as: UTF8.self).unquoted)
          .path
        return .get(path, document: try documents.fields(at: path))
      }
    case (_, "runQuery"), (_, "runAggregationQuery"):
      return [.list(try LoggedQuery(json: body.bytes, below: path).query.documents)]
    case (_, "commit"):
      return documents.apply(
        try CommitMessage(json: body.bytes, in: RulesCase.database).writes, at: time)
    default:
      return documents.apply([try write(method, path, address, body)], at: time)
    }
  }

  private static func write(
    _ method: String, _ path: ResourcePath, _ address: Address, _ body: JSONValue
  ) throws -> Write {
    if method == "DELETE" { return .delete(path) }
    let fields = try TypedJSON.fields(from: (body["fields"] ?? .object([])).bytes)
    if method == "POST" {
      // A server chooses an id where the client gives none.
      let id = address.parameters["documentId"]?.first ?? "chosenByTheServer000"
      return .create(try path.appending(id), fields)
    }
    let mask = try address.parameters["updateMask.fieldPaths"]?.map { try FieldPath($0) }
    let exists = address.parameters["currentDocument.exists"]?.first.map { $0 == "true" }
    return Write(
      path: path, operation: .update(fields: fields, mask: mask),
      precondition: exists.map { .exists($0) })
  }

  private static func listing(
    _ path: ResourcePath, _ address: Address
  ) throws -> StructuredQuery {
    let orders = try address.parameters["orderBy"]?.map { Order(try FieldPath($0)) } ?? []
    let size = address.parameters["pageSize"]?.first.flatMap { Int($0) }
    return StructuredQuery(
      collectionID: path.lastSegment ?? "", below: path.parent, orders: orders,
      limit: size ?? 100)
  }
}

extension AnyQuery {
  /// The query for documents, alone or under figures.
  fileprivate var documents: StructuredQuery {
    switch self {
    case .documents(let query): query
    case .figures(let figures): figures.query
    }
  }
}

/// The parts of a request's address.
private struct Address {
  var database = RulesCase.database
  var path = ""
  var call: String?
  var parameters: [String: [String]] = [:]

  init(_ text: String) {
    let halves = text.split(separator: "?", maxSplits: 1)
    var path = String(halves[0]).replacing("/v1/", with: "").replacing(
      "{DB}", with: "\(RulesCase.database)")
    let names = path.split(separator: "/")
    if let database = try? DatabaseID(project: String(names[1]), database: String(names[3])) {
      self.database = database
    }
    if let colon = path.lastIndex(of: ":") {
      call = String(path[path.index(after: colon)...])
      path = String(path[..<colon])
    }
    if let range = path.range(of: "/documents/") {
      self.path = String(path[range.upperBound...]).removingPercentEncoding ?? ""
    }
    for pair in halves.dropFirst().first?.split(separator: "&") ?? [] {
      let parts = pair.split(separator: "=", maxSplits: 1)
      parameters[String(parts[0]), default: []].append(String(parts.last ?? ""))
    }
  }
}

extension JSONValue {
  fileprivate func read(_ name: String) throws -> JSONValue { self[name] ?? .array([]) }
}

extension String {
  /// The text of a JSON string without escapes.
  fileprivate var unquoted: String { String(dropFirst().dropLast()) }
}
