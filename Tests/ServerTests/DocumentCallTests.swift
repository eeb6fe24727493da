import Foundation
import HearthFirestoreJSON
import HearthProtocols
import HearthServer
import ServerTestClient
import SwiftProtobuf
import Testing

/// Calls about documents, beside the recorded ones.
@Suite struct DocumentCallTests {
  private static let database = "projects/demo-wire/databases/(default)"

  /// Makes a call with a request in JSON.
  private static func call(
    _ method: String, _ request: String, on server: TestServer,
    headers: [(String, String)] = []
  ) async throws -> ClientAnswer {
    var reader = JSONMessageReader()
    let bytes = try reader.bytes(
      of: JSONValue(parsing: Array(request.utf8)), as: "google.firestore.v1.\(method)Request")
    return try await server.client.call(
      "/google.firestore.v1.Firestore/\(method)", bytes, headers: headers)
  }

  /// Commits a document with the fields, and returns those that are read back, in their order.
  private static func stored(_ fields: String) async throws -> JSONValue? {
    try await TestServer.with { server in
      let name = "\(database)/documents/c/a"
      let commit = try await call(
        "Commit",
        "{\"database\": \"\(database)\", "
          + "\"writes\": [{\"update\": {\"name\": \"\(name)\", \"fields\": \(fields)}}]}",
        on: server)
      #expect(commit.message == nil)
      let answer = try await call("GetDocument", "{\"name\": \"\(name)\"}", on: server)
      let document = try #require(answer.messages.first)
      return JSONMessageWriter().json(of: document, as: "google.firestore.v1.Document")["fields"]
    }
  }

  @Test(arguments: [
    #"{"a":{"nullValue":null},"b":{"booleanValue":true},"c":{"booleanValue":false}}"#,
    #"{"a":{"integerValue":"-9223372036854775808"},"b":{"integerValue":"0"}}"#,
    #"{"a":{"doubleValue":0.5},"b":{"doubleValue":"NaN"},"c":{"doubleValue":"-Infinity"}}"#,
    #"{"a":{"timestampValue":"2026-01-02T03:04:05.123456Z"}}"#,
    #"{"a":{"timestampValue":"0001-01-01T00:00:00Z"}}"#,
    #"{"a":{"stringValue":""},"b":{"stringValue":"é😀\u0000"}}"#,
    #"{"a":{"bytesValue":"AP8="},"b":{"bytesValue":""}}"#,
    #"{"a":{"referenceValue":"projects/p/databases/d/documents/x/y"}}"#,
    #"{"a":{"geoPointValue":{"latitude":-90.0,"longitude":180.0}}}"#,
    #"{"a":{"arrayValue":{"values":[{"integerValue":"1"},{"mapValue":{}}]}}}"#,
    #"{"a":{"mapValue":{"fields":{"b":{"mapValue":{"fields":{"c":{"nullValue":null}}}}}}}}"#,
  ])
  func valuesAreReadAsTheyWereWritten(fields: String) async throws {
    let stored = try await Self.stored(fields)
    #expect(stored?.line == fields)
  }

  @Test func namesThatLookAlikeAreTwoFields() async throws {
    // One code point, and a letter with a combining accent.
    let fields = "{\"e\u{301}\":{\"integerValue\":\"2\"},\"\u{E9}\":{\"integerValue\":\"1\"}}"
    let stored = try #require(try await Self.stored(fields))
    #expect(stored.members.map { Array($0.0.utf8) } == [[0x65, 0xCC, 0x81], [0xC3, 0xA9]])
  }

  @Test func aVectorIsAMapOfItsForm() async throws {
    let vector =
      #"{"v":{"mapValue":{"fields":{"__type__":{"stringValue":"__vector__"},"#
      + #""value":{"arrayValue":{"values":[{"doubleValue":1.0},{"doubleValue":2.5}]}}}}}}"#
    let stored = try await Self.stored(vector)
    #expect(stored?.line == vector)
  }

  @Test func aRefusedQueryCarriesTheCommandThatHelps() async throws {
    let query = """
      {"parent": "\(Self.database)/documents", "structuredQuery": {
        "from": [{"collectionId": "c"}], "orderBy": [{"field": {"fieldPath": "b"}}],
        "where": {"fieldFilter": {
          "field": {"fieldPath": "a"}, "op": "EQUAL", "value": {"integerValue": "1"}}}}}
      """
    let answer = try await TestServer.with { try await Self.call("RunQuery", query, on: $0) }
    #expect(answer.status == 9)
    let message = try #require(answer.message)
    let text = try #require(answer.headers.last?["grpc-status-details-bin"])
    #expect(!text.contains("="))
    let padded = text + String(repeating: "=", count: (4 - text.count % 4) % 4)
    let details = try Google_Rpc_Status(
      serializedBytes: try #require(Data(base64Encoded: padded)))
    #expect(details.code == 9)
    #expect(details.message == message)
    let help = try Google_Rpc_Help(unpackingAny: try #require(details.details.first))
    let link = try #require(help.links.first)
    #expect(message.hasSuffix(link.url))
    #expect(link.url.hasPrefix("https://console.firebase.google.com/"))
    #expect(link.description_p == "hearth index create '\(link.url)'")
    let info = try Google_Rpc_ErrorInfo(unpackingAny: try #require(details.details.last))
    #expect(info.reason == "MISSING_INDEX")
    #expect(info.domain == "firestore.googleapis.com")
  }

  @Test func aHeaderForAnotherDatabaseIsRefused() async throws {
    let request = "{\"name\": \"\(Self.database)/documents/c/a\"}"
    try await TestServer.with { server in
      func status(_ prefix: String) async throws -> Int? {
        try await Self.call(
          "GetDocument", request, on: server,
          headers: [("google-cloud-resource-prefix", prefix)]
        ).status
      }
      for (prefix, code) in [
        (Self.database, 5), ("projects/demo-wire/databases/other", 3), ("nonsense", 3),
      ] {
        let status = try await status(prefix)
        #expect(status == code)
      }
    }
  }

  @Test func missingDocumentsComeAfterTheOthers() async throws {
    let names = ["none", "b", "nil", "a"].map { "\(Self.database)/documents/c/\($0)" }
    let answer = try await TestServer.with { server in
      _ = try await Self.call(
        "Commit",
        """
        {"database": "\(Self.database)", "writes": [
          {"update": {"name": "\(names[1])"}}, {"update": {"name": "\(names[3])"}}]}
        """, on: server)
      let quoted = names.map { "\"\($0)\"" }.joined(separator: ",")
      return try await Self.call(
        "BatchGetDocuments",
        "{\"database\": \"\(Self.database)\", \"documents\": [\(quoted)]}", on: server)
    }
    let sent = try answer.messages.map {
      try Google_Firestore_V1_BatchGetDocumentsResponse(serializedBytes: $0)
    }
    #expect(sent.map { $0.found.name + $0.missing } == [names[1], names[3], names[0], names[2]])
    #expect(Set(sent.map(\.readTime)).count == 1 && sent.allSatisfy(\.hasReadTime))
  }

  @Test func databasesShareNothing() async throws {
    try await TestServer.with { server in
      for (project, value) in [("one", 1), ("two", 2)] {
        let database = "projects/\(project)/databases/(default)"
        let answer = try await Self.call(
          "Commit",
          """
          {"database": "\(database)", "writes": [{"update": {
            "name": "\(database)/documents/c/a", "fields": {"n": {"integerValue": "\(value)"}}}}]}
          """, on: server)
        #expect(answer.status == 0)
      }
      for (project, status) in [("one", 0), ("two", 0), ("three", 5)] {
        let name = "projects/\(project)/databases/(default)/documents/c/a"
        let answer = try await Self.call("GetDocument", "{\"name\": \"\(name)\"}", on: server)
        #expect(answer.status == status)
      }
    }
  }

  @Test func pagesOfAllCollectionsPassEachDocumentOnce() async throws {
    try await TestServer.with { server in
      let root = "\(Self.database)/documents"
      let paths = ["a/1", "a/2", "a/3", "b/1", "c/1", "c/2"]
      let writes = paths.map { "{\"update\": {\"name\": \"\(root)/\($0)\"}}" }
      _ = try await Self.call(
        "Commit",
        "{\"database\": \"\(Self.database)\", \"writes\": [\(writes.joined(separator: ","))]}",
        on: server)
      for size in 1...7 {
        var (found, token): ([String], String) = ([], "")
        repeat {
          let answer = try await Self.call(
            "ListDocuments",
            "{\"parent\": \"\(root)\", \"pageSize\": \(size), \"pageToken\": \"\(token)\"}",
            on: server)
          let page = try Google_Firestore_V1_ListDocumentsResponse(
            serializedBytes: try #require(answer.messages.first))
          #expect(page.documents.count <= size)
          found += page.documents.map { String($0.name.dropFirst(root.count + 1)) }
          token = page.nextPageToken
        } while !token.isEmpty && found.count < 100
        #expect(found == paths)
      }
    }
  }
}
