import HearthDocumentEngine
import HearthDocumentModel
import HearthEngineUpkeep
import HearthOrderedStore
import HearthQueryPlanning
import HearthReports
import TestSupport
import Testing

@Suite struct EngineObserverTests {
  private final class Recorder: BuildObserver {
    private let recorded = Lock<[EngineEvent]>([])
    private let builds = Lock<[BuildEvent]>([])

    func observe(_ event: EngineEvent) { recorded.withLock { $0.append(event) } }
    func observe(_ event: BuildEvent) { builds.withLock { $0.append(event) } }

    var groups: [CommitTiming] {
      recorded.withLock { $0 }.compactMap {
        if case .groupCommitted(let group) = $0 { group } else { nil }
      }
    }

    var buildProgress: [(collectionGroup: String, documentCount: Int, BuildProgress)] {
      builds.withLock { $0 }.compactMap {
        if case .indexBuildProgressed(let group, let count, let progress) = $0 {
          (group, count, progress)
        } else {
          nil
        }
      }
    }

    var endedBuilds: [BuildStatus] {
      builds.withLock { $0 }.compactMap {
        if case .indexBuildEnded(_, let status) = $0 { status } else { nil }
      }
    }

    var isLastBuildEventAnEnd: Bool {
      if case .indexBuildEnded? = builds.withLock({ $0.last }) { true } else { false }
    }

    var listenerCounts: [Int] {
      recorded.withLock { $0 }.compactMap {
        if case .listenersChanged(let count) = $0 { count } else { nil }
      }
    }

    var served: [(commitCount: Int, resultCount: Int)] {
      recorded.withLock { $0 }.compactMap {
        if case .listenersServed(let commits, let results) = $0 { (commits, results) } else { nil }
      }
    }

    var moments: [Int] {
      recorded.withLock { $0 }.compactMap {
        if case .historyChanged(let count, _) = $0 { count } else { nil }
      }
    }
  }

  private let recorder = Recorder()

  @Test func aGroupTellsWhatItHeldAndHowLongItTook() throws {
    let engine = try Engine(MemoryStore(), history: HistoryLimits(), observer: recorder)
    _ = try engine.commit([
      .set(ResourcePath("c/a"), ["n": 1]), .set(ResourcePath("c/b"), ["n": 2]),
      .set(ResourcePath("c/a"), ["n": 3]),
    ])
    let group = try #require(recorder.groups.first)
    #expect(recorder.groups.count == 1)
    #expect(group.requestCount == 1 && group.writeCount == 2)
    #expect(group.byteCount > 100 && group.error == nil)
    #expect(group.wait > .zero && group.staging > .zero && group.storing > .zero)
    #expect(recorder.moments == [1])
  }

  @Test func aRefusedRequestIsAGroupThatStoresNothing() throws {
    let engine = try Engine(MemoryStore(), observer: recorder)
    #expect(throws: DatabaseError.self) {
      try engine.commit([.update(ResourcePath("c/a"), [(FieldPath("n"), .integer(1))])])
    }
    let group = try #require(recorder.groups.first)
    #expect(group.byteCount == 0 && group.storing == .zero && group.error == nil)
  }

  @Test func aFailedWriteOfTheStoreIsTheGroupsError() throws {
    let fault = StoreFault(failingOperation: 2, counting: [.write])
    let engine = try Engine(ObservedStore(MemoryStore(), observer: fault), observer: recorder)
    #expect(throws: DatabaseError.self) {
      try engine.commit([.set(ResourcePath("c/a"), ["n": 1])])
    }
    #expect(recorder.groups.map { $0.error != nil } == [true])
  }

  @Test func aBuildTellsOfEachChunk() throws {
    let engine = try Engine(MemoryStore(), settings: .building(500), observer: recorder)
    for number in 0..<1_200 {
      _ = try engine.commit([
        .set(ResourcePath("c/\(number)"), ["a": 1, "b": .integer(Int64(number))])
      ])
    }
    try engine.createIndex(
      IndexDefinition(
        "c",
        [
          IndexColumn(try FieldPath("a"), .ascending), IndexColumn(try FieldPath("b"), .ascending),
        ]))
    let chunks = recorder.buildProgress
    #expect(chunks.map(\.documentCount) == [500, 500, 200])
    #expect(chunks.allSatisfy { $0.collectionGroup == "c" })
    #expect(chunks.map(\.2.documentsDone) == [500, 1_000, 1_200])
    #expect(chunks.allSatisfy { $0.2.documentsTotal == 1_200 })
    #expect(recorder.endedBuilds.map(\.documentsDone) == [1_200])
    #expect(recorder.isLastBuildEventAnEnd)
  }

  @Test func aFeedTellsOfItsListenersAndWhatTheyGet() throws {
    let engine = try Engine(MemoryStore(), observer: recorder)
    let feed = ChangeFeed(engine) { _ in }
    let mailbox = feed.listen(to: StructuredQuery(collectionID: "c")) { _ in }
    feed.step()
    _ = try engine.commit([.set(ResourcePath("c/a"), ["n": 1])])
    _ = try engine.commit([.set(ResourcePath("d/a"), ["n": 1])])
    feed.step()
    feed.remove(mailbox)
    feed.step()
    #expect(recorder.listenerCounts == [1, 0])
    #expect(recorder.served.map(\.commitCount) == [2])
    #expect(recorder.served.map(\.resultCount) == [1])
  }
}
