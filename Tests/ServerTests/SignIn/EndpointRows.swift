import HearthFirestoreJSON
import HearthProtocols
import SwiftProtobuf

extension EndpointTable {
  /// A user of the server, whose tokens and address the requests have.
  struct User {
    let id: String
    let idToken: String
    let refreshToken: String

    static let email = "ada@example.com"
    static let password = "secret1"
  }

  /// The requests of all kinds, the ones that remove something last.
  static func rows(for user: User) throws -> [Row] {
    try documentRows(user) + clientRows(user) + administratorRows(user) + readerRows + emulatorRows
  }

  private static let documents = RulesClient.documents
  private static let project = "/v1/projects/\(RulesClient.project)"

  private static func documentRows(_ user: User) throws -> [Row] {
    let get = Google_Firestore_V1_GetDocumentRequest.with { request in
      request.name = "\(RulesClient.database)/documents/open/a"
    }
    let list = Google_Firestore_Admin_V1_ListIndexesRequest.with { request in
      request.parent = "\(RulesClient.database)/collectionGroups/c"
    }
    return [
      .http("GET", "\(documents)/open/a", ""), .http("GET", "\(documents)/closed/a", ""),
      .grpc("/google.firestore.v1.Firestore/GetDocument", try get.serializedBytes()),
      .http("POST", "\(documents):commit"),
      .http(
        "POST", "\(documents):runQuery",
        #"{"structuredQuery": {"from": [{"collectionId": "open"}]}}"#),
      .http("POST", "\(documents):beginTransaction"), .http("POST", "\(documents):batchWrite"),
      .http("POST", "\(documents):listCollectionIds"),
      .http("GET", "\(project)/databases", ""),
      .grpc("/google.firestore.admin.v1.FirestoreAdmin/ListIndexes", try list.serializedBytes()),
      .grpc("/grpc.health.v1.Health/Check", []), .http("GET", "/metrics", ""),
      .http("GET", "/", ""), .http("GET", "/console/", ""),
      .http("GET", "/hearth/v1/calls", ""), .http("GET", "/hearth/v1/health", ""),
      .http("GET", "/hearth/v1/\(RulesClient.database)/indexes", ""),
      .http("POST", "/hearth/v1/\(RulesClient.database):tryRules"),
      .http("POST", "/hearth/v1/\(RulesClient.database)/documents:explain"),
      .http("POST", "/hearth/v1/\(RulesClient.database)/collectionGroups/c/indexes/1:hide"),
      .http("GET", "/hearth/v1\(project.dropFirst(3)):securityRules", ""),
    ]
  }

  private static func clientRows(_ user: User) -> [Row] {
    let address = #""email": "\#(User.email)""#
    let token = #""idToken": "\#(user.idToken)""#
    let apple = "providerId=apple.com&id_token={\\\"sub\\\": \\\"a\\\"}"
    return [
      .http("POST", "/v1/accounts:signUp?key=k"), .http("POST", "/v1/accounts:signUp"),
      .http(
        "POST", "/v1/accounts:signInWithPassword?key=k",
        "{\(address), \"password\": \"\(User.password)\"}"),
      .http(
        "POST", "/v1/accounts:signInWithIdp?key=k",
        "{\"requestUri\": \"http://localhost\", \"postBody\": \"\(apple)\"}"),
      .http("POST", "/v1/accounts:signInWithCustomToken?key=k", #"{"token": "{\"uid\": \"c\"}"}"#),
      .http("POST", "/v1/accounts:lookup?key=k", "{\(token)}"),
      .http("POST", "/v1/accounts:update?key=k", "{\(token), \"displayName\": \"Ada\"}"),
      .http(
        "POST", "/v1/accounts:sendOobCode?key=k",
        "{\"requestType\": \"PASSWORD_RESET\", \(address)}"
      ),
      .http("POST", "/v1/accounts:resetPassword?key=k", #"{"oobCode": "x"}"#),
      .http(
        "POST", "/v1/accounts:signInWithEmailLink?key=k", "{\(address), \"oobCode\": \"x\"}"),
      .http(
        "POST", "/v1/accounts:createAuthUri?key=k",
        #"{"identifier": "nobody@example.com", "continueUri": "http://localhost"}"#),
      .http(
        "POST", "/www.googleapis.com/identitytoolkit/v3/relyingparty/getAccountInfo?key=k",
        "{\(token)}"),
      .http("POST", "/v1/accounts:signInWithPhoneNumber?key=k"),
      .http(
        "POST", "/v1/token?key=k",
        #"{"grantType": "refresh_token", "refreshToken": "\#(user.refreshToken)"}"#),
      .http("GET", "/v1/projects?key=k", ""), .http("GET", "/v2/passwordPolicy?key=k", ""),
    ]
  }

  private static func administratorRows(_ user: User) -> [Row] {
    let address = #""email": "\#(User.email)""#
    return [
      .http("POST", "\(project)/accounts"), .http("GET", "\(project)/accounts:batchGet", ""),
      .http("POST", "\(project)/accounts:lookup", "{\"localId\": [\"\(user.id)\"]}"),
      .http("POST", "\(project)/accounts:update", "{\"localId\": \"\(user.id)\"}"),
      .http(
        "POST", "\(project)/accounts:sendOobCode",
        "{\"requestType\": \"PASSWORD_RESET\", \(address), \"returnOobLink\": true}"),
      .http("POST", "\(project)/accounts:query"),
      .http(
        "POST", "\(project):createSessionCookie",
        #"{"idToken": "\#(user.idToken)", "validDuration": 300}"#),
      .http("GET", "/v2/projects/\(RulesClient.project)/config", ""),
      .http("PATCH", "/v2/projects/\(RulesClient.project)/config", "{}"),
      .http("POST", "\(project)/accounts:batchCreate", "{\"users\": []}"),
      .http("POST", "\(project)/accounts:batchDelete", "{\"localIds\": [\"nobody\"]}"),
      .http("POST", "\(project)/tenants/t/accounts"),
    ]
  }

  private static let readerRows: [Row] = [
    .http("GET", "/.well-known/jwks.json", ""),
    .http("GET", "/.well-known/openid-configuration", ""),
  ]

  private static let emulatorRows: [Row] = [
    .http(
      "PUT", "/emulator\(project):securityRules",
      #"{"rules": {"files": [{"name": "r", "content": "\#(RulesClient.shut)"}]}}"#),
    .http("GET", "/emulator\(project)/oobCodes", ""),
    .http("GET", "/emulator\(project)/verificationCodes", ""),
    .http("GET", "/emulator\(project):ruleCoverage", ""),
    .http("GET", "/emulator\(project)/config", ""),
    .http("GET", "/emulator/action?mode=signIn&oobCode=x", ""),
    .http("DELETE", "/emulator\(documents)", ""),
    .http("DELETE", "/emulator\(project)/accounts", ""),
  ]
}
