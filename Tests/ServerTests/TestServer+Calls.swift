import Foundation
package import HearthFirestoreJSON
import HearthServer
import ServerTestClient

/// An answer as JSON, with its status: that of HTTP, or gRPC's code.
struct JSONAnswer {
  let status: Int
  let json: JSONValue
  /// The text of an error.
  let message: String

  subscript(name: String) -> JSONValue? { json[name] }
}

extension TestServer {
  /// Sends a request of REST.
  func send(_ method: String, _ path: String, _ body: String = "") async throws -> JSONAnswer {
    let answer = try await PlainConnection.exchange(method, path, body, port: port)
    let json = (try? JSONValue(parsing: Array(answer.body.utf8))) ?? .null
    let error = json["error"] ?? json.elements.first?["error"]
    return JSONAnswer(
      status: answer.status, json: json, message: error?["message"]?.string ?? "")
  }

  /// Makes a call of gRPC with one message in each direction.
  func call(
    _ service: String, _ method: String, _ request: String, answer type: String
  ) async throws -> JSONAnswer {
    var reader = JSONMessageReader()
    let package = service.split(separator: ".").dropLast().joined(separator: ".")
    let bytes = try reader.bytes(
      of: JSONValue(parsing: Array(request.utf8)), as: "\(package).\(method)Request")
    let answer = try await client.call("/\(service)/\(method)", bytes)
    let json = answer.messages.first.map { JSONMessageWriter().json(of: $0, as: type) }
    return JSONAnswer(
      status: answer.status ?? -1, json: json ?? .null, message: answer.message ?? "")
  }

  /// Asks for an operation until it has ended, and returns it.
  func ended(_ operation: JSONAnswer) async throws -> JSONAnswer {
    guard let name = operation["name"]?.string else { return operation }
    var present = operation
    while present["done"] != .boolean(true) {
      present = try await send("GET", "/v1/\(name)")
      guard present.status == 200 else { return present }
    }
    return present
  }
}

extension JSONValue: Equatable {
  package static func == (left: JSONValue, right: JSONValue) -> Bool { left.line == right.line }
}
