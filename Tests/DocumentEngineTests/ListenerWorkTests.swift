import DocumentEngine
import DocumentModel
import OrderedStore
import QueryPlanning
import TestSupport
import Testing

/// What listening costs, in things done.
@Suite struct ListenerWorkTests {
  private func queue(_ number: Int) -> (String, MapValue) {
    ("d\(10_000 + number)", ["n": .integer(Int64(number))])
  }

  /// A page of the oldest of a thousand, of which the first one goes each time.
  @Test func aQueueReadsEachDocumentOnce() throws {
    let fixture = try ListenerFixture()
    try fixture.set((0..<500).map(queue))
    try fixture.set((500..<1_000).map(queue))
    let mailbox = fixture.listen(to: .byNumber(limit: 20))
    fixture.feed.step()
    _ = mailbox.take()
    var statistics = fixture.feed.statistics
    #expect(statistics.runCount == 1)
    #expect(statistics.entriesRead == 20)
    for number in 0..<210 {
      try fixture.delete(queue(number).0)
      fixture.feed.step()
      guard case .snapshot(let snapshot)? = mailbox.take() else {
        Issue.record("no event")
        return
      }
      #expect(snapshot.documents.count == 20)
    }
    statistics = fixture.feed.statistics
    // Twenty-one at the first refill, and as many each time that the reserve is used up.
    #expect(statistics.runCount == 1 + 10)
    #expect(statistics.entriesRead == 20 + 10 * 21)
    #expect(statistics.documentsRead == 20 + 10 * 21)
    #expect(statistics.postCount == 1 + 210)
  }

  /// What matches by itself is never read.
  @Test func withoutALimitNothingIsReadAgain() throws {
    let fixture = try ListenerFixture()
    try fixture.set((0..<100).map(queue))
    let mailbox = fixture.listen(to: .byNumber(.descending))
    fixture.feed.step()
    for number in 0..<50 {
      try fixture.set([queue(number + 200)])
      try fixture.delete(queue(number).0)
      fixture.feed.step()
    }
    _ = mailbox.take()
    #expect(fixture.feed.statistics.runCount == 1)
    #expect(fixture.feed.statistics.entriesRead == 100)
  }

  /// A write that no listener can see costs the same with ten of them as with ten thousand: on the
  /// thread that writes nothing but a place in the log, and in the feed as many looks into a tree
  /// as the document has keys.
  @Test func listenersThatDontMatchCostNothing() throws {
    var all: [Int: Cost] = [:]
    for count in [10, 1_000, 10_000] { all[count] = try cost(of: 20, listeners: count) }
    let least = try #require(all[10])
    #expect(least.candidates == 0)
    #expect(least.store.writes == 20)
    for (count, cost) in all { #expect(cost == least, "with \(count) listeners") }
  }

  private struct Cost: Equatable {
    var store = StoreCounts()
    var keys = 0
    var candidates = 0
    var runs = 0
  }

  /// - Parameter listeners: how many there are, each on the page of another user.
  private func cost(of writeCount: Int, listeners: Int) throws -> Cost {
    let counter = StoreCounter()
    let fixture = try ListenerFixture(ObservedStore(MemoryStore(), observer: counter))
    let (user, time) = (FieldPath(unchecked: ["user"]), FieldPath(unchecked: ["time"]))
    try fixture.engine.createIndex(
      IndexDefinition("c", [IndexColumn(user, .ascending), IndexColumn(time, .descending)]))
    try fixture.set("first", ["user": "nobody", "time": 0])
    for number in 0..<listeners {
      _ = fixture.listen(
        to: StructuredQuery(
          collectionID: "c", filter: .field(user, .equal, .string("user\(number)")),
          orders: [Order(time, .descending)], limit: 20))
    }
    fixture.feed.step()
    let before = fixture.feed.statistics
    #expect(before.listenerCount == listeners)
    counter.reset()
    for number in 0..<writeCount {
      try fixture.set("w\(number)", ["user": "somebody", "time": .integer(Int64(number))])
      fixture.feed.step()
    }
    let after = fixture.feed.statistics
    return Cost(
      store: counter.counts, keys: after.keyCount - before.keyCount,
      candidates: after.candidateCount - before.candidateCount,
      runs: after.runCount - before.runCount)
  }
}
