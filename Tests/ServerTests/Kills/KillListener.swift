import Foundation
import HearthProtocols
import ServerTestClient
import SwiftProtobuf

/// A client that listens, and goes on from its token whenever its connection has ended.
struct KillListener: Sendable {
  private typealias Query = Google_Firestore_V1_StructuredQuery
  private typealias Source = Google_Firestore_V1_Target.OneOf_TargetType

  /// The messages after which the client connects again while the server runs.
  private let patience: Int
  private let sources: [Int32: Source]
  private var model = ListenModel()
  private var client: ServerClient?
  private var stream: ClientStream?
  private var messages: ClientMessages?
  private var nextTarget: Int32 = 100
  private(set) var reconnectCount = 0
  private var newFaults: [String] = []

  init(patience: Int) {
    self.patience = patience
    sources = [
      2: KillListener.query { _ in },
      4: KillListener.query { query in
        query.where.fieldFilter = .with { filter in
          filter.field.fieldPath = "n"
          filter.op = .greaterThan
          filter.value.integerValue = 50
        }
      },
      6: KillListener.query { query in
        query.orderBy = [.with { ($0.field.fieldPath, $0.direction) = ("n", .descending) }]
        query.limit = Google_Protobuf_Int32Value(10)
      },
      8: .documents(.with { $0.documents = (0..<9).map { "\(KillCalls.collection)/\($0)-1" } }),
    ]
    for id in sources.keys { model.add(id) }
  }

  var faults: [String] { model.faults + newFaults }

  private static func query(_ change: (inout Query) -> Void) -> Source {
    .query(
      .with { target in
        target.parent = "\(KillCalls.database)/documents"
        target.structuredQuery.from = [.with { $0.collectionID = "c" }]
        change(&target.structuredQuery)
      })
  }

  /// Connects to a server, and compares what the client has then with what is stored.
  mutating func begin(at port: Int) async throws {
    client = try await ServerClient.connect(to: port)
    try await listen()
    try await settle()
    for (id, source) in sources {
      let known = model.targets[id]?.documents.values.sorted { $0.name < $1.name } ?? []
      let stored = try await result(of: source)
      if known != stored { newFaults.append("Target \(id) has \(known), not \(stored)") }
    }
  }

  /// Applies the messages of the server until the connection ends.
  mutating func follow() async {
    var patience = patience
    while let message = await messages?.next() {
      do {
        _ = model.apply(try ListenModel.Response(serializedBytes: message))
        patience -= 1
        if patience == 0 { try await reconnect() }
      } catch {
        // The server has been killed meanwhile.
        return
      }
    }
  }

  /// Goes on from the token at the same server, which needs no whole result for that.
  private mutating func reconnect() async throws {
    try await stream?.reset()
    try await listen()
    try await settle()
    reconnectCount += 1
    if model.resetCount > 0 { newFaults.append("RESET where the history reaches back") }
  }

  private mutating func listen() async throws {
    guard let client else { return }
    let stream = try await KillCalls.openListener(on: client)
    (self.stream, messages) = (stream, ClientMessages(of: stream))
    model.reconnect()
    for (id, source) in sources {
      try await send { request in
        request.addTarget.targetID = id
        request.addTarget.targetType = source
        let token = model.token(of: id)
        if !token.isEmpty { request.addTarget.resumeToken = token }
      }
    }
  }

  /// Reads until the news of all commits so far have come.
  private mutating func settle() async throws {
    // The answer to a target of no documents comes with these news.
    nextTarget += 2
    let id = nextTarget
    model.add(id)
    try await send { request in
      request.addTarget.targetID = id
      request.addTarget.documents = .init()
    }
    while let message = await messages?.next() {
      let isConsistent = model.apply(try ListenModel.Response(serializedBytes: message))
      if isConsistent, model.targets[id]?.isCurrent == true {
        model.remove(id)
        return try await send { $0.removeTarget = id }
      }
    }
    model.remove(id)
    throw Ended()
  }

  /// The connection has ended.
  private struct Ended: Error {}

  private func send(
    _ change: (inout Google_Firestore_V1_ListenRequest) -> Void
  ) async throws {
    var request = Google_Firestore_V1_ListenRequest()
    request.database = KillCalls.database
    change(&request)
    try await stream?.send(message: request.serializedBytes())
  }

  private func result(of source: Source) async throws -> [Google_Firestore_V1_Document] {
    guard let client else { return [] }
    var documents: [Google_Firestore_V1_Document] = []
    switch source {
    case .query(let target):
      var request = Google_Firestore_V1_RunQueryRequest()
      request.parent = target.parent
      request.structuredQuery = target.structuredQuery
      documents = try await KillCalls.responses(
        "RunQuery", request, as: Google_Firestore_V1_RunQueryResponse.self, from: client
      ).filter(\.hasDocument).map(\.document)
    case .documents(let target):
      var request = Google_Firestore_V1_BatchGetDocumentsRequest()
      request.database = KillCalls.database
      request.documents = target.documents
      documents = try await KillCalls.responses(
        "BatchGetDocuments", request, as: Google_Firestore_V1_BatchGetDocumentsResponse.self,
        from: client
      ).filter { !$0.found.name.isEmpty }.map(\.found)
    }
    return documents.sorted { $0.name < $1.name }
  }
}
