import HearthProtocols
import ServerTestClient
import SwiftProtobuf
import Testing

/// The calls of clients whose server is killed.
enum KillCalls {
  static let database = "projects/demo-kills/databases/(default)"
  static let collection = "\(database)/documents/c"
  private static let service = "/google.firestore.v1.Firestore/"

  /// Makes a call, and returns its messages.
  static func responses<Response: Message>(
    _ method: String, _ request: some Message, as type: Response.Type, from client: ServerClient
  ) async throws -> [Response] {
    let answer = try await client.call("\(service)\(method)", request.serializedBytes())
    try #require(answer.status == 0, "\(method): \(answer.message ?? "the connection has ended")")
    return try answer.messages.map { try Response(serializedBytes: $0) }
  }

  /// Commits, and returns whether the server has acknowledged it.
  ///
  /// - Throws: a ``Refusal`` if the server has answered otherwise.
  static func commit(
    _ request: Google_Firestore_V1_CommitRequest, by client: ServerClient
  ) async throws -> Bool {
    // The connection may end at any time.
    guard let answer = try? await client.call("\(service)Commit", request.serializedBytes()),
      let status = answer.status
    else { return false }
    guard status == 0 else { throw Refusal(message: answer.message ?? "\(status)") }
    return true
  }

  static func openListener(on client: ServerClient) async throws -> ClientStream {
    try await client.openCall("\(service)Listen")
  }

  /// The server has answered a commit with an error.
  struct Refusal: Error {
    let message: String
  }
}
