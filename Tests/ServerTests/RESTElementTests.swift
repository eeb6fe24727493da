import Hearth
import HearthFirestoreJSON
import HearthServer
import HearthServerTransport
import ServerTestClient
import Synchronization
import Testing

/// Arrays of answers that leave in parts.
@Suite(.timeLimit(.minutes(5))) struct RESTElementTests {
  private static let documents = "/v1/projects/demo-parts/databases/(default)/documents"

  @Test func aLargeAnswerIsTheSameInParts() async throws {
    try await TestServer.with { server in
      let text = String(repeating: "é", count: 20_000)
      for number in 0..<10 {
        let answer = try await server.send(
          "PATCH", "\(Self.documents)/c/\(number)",
          "{\"fields\": {\"a\": {\"stringValue\": \"\(text)\"}}}")
        #expect(answer.status == 200)
      }
      let query = #"{"structuredQuery": {"from": [{"collectionId": "c"}]}}"#
      let origin = "http://localhost:3000"
      let connection = try await PlainConnection.connect(to: server.port)
      try await connection.send(
        "POST \(Self.documents):runQuery HTTP/1.1\r\nHost: localhost\r\nOrigin: \(origin)\r\n"
          + "Connection: close\r\nContent-Length: \(query.utf8.count)\r\n\r\n\(query)")
      let raw = await connection.text()
      let head = raw.prefix(while: { $0 != "{" }).lowercased()
      #expect(head.contains("transfer-encoding: chunked\r\n"))
      #expect(head.contains("access-control-allow-origin: \(origin)\r\n"))
      let answer = try await server.send("POST", "\(Self.documents):runQuery", query)
      #expect(answer.status == 200)
      #expect(answer.json.elements.count == 10)
      for element in answer.json.elements {
        #expect(element["document"]?["fields"]?["a"]?["stringValue"]?.string == text)
      }
    }
  }

  // MARK: Errors

  private static let large = 100

  /// Returns the parts of an answer of `count` elements, of 1,000 bytes and more each, that ends
  /// with an error.
  private static func parts(_ count: Int) async throws -> (parts: [HTTPResponse], noted: String?) {
    let noted = Mutex<String?>(nil)
    let message = [UInt8]([0x0A, 0xE8, 0x07]) + [UInt8](repeating: 0x61, count: 1_000)
    let method = ServiceMethod(
      requestType: "google.firestore.v1.RunQueryRequest",
      responseType: "google.firestore.v1.ListCollectionIdsResponse", streams: true
    ) { _, _, send in
      for _ in 0..<count { try await send(message) }
      throw DatabaseError(.dataLoss, "damaged")
    }
    let service = RESTService(["RunQuery": method]) { name, error, _ in
      noted.withLock { $0 = "\(name) \(error?.message ?? "")" }
    }
    let request = HTTPRequest(
      version: 1, method: "POST", target: "\(documents):runQuery", headers: [], body: [])
    let sent = Mutex<[HTTPResponse]>([])
    let last = await service.answer(request) { part in sent.withLock { $0.append(part) } }
    return (try sent.withLock { $0 } + [#require(last)], noted.withLock { $0 })
  }

  private static let error =
    #"{"error":{"code":500,"message":"damaged","status":"DATA_LOSS"}}"#

  @Test func anErrorBeforeTheFirstElementIsTheStatus() async throws {
    let (parts, noted) = try await Self.parts(0)
    #expect(parts.map(\.status) == [500])
    #expect(String(decoding: parts[0].body, as: UTF8.self) == "[\(Self.error)]")
    #expect(noted == "RunQuery damaged")
  }

  @Test(arguments: [1, large])
  func anErrorAfterTheFirstElementIsTheLastElement(count: Int) async throws {
    let (parts, noted) = try await Self.parts(count)
    #expect(parts.map(\.status).allSatisfy { $0 == 200 })
    #expect(parts.count == (count == Self.large ? 2 : 1))
    let elements = try JSONValue(parsing: parts.flatMap(\.body)).elements
    #expect(elements.count == count + 1)
    #expect(elements.last?.line == Self.error)
    #expect(noted == "RunQuery damaged")
  }
}
