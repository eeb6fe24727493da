import Foundation
import HearthProtocols
import HearthServer
import ServerTestClient
import SwiftProtobuf
import TestSupport
import Testing

/// Random writes and targets on one stream against a model of a client. Whenever the server says
/// that all is consistent, the model has the result of each query at that time.
@Suite(.timeLimit(.minutes(10))) struct ListenModelTests {
  @Test(arguments: 1...4 as ClosedRange<UInt64>)
  func theClientHasTheResultAtEachMoment(seed: UInt64) async throws {
    var run = ListenRun(in: try TemporaryFolder(), seed: seed)
    try await Turns.run { try await run.run(stepCount: 60) }
    #expect(run.faults == [])
    #expect(run.comparisonCount > 60)
  }
}

/// One random run.
struct ListenRun {
  private typealias Query = Google_Firestore_V1_StructuredQuery

  private static let database = "projects/demo-wire/databases/(default)"
  private static let service = "/google.firestore.v1.Firestore/"

  private let folder: TemporaryFolder
  private var random: SplitMix64
  private var server: RunningServer?
  private var client: ServerClient?
  private var stream: ClientStream?
  private var messages: ClientMessages?
  private var model = ListenModel()
  private var sources: [Int32: Google_Firestore_V1_Target.OneOf_TargetType] = [:]
  private var nextTarget: Int32 = 2
  private(set) var faults: [String] = []
  private(set) var comparisonCount = 0

  init(in folder: TemporaryFolder, seed: UInt64) {
    self.folder = folder
    random = SplitMix64(seed: seed)
  }

  mutating func run(stepCount: Int) async throws {
    try await startServer()
    try await connect()
    for _ in 0..<stepCount {
      switch Int.random(in: 0..<20, using: &random) {
      case 0..<3: try await addTarget()
      case 3: try await removeTarget()
      case 4: try await reconnect(restarting: false, isWritten: true)
      case 5: try await reconnect(restarting: true, isWritten: Bool.random(using: &random))
      default:
        for _ in 0...Int.random(in: 0...2, using: &random) { try await write() }
        try await settle()
      }
    }
    try await stream?.reset()
    try await client?.close()
    await server?.stop()
    faults += model.faults
  }

  // MARK: The server

  private mutating func startServer() async throws {
    var server = HearthServer(databases: .folder(folder.path(of: "data")))
    server.grace = .zero
    let running = try await server.start(port: 0)
    self.server = running
    client = try await ServerClient.connect(to: running.port)
  }

  private mutating func connect() async throws {
    let stream = try await client?.openCall("\(ListenRun.service)Listen")
    self.stream = stream
    messages = stream.map { ClientMessages(of: $0) }
  }

  private mutating func reconnect(restarting: Bool, isWritten: Bool) async throws {
    try await stream?.reset()
    if isWritten { try await write() }
    if restarting {
      try await client?.close()
      await server?.stop()
      try await startServer()
    }
    try await connect()
    model.reconnect()
    for (id, source) in sources.sorted(by: { $0.key < $1.key }) {
      try await add(id, source, from: model.token(of: id))
    }
    try await settle()
    // Only what was written before a restart may be sent as a whole.
    if model.resetCount > 0, !(restarting && isWritten) {
      faults.append("RESET where the history reaches back")
    }
  }

  // MARK: Targets

  private mutating func addTarget() async throws {
    let id = nextTarget
    nextTarget += 2
    let source = source()
    sources[id] = source
    model.add(id)
    try await add(id, source)
    try await settle()
  }

  private mutating func removeTarget() async throws {
    guard let id = sources.keys.sorted().randomElement(using: &random) else { return }
    sources[id] = nil
    model.remove(id)
    try await send { $0.removeTarget = id }
  }

  private func add(
    _ id: Int32, _ source: Google_Firestore_V1_Target.OneOf_TargetType, from token: Data = Data()
  ) async throws {
    try await send { request in
      request.addTarget.targetID = id
      request.addTarget.targetType = source
      if !token.isEmpty { request.addTarget.resumeToken = token }
    }
  }

  private mutating func source() -> Google_Firestore_V1_Target.OneOf_TargetType {
    let kind = Int.random(in: 0..<5, using: &random)
    if kind == 0 {
      return .documents(
        .with { $0.documents = [name(of: document()), name(of: document()), name(of: document())] })
    }
    return .query(
      .with { target in
        target.parent = "\(ListenRun.database)/documents"
        target.structuredQuery.from = [.with { $0.collectionID = "c" }]
        switch kind {
        case 1:
          target.structuredQuery.where.fieldFilter = .with { filter in
            filter.field.fieldPath = "n"
            filter.op = .greaterThan
            filter.value.integerValue = 2
          }
        case 2, 3:
          let order = Query.Order.with { order in
            order.field.fieldPath = "n"
            order.direction = kind == 2 ? .ascending : .descending
          }
          target.structuredQuery.orderBy = [order]
          target.structuredQuery.limit = Google_Protobuf_Int32Value(2)
          if kind == 3 { target.structuredQuery.offset = 1 }
        default: break
        }
      })
  }

  // MARK: Writes

  private mutating func document() -> String {
    (Int.random(in: 0..<5, using: &random) == 0 ? "d/" : "c/")
      + "\(Int.random(in: 0..<8, using: &random))"
  }

  private func name(of path: String) -> String { "\(ListenRun.database)/documents/\(path)" }

  private mutating func write() async throws {
    var request = Google_Firestore_V1_CommitRequest()
    request.database = ListenRun.database
    for _ in 0...Int.random(in: 0...2, using: &random) {
      let name = name(of: document())
      let number = Int64.random(in: 0..<6, using: &random)
      let isDeletion = Int.random(in: 0..<4, using: &random) == 0
      request.writes.append(
        .with { write in
          guard !isDeletion else { return write.delete = name }
          write.update.name = name
          write.update.fields = [
            .with {
              $0.key = "n"; $0.value.integerValue = number
            }
          ]
        })
    }
    let answer = try await client?.call(
      "\(ListenRun.service)Commit", request.serializedBytes())
    if answer?.status != 0 { faults.append("A commit failed: \(answer?.message ?? "")") }
  }

  // MARK: The stream

  private func send(
    _ change: (inout Google_Firestore_V1_ListenRequest) -> Void
  ) async throws {
    var request = Google_Firestore_V1_ListenRequest()
    request.database = ListenRun.database
    change(&request)
    try await stream?.send(message: request.serializedBytes())
  }

  /// Reads until the news of all commits so far have come, and compares at each moment.
  private mutating func settle() async throws {
    // The answer to a target of no documents comes with these news.
    let id = nextTarget
    nextTarget += 2
    model.add(id)
    try await send { request in
      request.addTarget.targetID = id
      request.addTarget.documents = .init()
    }
    while let message = await messages?.next() {
      guard model.apply(try ListenModel.Response(serializedBytes: message)) else { continue }
      try await compare()
      if model.targets[id]?.isCurrent == true { break }
    }
    if model.targets[id]?.isCurrent != true {
      faults.append("The stream has ended: \(messages?.message ?? "")")
    }
    model.remove(id)
    try await send { $0.removeTarget = id }
  }

  private mutating func compare() async throws {
    for (id, source) in sources where model.targets[id]?.isCurrent == true {
      let known = model.targets[id]?.documents.values.sorted { $0.name < $1.name } ?? []
      let stored = try await result(of: source).sorted { $0.name < $1.name }
      comparisonCount += 1
      if known != stored { faults.append("\(id) has \(known), not \(stored)") }
    }
  }

  /// Returns the result of a target at the time of the last moment.
  private func result(
    of source: Google_Firestore_V1_Target.OneOf_TargetType
  ) async throws -> [Google_Firestore_V1_Document] {
    switch source {
    case .query(let target):
      var request = Google_Firestore_V1_RunQueryRequest()
      request.parent = target.parent
      request.structuredQuery = target.structuredQuery
      request.readTime = model.readTime
      return try await responses("RunQuery", request, Google_Firestore_V1_RunQueryResponse.self)
        .filter(\.hasDocument).map(\.document)
    case .documents(let target):
      var request = Google_Firestore_V1_BatchGetDocumentsRequest()
      request.database = ListenRun.database
      request.documents = target.documents
      request.readTime = model.readTime
      return try await responses(
        "BatchGetDocuments", request, Google_Firestore_V1_BatchGetDocumentsResponse.self
      ).compactMap { response in
        guard case .found(let document)? = response.result else { return nil }
        return document
      }
    }
  }

  private func responses<Response: Message>(
    _ method: String, _ request: some Message, _ type: Response.Type
  ) async throws -> [Response] {
    let answer = try await client?.call(
      "\(ListenRun.service)\(method)", request.serializedBytes())
    return try answer?.messages.map { try Response(serializedBytes: $0) } ?? []
  }
}
