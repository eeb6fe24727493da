import HearthDocumentModel
import HearthFirestoreJSON
import HearthServerTransport

/// A request of REST as the call that it means.
package struct RESTRequest {
  /// The name of the method.
  let method: String
  /// The message, as JSON.
  let json: JSONValue

  /// Parameters that concern the answer's form, or the caller, and not the call.
  private static let standardParameters: Set<String> = [
    "key", "access_token", "oauth_token", "prettyPrint", "alt", "$alt", "fields", "quotaUser",
    "callback", "upload_protocol", "uploadType", "$.xgafv",
  ]

  /// Returns the call on documents that a request means.
  ///
  /// - Returns: `nil` for an address that nothing answers.
  /// - Throws: `invalidArgument` for a body that is no JSON, and for an unknown parameter.
  @Sendable static func ofDocuments(
    _ request: HTTPRequest
  ) throws(DatabaseError) -> RESTRequest? {
    guard let target = RESTTarget(request.target, takesVerb: request.method == "POST"),
      let (method, bound) = try method(of: request, target)
    else { return nil }
    let isWhole = target.verb != nil && method != "CreateDocument"
    let body = isWhole ? try body(of: request) : []
    return try RESTRequest(
      method, in: "google.firestore.v1", bound, body, parameters: target.parameters)
  }

  /// Makes a request of its parts.
  ///
  /// - Parameters:
  ///   - package: the package that the method's message is in.
  ///   - bound: members that the address gives. No body and no parameter changes them.
  ///   - body: the members of the body, if it is the whole message.
  /// - Throws: `invalidArgument` for an unknown parameter.
  init(
    _ method: String, in package: String, _ bound: [(String, JSONValue)],
    _ body: [(String, JSONValue)], parameters: [(name: String, value: String)]
  ) throws(DatabaseError) {
    self.method = method
    var members = bound
    members += body.filter { member in !bound.contains { $0.0 == member.0 } }
    let type = "\(package).\(method)Request"
    for (name, value) in parameters where !RESTRequest.standardParameters.contains(name) {
      let path = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
      guard let first = MessageSchema.shared.message(type)?.field(path[0])?.jsonName,
        !bound.contains(where: { $0.0 == first }), members.set(value, at: path[...], of: type)
      else { throw RESTRequest.unknownParameter(name) }
    }
    json = .object(members)
  }

  /// Returns the method of a request, and the members of its message that the address gives. The
  /// document of a request that has one is among them.
  private static func method(
    of request: HTTPRequest, _ target: RESTTarget
  ) throws(DatabaseError) -> (name: String, members: [(String, JSONValue)])? {
    let isCollection = target.path.count % 2 == 1
    let name = JSONValue.string(target.name)
    // Below the root, a verb is a part of the collection's id, as in production.
    let id = [target.path.last ?? "", target.verb].compactMap { $0 }.joined(separator: ":")
    let collection = [
      ("parent", JSONValue.string(target.parent)), ("collectionId", .string(id)),
    ]
    switch (request.method, target.verb) {
    case ("GET", nil) where isCollection: return ("ListDocuments", collection)
    case ("GET", nil) where !target.path.isEmpty: return ("GetDocument", [("name", name)])
    case ("DELETE", nil) where !target.path.isEmpty: return ("DeleteDocument", [("name", name)])
    case ("PATCH", nil) where !target.path.isEmpty:
      let document = try body(of: request).filter { $0.0 != "name" }
      return ("UpdateDocument", [("document", .object([("name", name)] + document))])
    case ("POST", _) where isCollection && (target.verb == nil || target.path.count == 1):
      return ("CreateDocument", collection + [("document", .object(try body(of: request)))])
    case ("POST", let verb?):
      guard let called = method(of: verb, isRoot: target.path.isEmpty) else { return nil }
      let member = called.isOfDatabase ? ("database", .string(target.database)) : ("parent", name)
      return (called.name, [member])
    default: return nil
    }
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

  private static func unknownParameter(_ name: String) -> DatabaseError {
    .invalidArgument(
      "Invalid JSON payload received. Unknown name \"\(name)\": Cannot bind query parameter. "
        + "Field '\(name)' could not be found in request message.")
  }

  /// Returns the members of the body; none for an empty one.
  static func body(of request: HTTPRequest) throws(DatabaseError) -> [(String, JSONValue)] {
    guard !request.body.isEmpty else { return [] }
    let json: JSONValue
    do {
      json = try JSONValue(parsing: request.body, takesTrailingCommas: true)
    } catch {
      throw .invalidArgument("Invalid JSON payload received. \(error.shown(in: request.body))")
    }
    guard case .object(let members) = json else {
      throw .invalidArgument(
        "Invalid JSON payload received. Unknown name \"\": Root element must be a message.")
    }
    return members
  }
}

extension [(String, JSONValue)] {
  /// Adds a parameter: a field by its path, an element if the field is repeated. No path leads into
  /// a repeated field, and so none is longer than the definitions are deep.
  ///
  /// - Returns: whether there is such a field.
  fileprivate mutating func set(
    _ value: String, at path: ArraySlice<String>, of type: String
  ) -> Bool {
    guard let name = path.first, let field = MessageSchema.shared.message(type)?.field(name) else {
      return false
    }
    let index = firstIndex { $0.0 == field.jsonName }
    guard path.count == 1 else {
      guard case .message(let inner) = field.kind, !field.isRepeated else { return false }
      var members: [(String, JSONValue)] = []
      if let index, case .object(let known) = self[index].1 { members = known }
      guard members.set(value, at: path.dropFirst(), of: inner) else { return false }
      replace(index, by: (field.jsonName, .object(members)))
      return true
    }
    if field.isRepeated {
      var items: [JSONValue] = []
      if let index, case .array(let known) = self[index].1 { items = known }
      replace(index, by: (field.jsonName, .array(items + [.string(value)])))
    } else {
      append((field.jsonName, .string(value)))
    }
    return true
  }

  private mutating func replace(_ index: Int?, by member: (String, JSONValue)) {
    if let index { self[index] = member } else { append(member) }
  }
}

extension JSONError {
  /// The fault as production shows it, with the text around it and a mark below its place.
  fileprivate func shown(in text: [UInt8]) -> String {
    let isAtEnd = offset >= text.count
    let words =
      switch (message.hasPrefix("expected a value"), isAtEnd) {
      case (true, true): "Unexpected end of string. Expected a value."
      case (true, false): "Unexpected token."
      case (false, _): message
      }
    // Production has given up what it has read by the end.
    let before = isAtEnd ? [] : text[..<offset].suffix(20)
    let after = text[min(offset, text.count)...].prefix(20)
    let mark = String(repeating: " ", count: before.count) + "^"
    return "\(words)\n\(String(decoding: before + after, as: UTF8.self))\n\(mark)"
  }
}
