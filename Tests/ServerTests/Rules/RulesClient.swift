import Foundation
import HearthFirestoreJSON
import HearthServer
import ServerTestClient

/// A client of REST that calls as several users.
struct RulesClient {
  static let project = "demo-rules"
  static let database = "projects/demo-rules/databases/(default)"
  static let documents = "/v1/\(database)/documents"

  /// Rules that allow nothing.
  static let shut = "service cloud.firestore { match /none/{id} { allow read: if false; } }"

  let port: Int

  /// The header of a user with an unsigned token.
  static func bearer(_ claims: JSONValue) -> String {
    let parts = [JSONValue.object([("alg", .string("none"))]), claims].map { json in
      Data(json.text).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
        .replacing("=", with: "")
    }
    return "Bearer \(parts.joined(separator: "."))."
  }

  static func bearer(_ uid: String) -> String { bearer(.object([("sub", .string(uid))])) }

  /// Sends a request.
  ///
  /// - Parameter authorization: the header of that name; `nil` for none.
  func send(
    _ method: String, _ path: String, _ body: String = "", as authorization: String? = nil
  ) async throws -> JSONAnswer {
    let headers = authorization.map { ["Authorization: \($0)"] } ?? []
    let answer = try await PlainConnection.exchange(
      method, path, body, headers: headers, port: port)
    let json = (try? JSONValue(parsing: Array(answer.body.utf8))) ?? .null
    let error = json["error"] ?? json.elements.first?["error"]
    return JSONAnswer(
      status: answer.status, json: json, message: error?["message"]?.string ?? "")
  }

  /// Puts rules in force.
  @discardableResult
  func upload(
    _ text: String, project: String = RulesClient.project
  ) async throws -> JSONAnswer {
    let file = JSONValue.object([
      ("name", .string("security.rules")), ("content", .string(text)),
    ])
    let body = JSONValue.object([("rules", .object([("files", .array([file]))]))])
    return try await send("PUT", "/emulator/v1/projects/\(project):securityRules", body.line)
  }

  /// Puts rules for the documents below the root in force.
  @discardableResult
  func allow(_ statements: String) async throws -> JSONAnswer {
    try await upload(
      """
      rules_version = '2';
      service cloud.firestore { match /databases/{db}/documents {
      \(statements)
      } }
      """)
  }

  /// Writes a document as the administrator.
  func set(_ path: String, _ fields: String = "{}") async throws {
    _ = try await send(
      "PATCH", "\(Self.documents)/\(path)", "{\"fields\": \(fields)}", as: "Bearer owner")
  }

  /// Returns the status of a read.
  func get(_ path: String, as authorization: String? = nil) async throws -> Int {
    try await send("GET", "\(Self.documents)/\(path)", as: authorization).status
  }

  /// Runs `body` with a client of a new server.
  static func with(
    _ server: HearthServer = HearthServer(databases: .inMemory),
    _ body: (RulesClient, TestServer) async throws -> Void
  ) async throws {
    try await TestServer.with(server) { server in
      try await body(RulesClient(port: server.port), server)
    }
  }
}
