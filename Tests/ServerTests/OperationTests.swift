import Hearth
import HearthDocumentModel
import HearthProtocols
import HearthServer
import HearthServerCalls
import SwiftProtobuf
import Synchronization
import Testing

/// Operations that run, without a port.
@Suite(.timeLimit(.minutes(5))) struct OperationTests {
  private static let id = DatabaseID.default
  private static let group = "\(id)/collectionGroups/c"

  private let registry: DatabaseRegistry
  private let calls: AdministrationCalls
  private let operations: Operations
  private let stages = StageList()

  init() throws {
    operations = Operations(noteBuild: stages.add)
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

  /// Waits for the end of an operation.
  private func ended(_ name: String) async throws -> Admin.OperationMessage {
    while true {
      let operation = try await calls.getOperation(.with { $0.name = name }, CallContext())
      if operation.done { return operation }
    }
  }

  @Test func theStagesOfBuildsAreTold() async throws {
    let begun = try await calls.createIndex(
      .with { request in
        request.parent = Self.group
        request.index = Self.index("d")
      }, CallContext())
    _ = try await ended(begun.name)
    let database = try await databaseWithSlowBuild()
    try await operations.followBuilds(of: database, Self.id, areTold: true)
    let slow = try #require(try await list().first { !$0.done })
    _ = try await calls.cancelOperation(.with { $0.name = slow.name }, CallContext())
    _ = try await ended(slow.name)
    #expect(stages.ends == ["b": .cancelled, "d": nil])
    #expect(stages.progressCount > 0)
    operations.stop()
    await registry.closeAll()
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
    let ended = try await ended(begun.name)
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

/// The stages of builds that a server's owner was told.
private final class StageList: Sendable {
  private let stages = Mutex<[(last: String, stage: BuildStage)]>([])

  @Sendable func add(_ id: DatabaseID, _ index: IndexDefinition, _ stage: BuildStage) {
    let last = index.columns.dropLast().last?.field.description ?? ""
    stages.withLock { $0.append((last, stage)) }
  }

  /// The codes of the ends, by the last fields of the indexes; `nil` for an index that is ready.
  var ends: [String: DatabaseError.Code?] {
    stages.withLock { stages in
      var ends: [String: DatabaseError.Code?] = [:]
      for case (let last, .ended(let error)) in stages { ends[last] = .some(error?.code) }
      return ends
    }
  }

  var progressCount: Int {
    stages.withLock { stages in
      stages.count { if case .progressed = $0.stage { true } else { false } }
    }
  }
}
