import Hearth
import HearthDocumentModel
import HearthFirestoreJSON
import HearthSecurityRules
import HearthServerCalls

/// A request to try rules: `{"method": "get", "path": "cities/a", "auth": {"uid": "ada"}}`.
///
/// `auth` may have a `token` with further claims; without it, the caller isn't signed in. A write
/// may have `fields`, those after it in the form of Firestore's REST interface. `list` takes the
/// path of a collection, or a `query` as the tool writes it. `rules` are tried in place of those in
/// force.
struct TrialRequest {
  let trial: RulesTrial
  /// The rules of the request; `nil` for those in force.
  let ruleset: Ruleset?

  /// - Throws: `invalidArgument` for a part that makes no sense, and for rules that don't compile.
  init(_ json: JSONValue, in id: DatabaseID) throws(DatabaseError) {
    guard let word = json["method"]?.string,
      let method = RulesMethod.allCases.first(where: { $0.rawValue.utf8Equal(word) })
    else {
      throw .invalidArgument("\"method\" is get, list, create, update or delete.")
    }
    trial = RulesTrial(
      try TrialRequest.request(method, json, in: id), by: try TrialRequest.claims(json["auth"]))
    do throws(RulesetError) {
      ruleset = try json["rules"]?.string.map { text throws(RulesetError) in
        try Ruleset(compiling: text)
      }
    } catch {
      throw DatabaseError(.invalidArgument, error.description, cause: error)
    }
  }

  private static func request(
    _ method: RulesMethod, _ json: JSONValue, in id: DatabaseID
  ) throws(DatabaseError) -> RulesTrial.Request {
    if method == .list, let text = json["query"]?.string { return .list(try query(text, in: id)) }
    let path = try ResourcePath(json["path"]?.string ?? "")
    guard method == .list ? path.isCollection : path.isDocument else {
      let kind = method == .list ? "collection" : "document"
      throw .invalidArgument("\"path\" is that of a \(kind) for \(method.rawValue).")
    }
    switch method {
    case .list: return .list(try query(path.description, in: id))
    case .get: return .get(path)
    default:
      let after = try json["fields"].map { fields throws(DatabaseError) in
        try TypedJSON.fields(from: fields.text)
      }
      return .write(method, path, after: after)
    }
  }

  private static func query(
    _ text: String, in id: DatabaseID
  ) throws(DatabaseError) -> StructuredQuery {
    do {
      guard case .documents(let query) = try LoggedQuery(line: Array(text.utf8), in: id).query
      else { throw DatabaseError.invalidArgument("A query of figures can't be tried.") }
      return query
    } catch let error as DatabaseError {
      throw error
    } catch {
      throw .invalidArgument("The query can't be read: \(error)")
    }
  }

  /// Returns the claims of a user; `nil` for a caller who isn't signed in.
  private static func claims(_ json: JSONValue?) throws(DatabaseError) -> MapValue? {
    switch json {
    case nil, .null?: return nil
    case let user?:
      guard let uid = user["uid"]?.string, !uid.isEmpty else {
        throw .invalidArgument("\"auth\" is null, or a user with an id: {\"uid\": \"ada\"}.")
      }
      var claims = MapValue()
      if let token = user["token"] {
        do throws(JSONError) {
          claims = try PlainJSON.fields(from: token.text)
        } catch {
          throw .invalidArgument("\"token\" has no claims: \(error.message).")
        }
      }
      claims.set(.string(uid), at: FieldPath(unchecked: ["sub"]))
      return claims
    }
  }
}
