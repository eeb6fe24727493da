import HearthDocumentEngine
import HearthDocumentModel
import HearthEngineUpkeep
import HearthOrderedStore
import HearthQueryPlanning
import TestSupport
import Testing

/// The cost of listening, in units of work.
@Suite struct ListenerWorkTests {
  private func queue(_ number: Int) -> (String, MapValue) {
    ("d\(10_000 + number)", ["n": .integer(Int64(number))])
  }

  /// A page of the oldest of a thousand documents, the first of which is deleted each time.
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
    // Twenty-one at the first refill, and the same number each time that the reserve is used up.
    #expect(statistics.runCount == 1 + 10)
    #expect(statistics.entriesRead == 20 + 10 * 21)
    #expect(statistics.documentsRead == 20 + 10 * 21)
    #expect(statistics.postCount == 1 + 210)
  }

  /// A tool that listens to the same query has lists of its own.
  @Test func aSharedValueIsMadeOnceForEachOwner() {
    final class Owner {}
    let (first, second) = (Owner(), Owner())
    let shared = SharedValue()
    #expect(shared.value(of: first, make: { 1 }) == 1)
    #expect(shared.value(of: second, make: { 2 }) == 2)
    #expect(shared.value(of: first, make: { 3 }) == 1)
  }

  /// A query without a limit never reads documents again.
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

  /// A write that no listener can see costs the same with ten listeners as with ten thousand. The
  /// thread that writes adds only a place in the log, and the feed looks into a tree once for each
  /// key of the document.
  @Test func listenersThatDontMatchCostNothing() throws {
    var all: [Int: Cost] = [:]
    for count in [10, 1_000, 10_000] { all[count] = try cost(of: 20, listeners: count) }
    let least = try #require(all[10])
    #expect(least.candidates == 0)
    #expect(least.store.writes == 20)
    for (count, cost) in all { #expect(cost == least, "with \(count) listeners") }
  }

  /// A thousand listeners of the same query cost the same as one, except for the delivery.
  @Test func equalQueriesShareTheirWork() throws {
    let one = try costOfEqualListeners(1)
    #expect(one.figures.runCount == 1)
    #expect(one.figures.viewCount == 1)
    #expect(one.figures.updateCount == 20)
    let thousand = try costOfEqualListeners(1_000)
    #expect(thousand.figures.postCount == 1_000 * one.figures.postCount)
    var figures = thousand.figures
    figures.listenerCount = one.figures.listenerCount
    figures.postCount = one.figures.postCount
    #expect(figures == one.figures)
    #expect(thousand.store == one.store)
  }

  /// - Returns: the cost of starting a given number of listeners of one query, and of twenty writes
  ///   that they see.
  private func costOfEqualListeners(
    _ count: Int
  ) throws -> (figures: FeedStatistics, store: StoreCounts) {
    let counter = StoreCounter()
    let fixture = try ListenerFixture(ObservedStore(MemoryStore(), observer: counter))
    try fixture.set((0..<50).map(queue))
    counter.reset()
    let mailboxes = (0..<count).map { _ in fixture.listen(to: .byNumber(limit: 20)) }
    for number in 0...20 {
      fixture.feed.step()
      let snapshots = try mailboxes.map { try #require(snapshot($0.take())) }
      #expect(snapshots.allSatisfy { $0.shared === snapshots[0].shared })
      if number < 20 { try fixture.set([("e\(number)", ["n": .integer(Int64(-number))])]) }
    }
    return (fixture.feed.statistics, counter.counts)
  }

  private func snapshot(_ event: ListenerEvent?) -> ListenerSnapshot? {
    if case .snapshot(let snapshot)? = event { snapshot } else { nil }
  }

  /// Listeners that share a result each receive the difference from their own last one.
  @Test func listenersOfASharedResultReceiveTheirOwnDifferences() throws {
    let fixture = try ListenerFixture()
    try fixture.set("a", ["n": 1])
    let quick = fixture.listen(to: .byNumber())
    let slow = fixture.listen(to: .byNumber())
    #expect(fixture.next(quick) == "+a 0: a")
    #expect(describe(slow.take()) == "+a 0: a")
    try fixture.set("b", ["n": 2])
    #expect(fixture.next(quick) == "+b 1: a b")
    try fixture.set([("a", ["n": 3]), ("c", ["n": 0])])
    #expect(fixture.next(quick) == "+c 0, ~a 1>2: c b a")
    let late = fixture.listen(to: .byNumber())
    #expect(fixture.next(late) == "+c 0, +b 1, +a 2: c b a")
    #expect(describe(slow.take()) == "+c 0, +b 2, ~a 1>2: c b a")
    #expect(fixture.feed.statistics.viewCount == 1)
    // A document that was added and deleted meanwhile is no change.
    try fixture.delete("b")
    #expect(fixture.next(quick) == "-b 1: c a")
    try fixture.set("b", ["n": 2])
    #expect(fixture.next(quick) == "+b 1: c b a")
    #expect(describe(slow.take()) == "~b 1>1: c b a")
    fixture.feed.remove(quick)
    fixture.feed.remove(late)
    try fixture.delete("b")
    #expect(fixture.next(slow) == "-b 1: c a")
    fixture.feed.remove(slow)
    fixture.feed.step()
    #expect(fixture.feed.statistics.viewCount == 0)
    #expect(fixture.feed.statistics.rangeCount == 0)
  }

  /// Listeners that a commit overtook while others received their events share one snapshot, too.
  @Test func listenersWithTheSameStateShareASnapshot() throws {
    let fixture = try ListenerFixture()
    let mailboxes = (0..<10).map { _ in fixture.listen(to: .byNumber()) }
    try fixture.set("a", ["n": 1])
    fixture.feed.step()
    for mailbox in mailboxes { _ = mailbox.take() }
    try fixture.set("b", ["n": 2])
    fixture.feed.step()
    #expect(describe(mailboxes[0].take()) == "+b 1: a b")
    try fixture.set("c", ["n": 3])
    fixture.feed.step()
    #expect(describe(mailboxes[0].take()) == "+c 2: a b c")
    let others = try mailboxes.dropFirst().map { try #require(snapshot($0.take())) }
    #expect(others.allSatisfy { $0.shared === others[0].shared })
    #expect(describe(.snapshot(others[0])) == "+b 1, +c 2: a b c")
  }

  /// A listener that waits for the next change holds no list of snapshots meanwhile.
  @Test(arguments: [1, 3]) func nothingIsKeptOnceAllAreTold(listenerCount: Int) throws {
    let fixture = try ListenerFixture()
    let mailboxes = (0..<listenerCount).map { _ in fixture.listen(to: .byNumber()) }
    for round in 0..<3 {
      try fixture.set("d\(round)", ["n": 1])
      fixture.feed.step()
      for mailbox in mailboxes.dropLast() {
        #expect(try sharedValue(of: mailbox).value != nil)
      }
      #expect(try sharedValue(of: mailboxes[listenerCount - 1]).value == nil)
    }
  }

  /// The list that is kept for another listener was different meanwhile, and is the same again.
  @Test func aNewListenerReceivesTheTimeOfItsOwnList() throws {
    let fixture = try ListenerFixture()
    try fixture.set("d0", ["n": 1])
    let (early, untold) = (fixture.listen(to: .byNumber()), fixture.listen(to: .byNumber()))
    fixture.feed.step()
    let first = try #require(snapshot(early.take()))
    try fixture.set("d1", ["n": 2])
    let late = fixture.listen(to: .byNumber())
    fixture.feed.step()
    try fixture.delete("d1")
    fixture.feed.step()
    let told = try #require(snapshot(late.take()))
    #expect(told.documents.map(\.path) == first.documents.map(\.path))
    #expect(told.commitNumber == first.commitNumber + 2)
    #expect(told.readTime > first.readTime)
    #expect(snapshot(untold.take())?.commitNumber == told.commitNumber)
    #expect(early.take() == nil)
  }

  /// Nothing is kept for a listener that has gone, either.
  @Test func nothingIsKeptForRemovedListeners() throws {
    let fixture = try ListenerFixture()
    let (one, other) = (fixture.listen(to: .byNumber()), fixture.listen(to: .byNumber()))
    fixture.feed.step()
    let shared = try sharedValue(of: one)
    #expect(shared.value != nil)
    fixture.feed.remove(other)
    #expect(shared.value == nil)
  }

  private struct WeakValue {
    weak var value: SharedValue?
  }

  private func sharedValue(of mailbox: ListenerMailbox) throws -> WeakValue {
    WeakValue(value: try #require(snapshot(mailbox.take())).shared)
  }

  /// Two queries with the same filter can differ: another order, projection or value makes another
  /// query.
  @Test func otherQueriesHaveTheirOwnResults() throws {
    let fixture = try ListenerFixture()
    let n = FieldPath(unchecked: ["n"])
    try fixture.set([("a", ["n": 1]), ("b", ["n": 2])])
    var projected = StructuredQuery.byNumber()
    projected.projection = [n]
    let mailboxes = [
      .byNumber(), .byNumber(.descending), .byNumber(limit: 1), .byNumber(offset: 1), projected,
      StructuredQuery(collectionID: "c", filter: .field(n, .equal, 1)),
      StructuredQuery(collectionID: "c", filter: .field(n, .equal, 2)),
      StructuredQuery(collectionID: "c", filter: .field(n, .equal, 1.0)),
      StructuredQuery(collectionID: "d", filter: .field(n, .equal, 1)),
    ].map { fixture.listen(to: $0) }
    let reversed = fixture.listen(to: .byNumber(), isReversed: true)
    fixture.feed.step()
    #expect(fixture.feed.statistics.viewCount == 10)
    #expect(
      mailboxes.map { describe($0.take()) } == [
        "+a 0, +b 1: a b", "+b 0, +a 1: b a", "+a 0: a", "+b 0: b", "+a 0, +b 1: a b", "+a 0: a",
        "+b 0: b", "+a 0: a", ":",
      ])
    #expect(describe(reversed.take()) == "+b 0, +a 1: b a")
  }

  private struct Cost: Equatable {
    var store = StoreCounts()
    var keys = 0
    var candidates = 0
    var runs = 0
  }

  /// - Parameter listeners: the number of listeners, each on the page of another user.
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
