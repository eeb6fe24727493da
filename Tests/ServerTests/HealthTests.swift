import HearthProtocols
import HearthServer
import ServerTestClient
import SwiftProtobuf
import Testing

/// The services that tools ask about the server.
@Suite(.timeLimit(.minutes(5))) struct HealthTests {
  private typealias Response = Grpc_Health_V1_HealthCheckResponse

  private static func check(
    _ service: String, on server: TestServer
  ) async throws -> ClientAnswer {
    let request = Grpc_Health_V1_HealthCheckRequest.with { $0.service = service }
    return try await server.client.call(
      "/grpc.health.v1.Health/Check", try request.serializedBytes())
  }

  @Test func eachServiceServes() async throws {
    try await TestServer.with { server in
      for service in [
        "", "google.firestore.v1.Firestore", "google.firestore.admin.v1.FirestoreAdmin",
        "google.longrunning.Operations",
      ] {
        let answer = try await Self.check(service, on: server)
        let response = try Response(serializedBytes: try #require(answer.messages.first))
        #expect(response.status == .serving)
      }
      let unknown = try await Self.check("google.firestore.v1", on: server)
      #expect(unknown.status == 5)
      let list = try await server.client.call("/grpc.health.v1.Health/List", [])
      let statuses = try Grpc_Health_V1_HealthListResponse(
        serializedBytes: try #require(list.messages.first)
      ).statuses
      #expect(statuses["google.firestore.v1.Firestore"]?.status == .serving)
    }
  }

  @Test func aWatcherHearsOfTheEnd() async throws {
    var settings = HearthServer(databases: .inMemory)
    settings.grace = .seconds(60)
    let running = try await settings.start(port: 0)
    let client = try await ServerClient.connect(to: running.port)
    let stream = try await client.openCall("/grpc.health.v1.Health/Watch")
    try await stream.send(message: [], isLast: true)
    guard case .headers = await stream.next(), case .data(let first, _) = await stream.next() else {
      Issue.record("The call has no answer.")
      return
    }
    #expect(try Response(serializedBytes: Array(first.dropFirst(5))).status == .serving)
    await running.stop()
    let answer = await stream.answer()
    let last = try Response(serializedBytes: try #require(answer.messages.first))
    #expect(last.status == .notServing && answer.status == 0)
  }

  // MARK: Definitions

  private typealias Question = Grpc_Reflection_V1alpha_ServerReflectionRequest
  private typealias Reflection = Grpc_Reflection_V1alpha_ServerReflectionResponse

  @Test(arguments: ["v1", "v1alpha"])
  func aToolFindsTheDefinitions(version: String) async throws {
    let questions: [Question] = [
      .with { $0.listServices = "" },
      .with { $0.fileContainingSymbol = "google.firestore.v1.Firestore.RunQuery" },
      .with { $0.fileContainingSymbol = "google.firestore.admin.v1.Index.IndexField.Order" },
      .with { $0.fileByFilename = "google/protobuf/timestamp.proto" },
      .with { $0.fileContainingSymbol = "google.firestore.v1.Nothing" },
    ]
    let answers = try await TestServer.with { server in
      let path = "/grpc.reflection.\(version).ServerReflection/ServerReflectionInfo"
      let stream = try await server.client.openCall(path)
      for question in questions { try await stream.send(message: try question.serializedBytes()) }
      try await stream.end()
      return try await stream.answer().messages.map { try Reflection(serializedBytes: $0) }
    }
    #expect(answers.map(\.originalRequest) == questions)
    let services = Set(answers[0].listServicesResponse.service.map(\.name))
    #expect(services.isSuperset(of: ["google.firestore.v1.Firestore", "grpc.health.v1.Health"]))
    let files = try answers[1...3].map { answer in
      try Google_Protobuf_FileDescriptorProto(
        serializedBytes: try #require(answer.fileDescriptorResponse.fileDescriptorProto.first)
      ).name
    }
    #expect(
      files == [
        "google/firestore/v1/firestore.proto", "google/firestore/admin/v1/index.proto",
        "google/protobuf/timestamp.proto",
      ])
    #expect(answers[4].errorResponse.errorCode == 5)
  }

  /// A tool asks for the files that a file imports, until it has all.
  @Test func everyImportIsThere() async throws {
    var missing: Set = ["google/firestore/v1/firestore.proto"]
    var known: Set<String> = []
    try await TestServer.with { server in
      while let name = missing.popFirst() {
        known.insert(name)
        let question = Question.with { $0.fileByFilename = name }
        let answer = try await server.client.call(
          "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo",
          try question.serializedBytes())
        let response = try Reflection(serializedBytes: try #require(answer.messages.first))
        let bytes = try #require(
          response.fileDescriptorResponse.fileDescriptorProto.first, "\(name)")
        let file = try Google_Protobuf_FileDescriptorProto(serializedBytes: bytes)
        missing.formUnion(Set(file.dependency).subtracting(known))
      }
    }
    #expect(known.count > 8)
  }
}
