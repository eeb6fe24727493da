import Foundation
import HearthProtocols
import ServerTestClient
import SwiftProtobuf

/// The tasks of some users, 200 each, and the requests about them.
enum SampleTasks {
  static let batchCount = 500
  private static let tasksPerUser = 200
  private static let database = "projects/demo-load/databases/(default)"

  /// The header of a user whose token is as long as those of clients are.
  static var token: String {
    let claims =
      "{\"sub\":\"user1\",\"user_id\":\"user1\",\"aud\":\"demo-load\",\"iat\":1700000000,"
      + "\"exp\":4000000000,\"auth_time\":1700000000,\"email\":\"user1@example.com\","
      + "\"email_verified\":true,\"name\":\"User One\",\"firebase\":{\"identities\":"
      + "{\"email\":[\"user1@example.com\"]},\"sign_in_provider\":\"password\"}}"
    return "Bearer \(Data("{}".utf8).base64EncodedString())."
      + "\(Data(claims.utf8).base64EncodedString())."
  }

  /// The index that the pages need.
  static let indexFile = """
    {"indexes": [{"collectionGroup": "tasks", "queryScope": "COLLECTION", "fields": [
      {"fieldPath": "user", "order": "ASCENDING"}, {"fieldPath": "time", "order": "DESCENDING"}]}]}
    """

  /// Writes the tasks, in commits of 500.
  static func write(_ count: Int, to server: ServerProcess) async throws {
    let client = try await ServerClient.connect(to: server.port)
    for start in stride(from: 0, to: count, by: batchCount) {
      try await server.checked(
        client.call(
          "/google.firestore.v1.Firestore/Commit", commit(of: start..<start + batchCount),
          headers: [("authorization", "Bearer owner")]))
    }
    try await client.close()
  }

  /// - Parameter revision: a number that the titles contain.
  static func commit(of numbers: Range<Int>, revision: Int = 0) throws -> [UInt8] {
    try Google_Firestore_V1_CommitRequest.with { request in
      request.database = database
      request.writes = numbers.map { number in .with { $0.update = task(number, revision) } }
    }.serializedBytes()
  }

  static func get(_ number: Int) throws -> [UInt8] {
    try Google_Firestore_V1_GetDocumentRequest.with { $0.name = name(number) }.serializedBytes()
  }

  /// The newest 20 tasks of a user.
  static func page(of user: Int) throws -> [UInt8] {
    try Google_Firestore_V1_RunQueryRequest.with { request in
      request.parent = "\(database)/documents"
      request.structuredQuery = tasks(of: user)
      request.structuredQuery.orderBy = [
        .with {
          $0.field.fieldPath = "time"
          $0.direction = .descending
        }
      ]
      request.structuredQuery.limit = .with { $0.value = 20 }
    }.serializedBytes()
  }

  /// The number of a user's tasks.
  static func count(of user: Int) throws -> [UInt8] {
    try Google_Firestore_V1_RunAggregationQueryRequest.with { request in
      request.parent = "\(database)/documents"
      request.structuredAggregationQuery.structuredQuery = tasks(of: user)
      request.structuredAggregationQuery.aggregations = [
        .with {
          $0.alias = "n"
          $0.count = .init()
        }
      ]
    }.serializedBytes()
  }

  /// A listener on the newest 20 tasks of a user.
  static func target(_ id: Int, on user: Int) throws -> [UInt8] {
    try Google_Firestore_V1_ListenRequest.with { request in
      request.database = database
      request.addTarget.targetID = Int32(id)
      request.addTarget.query.parent = "\(database)/documents"
      request.addTarget.query.structuredQuery = tasks(of: user)
      request.addTarget.query.structuredQuery.orderBy = [
        .with {
          $0.field.fieldPath = "time"
          $0.direction = .descending
        }
      ]
      request.addTarget.query.structuredQuery.limit = .with { $0.value = 20 }
    }.serializedBytes()
  }

  static func user(ofTask number: Int) -> Int { number / tasksPerUser }

  private static func tasks(of user: Int) -> Google_Firestore_V1_StructuredQuery {
    .with { query in
      query.from = [.with { $0.collectionID = "tasks" }]
      query.where.fieldFilter.field.fieldPath = "user"
      query.where.fieldFilter.op = .equal
      query.where.fieldFilter.value.stringValue = "user\(user)"
    }
  }

  /// Number of the newest task of a user.
  static func newestTask(of user: Int) -> Int { (user + 1) * tasksPerUser - 1 }

  private static func name(_ number: Int) -> String { "\(database)/documents/tasks/t\(number)" }

  private static func task(_ number: Int, _ revision: Int) -> Google_Firestore_V1_Document {
    .with { document in
      document.name = name(number)
      document.fields = [
        entry("user") { $0.stringValue = "user\(user(ofTask: number))" },
        entry("time") { $0.integerValue = Int64(number) },
        entry("title") { $0.stringValue = title(number, revision) },
        entry("done") { $0.booleanValue = number.isMultiple(of: 3) },
        entry("priority") { $0.integerValue = Int64(number % 5) },
        entry("estimate") { $0.doubleValue = Double(number % 100) / 4 },
      ]
    }
  }

  static func title(_ number: Int, _ revision: Int) -> String {
    "Buy milk and bread for the weekend, \(number), \(revision)"
  }

  private static func entry(
    _ name: String, _ fill: (inout Google_Firestore_V1_Value) -> Void
  ) -> Google_Firestore_V1_FieldEntry {
    .with { entry in
      entry.key = name
      fill(&entry.value)
    }
  }
}
