import HearthDocumentModel
import HearthFirestoreJSON
import HearthServerTransport

/// A request of REST as the call that it means.
struct RESTRequest {
  /// The name of the method.
  let method: String
  /// The message, as JSON.
  let json: JSONValue

  /// Parameters that concern the answer's form, or the caller, and not the call.
  private static let standardParameters: Set<String> = [
    "key", "access_token", "oauth_token", "prettyPrint", "alt", "$alt", "fields", "quotaUser",
    "callback", "upload_protocol", "uploadType", "$.xgafv",
  ]

  /// - Returns: `nil` for an address that nothing answers.
  /// - Throws: `invalidArgument` for a body that is no JSON, and for an unknown parameter.
  init?(_ request: HTTPRequest, _ target: RESTTarget) throws(DatabaseError) {
    let isCollection = target.path.count % 2 == 1
    var members: [(String, JSONValue)]
    switch (request.method, target.verb) {
    case ("GET", nil) where isCollection:
      method = "ListDocuments"
      members = [
        ("parent", .string(target.parent)),
        ("collectionId", .string(target.path.last ?? "")),
      ]
    case ("GET", nil) where !target.path.isEmpty:
      method = "GetDocument"
      members = [("name", .string(target.name))]
    case ("DELETE", nil) where !target.path.isEmpty && !isCollection:
      method = "DeleteDocument"
      members = [("name", .string(target.name))]
    case ("PATCH", nil) where !target.path.isEmpty && !isCollection:
      method = "UpdateDocument"
      let document = try RESTRequest.body(request).filter { $0.0 != "name" }
      members = [("document", .object([("name", .string(target.name))] + document))]
    case ("POST", nil) where isCollection:
      method = "CreateDocument"
      members = [
        ("parent", .string(target.parent)),
        ("collectionId", .string(target.path.last ?? "")),
        ("document", .object(try RESTRequest.body(request))),
      ]
    case ("POST", let verb?) where !isCollection:
      guard let called = RESTRequest.method(of: verb, isRoot: target.path.isEmpty) else {
        return nil
      }
      method = called.name
      let name = called.isOfDatabase ? target.database : target.name
      members = [(called.isOfDatabase ? "database" : "parent", .string(name))]
      members += try RESTRequest.body(request)
    default: return nil
    }
    let type = "google.firestore.v1.\(method)Request"
    for (name, value) in target.parameters
    where !RESTRequest.standardParameters.contains(name) {
      try members.set(value, at: name.split(separator: ".").map(String.init)[...], of: type)
    }
    json = .object(members)
  }

  /// Returns the method of a verb; `nil` if it has none at this place.
  private static func method(
    of verb: String, isRoot: Bool
  ) -> (name: String, isOfDatabase: Bool)? {
    switch verb {
    case "batchGet": isRoot ? ("BatchGetDocuments", true) : nil
    case "commit", "batchWrite", "beginTransaction", "rollback", "executePipeline":
      isRoot ? (verb.prefix(1).uppercased() + verb.dropFirst(), true) : nil
    default: (verb.prefix(1).uppercased() + verb.dropFirst(), false)
    }
  }

  /// Returns the members of the body; none for an empty one.
  private static func body(_ request: HTTPRequest) throws(DatabaseError) -> [(String, JSONValue)] {
    guard !request.body.isEmpty else { return [] }
    let json: JSONValue
    do {
      json = try JSONValue(parsing: request.body, takesTrailingCommas: true)
    } catch {
      throw .invalidArgument("Invalid JSON payload received. \(error.message)")
    }
    guard case .object(let members) = json else {
      throw .invalidArgument(
        "Invalid JSON payload received. Unknown name \"\": Root element must be a message.")
    }
    return members
  }
}

extension [(String, JSONValue)] {
  /// Adds a parameter: a field by its path, an element if the field is repeated.
  fileprivate mutating func set(
    _ value: String, at path: ArraySlice<String>, of type: String
  ) throws(DatabaseError) {
    guard let name = path.first,
      let field = MessageSchema.shared.message(type)?.field(name)
    else {
      let name = path.first ?? ""
      throw .invalidArgument(
        "Invalid JSON payload received. Unknown name \"\(name)\": Cannot bind query parameter. "
          + "Field '\(name)' could not be found in request message.")
    }
    let index = firstIndex { $0.0 == field.jsonName }
    if path.count > 1, case .message(let inner) = field.kind {
      var members: [(String, JSONValue)] = []
      if let index, case .object(let known) = self[index].1 { members = known }
      try members.set(value, at: path.dropFirst(), of: inner)
      if let index {
        self[index].1 = .object(members)
      } else {
        append((field.jsonName, .object(members)))
      }
    } else if field.isRepeated {
      if let index, case .array(let known) = self[index].1 {
        self[index].1 = .array(known + [.string(value)])
      } else {
        append((field.jsonName, .array([.string(value)])))
      }
    } else {
      append((field.jsonName, .string(value)))
    }
  }
}
