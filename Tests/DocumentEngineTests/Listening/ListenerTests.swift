import HearthDocumentEngine
import HearthDocumentModel
import HearthEngineUpkeep
import HearthOrderedStore
import HearthQueryPlanning
import HearthStorageFormat
import TestSupport
import Testing

/// The rules of §8 on listeners, one by one.
@Suite struct ListenerTests {
  private func numbered(_ numbers: KeyValuePairs<String, Int64>) throws -> ListenerFixture {
    let fixture = try ListenerFixture()
    try fixture.set(numbers.map { ($0.key, ["n": .integer($0.value)]) })
    return fixture
  }

  // MARK: Snapshots

  @Test func theFirstSnapshotAddsEverything() throws {
    let fixture = try numbered(["b": 2, "a": 1, "c": 3])
    let mailbox = fixture.listen(to: .byNumber())
    #expect(describe(mailbox.take()) == nil)
    #expect(fixture.next(mailbox) == "+a 0, +b 1, +c 2: a b c")
    #expect(fixture.next(mailbox) == nil)
  }

  @Test func theFirstSnapshotMayBeEmpty() throws {
    let fixture = try ListenerFixture()
    let mailbox = fixture.listen(to: .byNumber())
    #expect(fixture.next(mailbox) == ":")
    #expect(fixture.next(mailbox) == nil)
    // The collection begins to exist.
    try fixture.set("a", ["n": 1])
    #expect(fixture.next(mailbox) == "+a 0: a")
  }

  @Test func onlyVisibleChangesAreTold() throws {
    let fixture = try numbered(["a": 1, "b": 2])
    let mailbox = fixture.listen(to: .byNumber())
    #expect(fixture.next(mailbox) == "+a 0, +b 1: a b")
    try fixture.set("other", ["m": 1])
    // A write that changes nothing.
    try fixture.set("a", ["n": 1])
    #expect(fixture.next(mailbox) == nil)
    // A field that no index of the query holds.
    try fixture.set("a", ["n": 1, "text": "x"])
    #expect(fixture.next(mailbox) == "~a 0>0: a b")
  }

  @Test func aCommitIsToldWhole() throws {
    let fixture = try numbered(["a": 1, "b": 2, "c": 3])
    let mailbox = fixture.listen(to: .byNumber())
    _ = fixture.next(mailbox)
    _ = try fixture.engine.commit([
      .delete(ResourcePath("c/a")), .set(ResourcePath("c/d"), ["n": 0]),
      .set(ResourcePath("c/b"), ["n": 9]),
    ])
    #expect(fixture.next(mailbox) == "-a 0, +d 0, ~b 1>2: d c b")
  }

  @Test func snapshotsBearTheirMoment() throws {
    let fixture = try numbered(["a": 1])
    let mailbox = fixture.listen(to: .byNumber())
    var times: [Timestamp] = []
    for number in 2...4 {
      let result = try fixture.engine.commit([
        .set(ResourcePath("c/a"), ["n": .integer(Int64(number))])
      ])
      fixture.feed.step()
      guard case .snapshot(let snapshot)? = mailbox.take() else {
        Issue.record("no snapshot")
        return
      }
      #expect(snapshot.readTime == result.commitTime)
      times.append(snapshot.readTime)
    }
    #expect(times == times.sorted())
  }

  // MARK: Changes

  /// Changes are removals, then additions, then modifications, each sorted by the query's order.
  /// Their indexes are those of the list after the changes before.
  @Test func changesAreSortedByKindAndOrder() throws {
    let fixture = try numbered(["a": 10, "b": 20, "c": 30, "d": 40, "e": 50])
    let mailbox = fixture.listen(to: .byNumber())
    _ = fixture.next(mailbox)
    _ = try fixture.engine.commit([
      .set(ResourcePath("c/e"), ["n": 5]), .set(ResourcePath("c/y"), ["n": 35]),
      .delete(ResourcePath("c/d")), .set(ResourcePath("c/x"), ["n": 15]),
      .set(ResourcePath("c/a"), ["n": 45]), .delete(ResourcePath("c/b")),
    ])
    #expect(fixture.next(mailbox) == "-b 1, -d 2, +x 1, +y 3, ~e 4>0, ~a 1>4: e x c y a")
  }

  @Test func documentsThatStopMatchingAreRemoved() throws {
    let fixture = try numbered(["a": 1, "b": 2])
    var query = StructuredQuery.byNumber()
    query.filter = .field(FieldPath(unchecked: ["n"]), .lessThan, 5)
    let mailbox = fixture.listen(to: query)
    _ = fixture.next(mailbox)
    try fixture.set("a", ["n": 7])
    #expect(fixture.next(mailbox) == "-a 0: b")
    try fixture.set("a", ["n": 3])
    #expect(fixture.next(mailbox) == "+a 1: b a")
  }

  @Test func changesThatWaitAreMerged() throws {
    let fixture = try numbered(["removed": 1, "back": 2, "gone": 3, "changed": 4, "same": 5])
    let mailbox = fixture.listen(to: .byNumber())
    _ = fixture.next(mailbox)
    // In separate steps, so that the mailbox merges, and again in one, so that the feed does.
    for stepsBetween in [true, false] {
      let (time, start) = (stepsBetween ? "1" : "2", Int64(stepsBetween ? 0 : 100))
      func commit(_ writes: [Write]) throws {
        _ = try fixture.engine.commit(writes)
        if stepsBetween { fixture.feed.step() }
      }
      func path(_ id: String) -> ResourcePath { ResourcePath(unchecked: ["c", id]) }
      try commit([
        .set(path("new" + time), ["n": .integer(start + 10)]),
        .set(path("brief"), ["n": 11]), .delete(path("back")),
        .set(path("gone"), ["n": 12]), .set(path("changed"), ["n": 13]),
      ])
      try commit([
        .set(path("new" + time), ["n": .integer(start + 20)]), .delete(path("brief")),
        .set(path("back"), ["n": 2]), .delete(path("gone")),
        .set(path("changed"), ["n": .integer(start + 4)]),
      ])
      fixture.feed.step()
      #expect(
        describe(mailbox.take())
          == (stepsBetween
            ? "-gone 2, +new1 4, ~back 1>1, ~changed 2>2: removed back changed same new1"
            : "-gone 2, +new2 5, ~back 1>1, ~changed 2>4: removed back same new1 changed new2"))
      try fixture.set("gone", ["n": 3])
      _ = fixture.next(mailbox)
    }
  }

  @Test func aPassingMatchBetweenTwoSnapshotsIsNotReported() throws {
    let fixture = try numbered(["a": 1])
    let mailbox = fixture.listen(to: .byNumber())
    _ = fixture.next(mailbox)
    try fixture.set("b", ["n": 2])
    fixture.feed.step()
    try fixture.delete("b")
    #expect(fixture.next(mailbox) == nil)
  }

  // MARK: Windows

  @Test func aLimitIsRefilledFromTheIndex() throws {
    let fixture = try numbered(["a": 1, "b": 2, "c": 3, "d": 4])
    let mailbox = fixture.listen(to: .byNumber(limit: 2))
    #expect(fixture.next(mailbox) == "+a 0, +b 1: a b")
    try fixture.delete("a")
    #expect(fixture.next(mailbox) == "-a 0, +c 1: b c")
    // A newcomer pushes the last one out.
    try fixture.set("e", ["n": 0])
    #expect(fixture.next(mailbox) == "-c 1, +e 0: e b")
    // A change outside of the limit is not visible.
    try fixture.set("d", ["n": 5])
    #expect(fixture.next(mailbox) == nil)
    // A member moves past the edge.
    try fixture.set("b", ["n": 9])
    #expect(fixture.next(mailbox) == "-b 1, +c 1: e c")
    try fixture.delete("e", "c", "d")
    #expect(fixture.next(mailbox) == "-e 0, -c 0, +b 0: b")
    try fixture.delete("b")
    #expect(fixture.next(mailbox) == "-b 0:")
  }

  @Test func aMemberThatMovesBeyondTheEdgeMayStay() throws {
    let fixture = try numbered(["a": 1, "b": 2, "c": 30])
    let mailbox = fixture.listen(to: .byNumber(limit: 2))
    _ = fixture.next(mailbox)
    try fixture.set("a", ["n": 20])
    #expect(fixture.next(mailbox) == "~a 0>1: b a")
    try fixture.set([("b", ["n": 50]), ("c", ["n": 40])])
    #expect(fixture.next(mailbox) == "-b 0, +c 1: a c")
  }

  /// A document that comes in after the last known one may have others before it.
  @Test func aNewcomerBeyondTheEdgeDoesNotJumpTheQueue() throws {
    let fixture = try numbered(["a": 1, "b": 2, "c": 3, "d": 4])
    let mailbox = fixture.listen(to: .byNumber(limit: 2))
    _ = fixture.next(mailbox)
    try fixture.set("z", ["n": 9])
    #expect(fixture.next(mailbox) == nil)
    try fixture.delete("a")
    #expect(fixture.next(mailbox) == "-a 0, +c 1: b c")
  }

  /// All matches beyond the reserve were known once. Those that were released are read again.
  @Test func releasedMatchesAreFoundAgain() throws {
    let fixture = try ListenerFixture()
    let mailbox = fixture.listen(to: .byNumber(limit: 1))
    #expect(fixture.next(mailbox) == ":")
    for (number, id) in ["a", "b", "c", "d", "e"].enumerated() {
      try fixture.set(id, ["n": .integer(Int64(number))])
      fixture.feed.step()
    }
    _ = mailbox.take()
    for (gone, next) in [("a", "b"), ("b", "c"), ("c", "d"), ("d", "e")] {
      try fixture.delete(gone)
      #expect(fixture.next(mailbox) == "-\(gone) 0, +\(next) 0: \(next)")
    }
  }

  /// All of these are equal in the index: some that follow the last known one by name are before
  /// the start by value (§3.6).
  @Test func aRefillKeepsToAStartThatTheIndexCuts() throws {
    func long(_ end: String) -> Value {
      .string(String(repeating: "x", count: Limits.indexedValueByteCount) + end)
    }
    let fixture = try ListenerFixture()
    for (id, end) in [("a", "c"), ("b", "d"), ("x", "a"), ("y", "d"), ("z", "a")] {
      try fixture.set(id, ["n": long(end)])
    }
    for isBefore in [false, true] {
      var query = StructuredQuery.byNumber(limit: 1)
      query.start = Cursor([long("b")], isBefore: isBefore)
      let mailbox = fixture.listen(to: query)
      #expect(fixture.next(mailbox) == "+a 0: a")
      try fixture.delete("a")
      #expect(fixture.next(mailbox) == "-a 0, +b 0: b")
      try fixture.delete("b")
      #expect(fixture.next(mailbox) == "-b 0, +y 0: y")
      try fixture.set([("a", ["n": long("c")]), ("b", ["n": long("d")])])
      fixture.feed.remove(mailbox)
    }
  }

  @Test func anOffsetMovesTheWindow() throws {
    let fixture = try numbered(["a": 1, "b": 2, "c": 3, "d": 4])
    let mailbox = fixture.listen(to: .byNumber(offset: 1, limit: 2))
    #expect(fixture.next(mailbox) == "+b 0, +c 1: b c")
    try fixture.delete("a")
    #expect(fixture.next(mailbox) == "-b 0, +d 1: c d")
    try fixture.set("e", ["n": 0])
    #expect(fixture.next(mailbox) == "-d 1, +b 0: b c")
  }

  @Test func theLastOnesAreToldInTheQuerysOrder() throws {
    let fixture = try numbered(["a": 1, "b": 2, "c": 3])
    let flipped = try StructuredQuery.byNumber().limitedToLast(2).query
    let mailbox = fixture.listen(to: flipped, isReversed: true)
    #expect(fixture.next(mailbox) == "+b 0, +c 1: b c")
    try fixture.set("d", ["n": 4])
    #expect(fixture.next(mailbox) == "-b 0, +d 1: c d")
    try fixture.set("c", ["n": 9])
    #expect(fixture.next(mailbox) == "~c 0>1: d c")
    try fixture.delete("d", "c")
    #expect(fixture.next(mailbox) == "-d 0, -c 0, +a 0, +b 1: a b")
  }

  @Test func aDocumentIsTheQueryForItsName() throws {
    let fixture = try ListenerFixture()
    let name = DocumentName(unchecked: ResourcePath(unchecked: ["c", "a"]), in: .default)
    let mailbox = fixture.listen(
      to: StructuredQuery(
        collectionID: "c", filter: .field(.documentID, .equal, .reference(name))))
    #expect(fixture.next(mailbox) == ":")
    try fixture.set("b", ["n": 1])
    #expect(fixture.next(mailbox) == nil)
    try fixture.set("a", ["n": 1])
    #expect(fixture.next(mailbox) == "+a 0: a")
    try fixture.set("a", ["n": 2])
    #expect(fixture.next(mailbox) == "~a 0>0: a")
    try fixture.delete("a")
    #expect(fixture.next(mailbox) == "-a 0:")
  }

  // MARK: Ends

  @Test func aRefusalIsTheOnlyEvent() throws {
    let fixture = try numbered(["a": 1])
    var query = StructuredQuery.byNumber()
    query.filter = .field(FieldPath(unchecked: ["m"]), .equal, 1)
    let mailbox = fixture.listen(to: query)
    let refusal = message { _ = try fixture.engine.readView().run(query) }
    let text = try #require(refusal)
    #expect(fixture.next(mailbox) == "failedPrecondition: \(text)")
    #expect(fixture.next(mailbox) == "end")
    #expect(fixture.feed.statistics.listenerCount == 0)
  }

  @Test(arguments: [true, false])
  func aDroppedOrHiddenIndexEndsItsListeners(hides: Bool) throws {
    let fixture = try numbered(["a": 1])
    var query = StructuredQuery.byNumber()
    query.filter = .field(FieldPath(unchecked: ["m"]), .equal, 1)
    let index = IndexDefinition(
      "c",
      [
        IndexColumn(FieldPath(unchecked: ["m"]), .ascending),
        IndexColumn(FieldPath(unchecked: ["n"]), .ascending),
      ])
    try fixture.engine.createIndex(index)
    let mailbox = fixture.listen(to: query)
    #expect(fixture.next(mailbox) == ":")
    try fixture.set("b", ["m": 1, "n": 2])
    #expect(fixture.next(mailbox) == "+b 0: b")
    if hides {
      try fixture.engine.setHidden(true, index)
    } else {
      try fixture.engine.dropIndex(index)
    }
    #expect(
      fixture.next(mailbox)?.hasPrefix("failedPrecondition: The query requires an index") == true)
    #expect(fixture.next(mailbox) == "end")
  }

  @Test func anotherIndexTakesOver() throws {
    let fixture = try numbered(["a": 1, "b": 2])
    var query = StructuredQuery.byNumber()
    query.filter = .field(FieldPath(unchecked: ["m"]), .equal, 1)
    let fields = ["m", "n", "o"].map { FieldPath(unchecked: [$0]) }
    let small = IndexDefinition(
      "c", [IndexColumn(fields[0], .ascending), IndexColumn(fields[1], .ascending)])
    let group = IndexDefinition("c", small.columns, scope: .collectionGroup)
    try fixture.engine.createIndex(small)
    let mailbox = fixture.listen(to: query)
    _ = fixture.next(mailbox)
    // Documents change while the indexes do, in one step.
    try fixture.set("a", ["m": 1, "n": 1])
    try fixture.engine.createIndex(group)
    try fixture.engine.dropIndex(small)
    try fixture.set("b", ["m": 1, "n": 2])
    #expect(fixture.next(mailbox) == "+a 0, +b 1: a b")
    try fixture.set("a", ["m": 2, "n": 1])
    #expect(fixture.next(mailbox) == "-a 0: b")
  }

  @Test func nearestVectorsCantBeListenedTo() throws {
    let fixture = try ListenerFixture()
    let mailbox = fixture.listen(
      to: StructuredQuery(
        collectionID: "c",
        nearest: NearestNeighbors(
          FieldPath(unchecked: ["v"]), to: [1], by: .euclidean, limit: 1)))
    #expect(fixture.next(mailbox)?.hasPrefix("unimplemented: ") == true)
  }

  @Test func aRemovedListenerIsToldNothing() throws {
    let fixture = try numbered(["a": 1])
    let mailbox = fixture.listen(to: .byNumber())
    fixture.feed.step()
    fixture.feed.remove(mailbox)
    #expect(describe(mailbox.take()) == "end")
    fixture.feed.step()
    #expect(fixture.feed.statistics.listenerCount == 0)
    #expect(fixture.feed.statistics.rangeCount == 0)
    // This one never began.
    let other = fixture.listen(to: .byNumber())
    fixture.feed.remove(other)
    #expect(fixture.next(other) == "end")
    #expect(fixture.feed.statistics.listenerCount == 0)
  }

  @Test func closingEndsAllListeners() throws {
    let fixture = try numbered(["a": 1])
    let old = fixture.listen(to: .byNumber())
    fixture.feed.step()
    let new = fixture.listen(to: .byNumber())
    fixture.feed.close()
    let late = fixture.listen(to: .byNumber())
    #expect(describe(old.take()) == "end")
    #expect(describe(new.take()) == "end")
    #expect(describe(late.take()) == "failedPrecondition: The database is closed.")
  }

  @Test func aStoreThatFailsEndsListenersWithItsError() throws {
    let fixture = try numbered(["a": 1])
    let mailbox = fixture.listen(to: .byNumber())
    _ = fixture.next(mailbox)
    try fixture.engine.close()
    #expect(fixture.next(mailbox)?.hasPrefix("failedPrecondition: ") == true)
    #expect(fixture.next(mailbox) == "end")
  }

  @Test(
    arguments: [(0, Int.max), (0, .max - 1), (.max, 1), (.max - 1, 1), (.max, .max)])
  func limitsAndOffsetsMayBeHuge(offset: Int, limit: Int) throws {
    let fixture = try numbered(["a": 1, "b": 2])
    let mailbox = fixture.listen(to: .byNumber(offset: offset, limit: limit))
    #expect(fixture.next(mailbox) == (offset == 0 ? "+a 0, +b 1: a b" : ":"))
    try fixture.set("c", ["n": 0])
    #expect(fixture.next(mailbox) == (offset == 0 ? "+c 0: c a b" : nil))
    try fixture.delete("a")
    #expect(fixture.next(mailbox) == (offset == 0 ? "-a 1: c b" : nil))
  }

  // MARK: Memory

  /// Mailboxes are held for longer than events are delivered.
  @Test func theClosureOfARemovedListenerIsReleased() throws {
    final class Owner: Sendable {}
    let fixture = try numbered(["a": 1])
    let mailboxes = Lock<[ListenerMailbox]>([])
    func listen(to query: StructuredQuery) -> () -> Owner? {
      let owner = Owner()
      mailboxes.withLock {
        $0.append(fixture.feed.listen(to: query) { _ in withExtendedLifetime(owner) {} })
      }
      return { [weak owner] in owner }
    }
    let removed = listen(to: .byNumber())
    let closed = listen(to: .byNumber())
    let failed = listen(
      to: StructuredQuery(
        collectionID: "c",
        nearest: NearestNeighbors(
          FieldPath(unchecked: ["v"]), to: [1], by: .euclidean, limit: 1)))
    #expect(removed() != nil && failed() != nil && closed() != nil)
    fixture.feed.step()
    #expect(removed() != nil && failed() == nil)
    fixture.feed.remove(mailboxes.withLock { $0[0] })
    #expect(removed() == nil && closed() != nil)
    fixture.feed.close()
    #expect(closed() == nil)
  }

  // MARK: Falling behind

  /// More is written between two steps than the log keeps.
  @Test func aListenerThatIsTooFarBehindReceivesTheDifference() throws {
    let fixture = try numbered(["a": 1, "b": 2, "c": 3])
    let known = fixture.listen(to: .byNumber(limit: 2))
    let unfounded = fixture.listen(to: StructuredQuery(collectionID: "late"))
    #expect(fixture.next(known) == "+a 0, +b 1: a b")
    #expect(describe(unfounded.take()) == ":")
    try fixture.set("a", ["n": 9])
    _ = try fixture.engine.commit([.set(ResourcePath("late/x"), ["n": 1])])
    let ballast = Value.bytes([UInt8](repeating: 1, count: 1_000_000))
    for number in 0..<70 {
      _ = try fixture.engine.commit([.set(ResourcePath("ballast/\(number % 2)"), ["x": ballast])])
      _ = try fixture.engine.commit([.delete(ResourcePath("ballast/\(number % 2)"))])
    }
    #expect(fixture.next(known) == "-a 0, +c 1: b c")
    #expect(describe(unfounded.take()) == "+x 0: x")
    #expect(fixture.feed.statistics.runCount == 4)
    // From here on they follow as before.
    try fixture.delete("b")
    _ = try fixture.engine.commit([.set(ResourcePath("late/y"), ["n": 1])])
    #expect(fixture.next(known) == "-b 0, +a 1: c a")
    #expect(describe(unfounded.take()) == "+y 1: x y")
  }

  /// The log keeps the keys of a deleted document, and none of its bytes.
  @Test func deletedDocumentsTakeNoSpaceInTheLog() throws {
    let fixture = try numbered(["a": 1])
    let ballast = Value.bytes([UInt8](repeating: 1, count: 1_000_000))
    let paths = (0..<70).map { ResourcePath(unchecked: ["ballast", "\($0)"]) }
    for path in paths { _ = try fixture.engine.commit([.set(path, ["x": ballast])]) }
    let mailbox = fixture.listen(to: .byNumber())
    _ = fixture.next(mailbox)
    for path in paths { _ = try fixture.engine.commit([.delete(path)]) }
    #expect(fixture.next(mailbox) == nil)
    #expect(fixture.feed.statistics.runCount == 1)
  }

  /// Commits that the feed sees together are one change.
  @Test func aDocumentThatReturnsHasChanged() throws {
    let fixture = try numbered(["a": 1, "b": 2])
    let all = fixture.listen(to: .byNumber())
    let first = fixture.listen(to: .byNumber(limit: 1))
    #expect(fixture.next(all) == "+a 0, +b 1: a b")
    #expect(describe(first.take()) == "+a 0: a")
    try fixture.delete("a")
    try fixture.set("a", ["n": 1])
    #expect(fixture.next(all) == "~a 0>0: a b")
    #expect(describe(first.take()) == "~a 0>0: a")
    // Neither seen before nor there afterwards.
    try fixture.set("c", ["n": 0])
    try fixture.delete("c")
    #expect(fixture.next(all) == nil)
  }

  // MARK: Waking

  @Test func commitsWakeTheFeedWhileThereAreListeners() throws {
    let fixture = try ListenerFixture()
    try fixture.set("a", ["n": 1])
    #expect(fixture.wakeCount.withLock { $0 } == 0)
    let mailbox = fixture.listen(to: .byNumber())
    fixture.feed.step()
    let before = fixture.wakeCount.withLock { $0 }
    try fixture.set("a", ["n": 2])
    #expect(fixture.wakeCount.withLock { $0 } == before + 1)
    fixture.feed.remove(mailbox)
    fixture.feed.step()
    let after = fixture.wakeCount.withLock { $0 }
    try fixture.set("a", ["n": 3])
    #expect(fixture.wakeCount.withLock { $0 } == after)
  }
}
