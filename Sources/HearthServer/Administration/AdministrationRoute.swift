import HearthDocumentModel
import HearthFirestoreJSON
import HearthServerTransport

/// The addresses of administration: `/v1/projects/P/databases/D/collectionGroups/G/indexes` and the
/// others (W§8).
enum AdministrationRoute {
  /// - Returns: `nil` for an address of something else.
  /// - Throws: `invalidArgument` for a body that is no JSON, and for an unknown parameter.
  static func request(_ request: HTTPRequest) throws(DatabaseError) -> RESTRequest? {
    guard var address = RESTAddress(request.target) else { return nil }
    let verb = request.method == "POST" ? address.removeVerb(of: ["cancel"]) : nil
    guard let segments = address.path, segments.first == "v1" else { return nil }
    let path = Array(segments.dropFirst())
    guard (3...8).contains(path.count), path[0] == "projects", path[2] == "databases",
      !path.contains(""), let call = Call(verb?.uppercased() ?? request.method, path)
    else { return nil }
    let (bound, body) = try call.members(of: request)
    return try RESTRequest(
      call.method, in: call.package, bound, body, parameters: address.parameters)
  }
}

/// A call that an address means.
private struct Call {
  static let administration = "google.firestore.admin.v1"
  static let operations = "google.longrunning"

  let method: String
  let package: String
  private let name: (String, JSONValue)
  /// The name of the field that the body is; `nil` for the whole message.
  private let bodyName: String?

  init?(_ method: String, _ path: [String]) {
    let text = path.joined(separator: "/")
    let parent = path.dropLast().joined(separator: "/")
    let collection = path.count % 2 == 1 ? path.last ?? "" : path[path.count - 2]
    let isList = path.count % 2 == 1
    let isOperation = collection == "operations"
    var bodyName: String?
    var name = (isList ? "parent" : "name", JSONValue.string(isList ? parent : text))
    switch (method, collection, path.count) {
    case ("GET", "databases", 3): self.method = "ListDatabases"
    case ("POST", "databases", 3): (self.method, bodyName) = ("CreateDatabase", "database")
    case ("GET", "databases", 4): self.method = "GetDatabase"
    case ("DELETE", "databases", 4): self.method = "DeleteDatabase"
    case ("GET", "indexes", 7): self.method = "ListIndexes"
    case ("POST", "indexes", 7): (self.method, bodyName) = ("CreateIndex", "index")
    case ("GET", "indexes", 8): self.method = "GetIndex"
    case ("DELETE", "indexes", 8): self.method = "DeleteIndex"
    case ("GET", "fields", 7): self.method = "ListFields"
    case ("GET", "fields", 8): self.method = "GetField"
    case ("PATCH", "fields", 8): (self.method, bodyName) = ("UpdateField", "field")
    case ("GET", "operations", 5):
      (self.method, name) = ("ListOperations", ("name", .string(parent)))
    case ("GET", "operations", 6): self.method = "GetOperation"
    case ("DELETE", "operations", 6): self.method = "DeleteOperation"
    case ("CANCEL", "operations", 6): self.method = "CancelOperation"
    default: return nil
    }
    guard path.count < 7 || path[4] == "collectionGroups" else { return nil }
    package = isOperation ? Call.operations : Call.administration
    self.name = name
    self.bodyName = bodyName
  }

  /// Returns the members that the address gives, with those of the body if it is one of them, and
  /// else the members of the body.
  ///
  /// - Throws: `invalidArgument` for a body that is no JSON.
  func members(
    of request: HTTPRequest
  ) throws(DatabaseError) -> (bound: [(String, JSONValue)], body: [(String, JSONValue)]) {
    let body = try RESTRequest.body(of: request)
    guard let bodyName else { return ([name], body) }
    guard method == "UpdateField" else { return ([name, (bodyName, .object(body))], []) }
    // The address names the field, and not the body.
    let field = [name] + body.filter { $0.0 != "name" }
    return ([(bodyName, .object(field))], [])
  }
}
