import HearthDocumentEngine
import HearthDocumentModel
import HearthEngineUpkeep
import HearthOrderedStore
import HearthQueryPlanning
import HearthStorageFormat
import Testing

/// Commits as an engine tells them to its followers.
@Suite struct CommitFollowerTests {
  private final class Recorder: CommitFollower {
    let firstNumber: UInt64
    private let told = Lock<[PublishedCommit]>([])
    private let closes = Lock(0)

    init(after state: StateRecord) { firstNumber = state.commitNumber }

    func follow(_ commit: PublishedCommit) { told.withLock { $0.append(commit) } }
    func close() { closes.withLock { $0 += 1 } }

    var commits: [PublishedCommit] { told.withLock { $0 } }
    var closeCount: Int { closes.withLock { $0 } }
  }

  private func follow(_ engine: Engine) -> Recorder {
    engine.follower { state, _ in Recorder(after: state) }
  }

  @Test func aFollowerIsToldOfEveryCommitThatChangesSomething() throws {
    let fixture = try EngineFixture()
    try fixture.set("c/a", ["n": 1])
    let recorder = follow(fixture.engine)
    try fixture.set("c/b", ["n": 2])
    #expect(throws: DatabaseError.self) {
      try fixture.engine.commit([
        .update(ResourcePath("c/missing"), [(FieldPath("n"), .integer(1))])
      ])
    }
    _ = try fixture.engine.commit([.delete(ResourcePath("c/missing"))])
    try fixture.set("c/a", ["n": 3])
    let first = recorder.firstNumber
    #expect(first == 1)
    #expect(recorder.commits.map(\.state.commitNumber) == [first + 1, first + 2])
    #expect(recorder.commits.allSatisfy { $0.catalog == nil && !$0.batch.isEmpty })
  }

  @Test func aFollowerIsToldOfEachNewCatalogue() throws {
    let engine = try EngineFixture().engine
    let recorder = follow(engine)
    let columns = try ["a", "b"].map { IndexColumn(try FieldPath($0), .ascending) }
    try engine.createIndex(IndexDefinition("c", columns))
    let states = recorder.commits.compactMap { $0.catalog?.indexes.composites.first?.state }
    #expect(states == [.creating, .ready])
  }

  @Test func thereIsOneFollowerOfATypeAndItEndsWithTheEngine() throws {
    let engine = try EngineFixture().engine
    let recorder = follow(engine)
    #expect(follow(engine) === recorder)
    try engine.close()
    #expect(recorder.closeCount == 1)
  }
}
