import HearthFirestoreJSON
import HearthServer
import ServerTestClient

/// A replay of one recorded exchange.
struct ExampleReplay {
  private let server: TestServer
  private let example: WireExample
  private var masks = MaskedValues()
  private var streams = ReplayedStreams()
  private var channels = ReplayedChannels()

  init(_ example: WireExample, on server: TestServer) {
    (self.example, self.server) = (example, server)
  }

  private static let database = "projects/demo-wire/databases/(default)"
  private static let metadata = [
    ("google-cloud-resource-prefix", database), ("authorization", "Bearer owner"),
  ]

  /// Makes all calls.
  ///
  /// - Returns: the differences between the answers and the recorded ones.
  mutating func differences() async throws -> [String] {
    try await setUp()
    var differences: [String] = []
    for (index, step) in example.steps.enumerated() {
      guard step["channel"] == nil else {
        differences += try await channelDifferences(step, index)
        continue
      }
      guard !step.isOfStream else {
        differences += try await streamDifferences(step, index)
        continue
      }
      guard let answer = try await answer(to: step) else {
        return differences + ["\(index) is no call"]
      }
      let expected = ProductionAnswers.answer(to: index, of: example.name, recorded: step)
      differences += masks.differences(answer, from: expected, at: "\(index)")
    }
    return differences + (try await streams.rest().map { "\($0.line) is more than was recorded" })
  }

  /// Does a step that concerns a stream.
  private mutating func streamDifferences(
    _ step: JSONValue, _ index: Int
  ) async throws -> [String] {
    let message = step["message"].map { masks.applied(to: $0) }
    let sequence = ProductionAnswers.sequences["\(example.name) \(index)"]
    let expected = ProductionAnswers.answer(to: index, of: example.name, recorded: step)
    let count = sequence?.count ?? expected["messages"]?.elements.count ?? 0
    guard
      let answer = try await streams.answer(
        to: step, message, on: server, expecting: count,
        upToEnd: sequence == nil && expected["status"] != nil, Self.metadata)
    else { return [] }
    guard let sequence else { return masks.differences(answer, from: expected, at: "\(index)") }
    let messages = answer["messages"]?.elements ?? []
    let actual = messages.map(\.shortForm)
    return actual.sorted() == sequence.sorted() && actual.last == sequence.last
      ? [] : ["\(index) is \(actual), not \(sequence)"]
  }

  /// Does a step on a channel. Controls and the ids of arrays are a matter of time.
  private mutating func channelDifferences(
    _ step: JSONValue, _ index: Int
  ) async throws -> [String] {
    let sequence = ProductionAnswers.sequences["\(example.name) \(index)"]
    let production = ProductionAnswers.answer(to: index, of: example.name, recorded: step)
    let recorded = production["arrays"] == nil ? step : production
    let messages = recorded["arrays"]?.elements.compactMap { $0.elements.last?.message } ?? []
    let actual = try await channels.answer(
      to: masks.applied(to: step), expecting: sequence?.count ?? messages.count,
      port: server.port)
    let place = "\(index)"
    if let sequence {
      let short = (actual["messages"]?.elements ?? []).map(\.shortForm)
      return short.sorted() == sequence.sorted() && short.last == sequence.last
        ? [] : ["\(index) is \(short), not \(sequence)"]
    }
    if step["post"] != nil {
      let first = recorded["answer"]?.elements.first.map { JSONValue.array([$0]) } ?? .null
      let status = recorded["httpStatus"] ?? .null
      return masks.differences(
        actual, from: .object([("httpStatus", status), ("answer", first)]), at: place)
    }
    guard step["handshake"] == nil else {
      return masks.differences(actual, from: recorded["arrays"] ?? .null, at: place)
    }
    return masks.differences(
      actual, from: .object([("messages", .array(messages))]), at: place)
  }

  /// Returns the answer to a step; `nil` for a step of another kind.
  private mutating func answer(to step: JSONValue) async throws -> JSONValue? {
    if let method = step["call"]?.string {
      let request = masks.applied(to: step["request"] ?? .object([]))
      return try await call(method, request, step["metadata"])
    }
    guard step["http"] != nil else { return nil }
    let request = masks.applied(to: .object(step.members.filter { $0.0 != "answer" }))
    let recorded = step["answer"]?["headers"]?.members ?? []
    return try await ExampleReplay.exchange(
      request, showing: recorded.map(\.0), port: server.port)
  }

  private mutating func setUp() async throws {
    guard !example.setup.isEmpty else { return }
    let writes = example.setup.map { path, fields in
      JSONValue.object([
        (
          "update",
          .object([
            ("name", .string("\(Self.database)/documents/\(path)")), ("fields", fields),
          ])
        )
      ])
    }
    let answer = try await call(
      "Commit", .object([("database", .string(Self.database)), ("writes", .array(writes))]), nil)
    masks.setupTime = answer["responses"]?.elements.first?["commitTime"]?.string
  }

  /// Makes a call.
  ///
  /// - Returns: its responses and status, in the form of the recordings.
  private func call(
    _ method: String, _ request: JSONValue, _ metadata: JSONValue?
  ) async throws -> JSONValue {
    let package = "google.firestore.v1"
    var reader = JSONMessageReader()
    let bytes = try reader.bytes(of: request, as: "\(package).\(method)Request")
    let headers = metadata?.members.compactMap { name, value in value.string.map { (name, $0) } }
    let answer = try await server.client.call(
      "/\(package).Firestore/\(method)", bytes, headers: headers ?? Self.metadata)
    let type = Self.answerTypes[method] ?? "\(package).\(method)Response"
    let responses = answer.messages.map { JSONMessageWriter().json(of: $0, as: type) }
    var members: [(String, JSONValue)] = []
    if !responses.isEmpty { members.append(("responses", .array(responses))) }
    members.append(("status", answer.statusForm))
    return .object(members)
  }

  /// The types of answers that aren't called after their method.
  private static let answerTypes = [
    "GetDocument": "google.firestore.v1.Document",
    "CreateDocument": "google.firestore.v1.Document",
    "UpdateDocument": "google.firestore.v1.Document",
    "DeleteDocument": "google.protobuf.Empty",
    "Rollback": "google.protobuf.Empty",
  ]
}

extension ClientAnswer {
  fileprivate var statusForm: JSONValue {
    var members = [("code", JSONValue.integer(Int64(status ?? -1)))]
    if let message { members.append(("message", .string(message.percentDecoded))) }
    return .object(members)
  }
}

extension JSONValue {
  /// Whether a step concerns a stream that other steps concern too.
  fileprivate var isOfStream: Bool {
    ["open", "send", "receive", "halfClose", "cancel"].contains { self[$0] != nil }
  }
}

extension String {
  /// The text that a header carries.
  var percentDecoded: String {
    var bytes: [UInt8] = []
    var rest = utf8[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), let value = UInt8(Substring(rest.prefix(2)), radix: 16) {
        bytes.append(value)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
