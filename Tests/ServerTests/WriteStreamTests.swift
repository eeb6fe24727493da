import HearthProtocols
import ServerTestClient
import SwiftProtobuf
import Testing

/// Streams of `Write`, beside the recorded ones.
@Suite(.timeLimit(.minutes(10))) struct WriteStreamTests {
  private typealias Request = Google_Firestore_V1_WriteRequest
  private typealias Response = Google_Firestore_V1_WriteResponse

  private static let database = "projects/demo-wire/databases/(default)"
  private static let service = "/google.firestore.v1.Firestore/"

  /// A message with one write, which fails for a document that has to exist.
  private static func request(_ id: String, mustExist: Bool = false) -> Request {
    .with { request in
      request.writes = [
        .with { write in
          write.update.name = "\(database)/documents/c/\(id)"
          if mustExist { write.currentDocument.exists = true }
        }
      ]
    }
  }

  @Test func nothingBehindAWriteThatFailsIsApplied() async throws {
    try await TestServer.with { server in
      let stream = try await server.client.openCall("\(Self.service)Write")
      let requests = [
        Request.with { $0.database = Self.database }, Self.request("1"),
        Self.request("2", mustExist: true), Self.request("3"),
      ]
      for request in requests {
        // The third one ends the stream, perhaps before the fourth is on its way.
        try? await stream.send(message: request.serializedBytes())
      }
      let answer = await stream.answer()
      #expect(answer.status == 5)
      #expect(answer.message?.hasPrefix("No document to update: ") == true)
      let responses = try answer.messages.map { try Response(serializedBytes: $0) }
      #expect(responses.map(\.writeResults.count) == [0, 1])
      #expect(Set(responses.map(\.streamToken)).count == 2)
      for (id, status) in [("1", 0), ("2", 5), ("3", 5)] {
        let get = Google_Firestore_V1_GetDocumentRequest.with { request in
          request.name = "\(Self.database)/documents/c/\(id)"
        }
        let found = try await server.client.call(
          "\(Self.service)GetDocument", get.serializedBytes())
        #expect(found.status == status)
      }
    }
  }

  @Test func bytesThatAreNoRequestEndTheStream() async throws {
    try await TestServer.with { server in
      for method in ["Write", "Listen"] {
        let stream = try await server.client.openCall("\(Self.service)\(method)")
        let first = Request.with { $0.database = Self.database }
        if method == "Write" { try await stream.send(message: first.serializedBytes()) }
        try await stream.send(message: [0xFF])
        #expect(await stream.answer().status == 3)
      }
    }
  }
}
