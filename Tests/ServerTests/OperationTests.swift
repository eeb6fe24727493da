import Hearth
import HearthDocumentModel
import HearthProtocols
import HearthServer
import HearthServerCalls
import SwiftProtobuf
import Testing

/// Operations that run, without a port.
@Suite(.timeLimit(.minutes(5))) struct OperationTests {
  private static let id = DatabaseID.default
  private static let group = "\(id)/collectionGroups/c"

  private let registry: DatabaseRegistry
  private let calls: AdministrationCalls
  private let operations = Operations()

  init() throws {
    registry = DatabaseRegistry(try DatabasePlaces(.inMemory), limit: 10)
    calls = AdministrationCalls(registry, operations)
  }

  private static func index(_ second: String) -> Admin.Index {
    .with { index in
      index.queryScope = .collection
      index.fields = ["a", second].map { path in
        .with { field in
          field.fieldPath = path
          field.order = .ascending
        }
      }
    }
  }

  /// Returns a database with documents, in which a build of the tool's never ends by itself.
  private func databaseWithSlowBuild() async throws -> Database {
    let database = try await registry.database(Self.id, for: .writing)
    for number in 0..<50 {
      try await database.document("c/\(number)").setData(["a": .integer(1), "b": .null])
    }
    _ = try await database.indexes.begin(
      [
        IndexDefinition(
          "c", [IndexColumn(FieldPath("a"), .ascending), IndexColumn(FieldPath("b"), .ascending)])
      ], pace: BuildPace(documentsPerSecond: 0.1))
    return database
  }

  private func list() async throws -> [Admin.OperationMessage] {
    try await calls.listOperations(.with { $0.name = "\(Self.id)" }, CallContext()).operations
  }

  @Test func aRunningBuildIsCancelled() async throws {
    _ = try await databaseWithSlowBuild()
    let begun = try await calls.createIndex(
      .with { request in
        request.parent = Self.group
        request.index = Self.index("d")
      }, CallContext())
    #expect(!begun.done)
    let metadata = try Admin.IndexOperationMetadata(unpackingAny: begun.metadata)
    #expect(metadata.state == .processing && metadata.hasStartTime && !metadata.hasEndTime)
    // The build that the tool has begun is one as well.
    let all = try await list()
    #expect(all.count == 2 && all.contains { $0.name == begun.name })
    await #expect(throws: DatabaseError.self) {
      _ = try await calls.deleteOperation(.with { $0.name = begun.name }, CallContext())
    }
    let duplicate = await #expect(throws: DatabaseError.self) {
      _ = try await calls.createIndex(
        .with { request in
          request.parent = Self.group
          request.index = Self.index("d")
        }, CallContext())
    }
    #expect(duplicate?.code == .alreadyExists)
    _ = try await calls.cancelOperation(.with { $0.name = begun.name }, CallContext())
    var ended = begun
    while !ended.done {
      ended = try await calls.getOperation(.with { $0.name = begun.name }, CallContext())
    }
    #expect(ended.error.code == 1)
    let last = try Admin.IndexOperationMetadata(unpackingAny: ended.metadata)
    #expect(last.state == .cancelled && last.hasEndTime)
    let indexes = try await calls.listIndexes(.with { $0.parent = Self.group }, CallContext())
    #expect(indexes.indexes.map(\.state) == [.creating])
    operations.stop()
    await registry.closeAll()
  }

  @Test func deletingTheDatabaseEndsItsOperations() async throws {
    _ = try await databaseWithSlowBuild()
    #expect(try await list().count == 1)
    let deleted = try await calls.deleteDatabase(
      .with { $0.name = "\(Self.id)" }, CallContext())
    #expect(deleted.done)
    #expect(try await list().map(\.name) == [deleted.name])
    #expect(registry.openCount == 0)
    await registry.closeAll()
  }
}
