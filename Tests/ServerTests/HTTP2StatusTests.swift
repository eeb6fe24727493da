import Foundation
import HearthFirestoreJSON
import ServerTestClient
import Testing

/// The recorded forms of calls on HTTP/2: header blocks, data and trailers.
@Suite struct HTTP2StatusTests {
  /// Statuses of production, or of our choice, where the recorded emulator has others.
  private static let others: [String: [(code: String, message: String)]] = [
    "not found, percent-encoded text, trailers only": [("5", missing("%C3%A9%25x%0A"))],
    "content type with +proto": [("5", missing("none"))],
    "compressed with gzip": [("5", missing("none"))],
    "bytes that are no message": [
      ("3", "The bytes of the request are no google.firestore.v1.GetDocumentRequest.")
    ],
    // The recorded reset tells clients less. An answer may be quicker than a nanosecond.
    "no time left": [("4", "Deadline exceeded."), ("5", missing("none"))],
  ]

  private static func missing(_ id: String) -> String {
    "Document \"projects/demo-wire/databases/(default)/documents/c/\(id)\" not found."
  }

  private static let steps = WireExample.all.first { $0.name == "http2/statuses" }?.steps ?? []

  @Test func theStepsAreThere() { #expect(Self.steps.count == 12) }

  @Test(arguments: steps.indices)
  func blocksAndDataAreAsRecorded(index: Int) async throws {
    let step = Self.steps[index]
    let what = step["what"]?.string ?? ""
    let answer = try await TestServer.with { server in
      let stream = try await server.client.openCall(
        step["path"]?.string ?? "",
        headers: (step["headers"]?.members ?? []).map { ($0, $1.string ?? "") },
        contentType: step["contentType"]?.string ?? "application/grpc")
      let body = try #require(Data(base64Encoded: step["body"]?.string ?? ""))
      // The server may have ended the call already, by its headers alone.
      try? await stream.send(bytes: Array(body), isLast: true)
      return await stream.answer()
    }
    if let others = Self.others[what] {
      #expect(answer.headers.count == 1)
      #expect(
        others.contains {
          $0.code == answer.headers.last?["grpc-status"] && $0.message == answer.message
        })
      return
    }
    let blocks = (step["messages"]?.elements ?? []).compactMap { $0["headers"] }
    #expect(answer.headers.count == blocks.count)
    for (found, recorded) in zip(answer.headers, blocks) {
      for (name, value) in recorded.members { #expect(found[name] == value.string) }
    }
    let data = (step["messages"]?.elements ?? []).compactMap { $0["data"]?.string }.joined()
    #expect(Data(answer.bytes).base64EncodedString() == data)
  }
}
