import HearthDocumentEngine
import HearthDocumentModel
import HearthEngineUpkeep
import HearthQueryPlanning
import Testing

/// Changes that abort a transaction that has read, and changes that don't (§7.4).
@Suite struct TransactionConflictTests {
  /// Returns a fixture with ten documents `c/0` to `c/9`, `n` from 0 to 90, and one beside them.
  private func filled() throws -> EngineFixture {
    let fixture = try EngineFixture()
    for number in 0..<10 {
      let n = Value.integer(Int64(number * 10))
      try fixture.set("c/\(number)", ["n": n, "even": .boolean(number % 2 == 0)])
    }
    try fixture.set("other/o", ["n": 5])
    return fixture
  }

  /// Whether a transaction that has read with `read` is aborted by the commits of `interfere`.
  private func aborts(
    _ fixture: EngineFixture, reading read: (TransactionScope) throws -> Void,
    _ interfere: () throws -> Void
  ) throws -> Bool {
    let scope = try fixture.engine.beginTransaction()
    try read(scope)
    try interfere()
    try scope.append(.set(ResourcePath("witness/w"), ["n": 1]))
    do throws(DatabaseError) {
      _ = try scope.commit()
      return false
    } catch {
      #expect(error.code == .aborted)
      #expect(
        error.message == "Too much contention on these documents. Please try again.")
      return true
    }
  }

  private func delete(_ path: String, _ fixture: EngineFixture) throws {
    _ = try fixture.engine.commit([.delete(ResourcePath(path))])
  }

  // MARK: Documents

  @Test func aDocumentThatWasReadMayNotChange() throws {
    let fixture = try filled()
    func aborts(_ interfere: () throws -> Void) throws -> Bool {
      try self.aborts(fixture, reading: { _ = try $0.document(at: ResourcePath("c/3")) }, interfere)
    }
    #expect(try !aborts {})
    #expect(try aborts { try fixture.set("c/3", ["n": 31]) })
    #expect(try !aborts { try fixture.set("c/4", ["n": 41]) })
    #expect(try !aborts { try fixture.set("c/3", ["n": 31]) }, "nothing was changed")
    #expect(
      try aborts {
        try delete("c/3", fixture)
        try fixture.set("c/3", ["n": 31])
      })
    #expect(try aborts { try delete("c/3", fixture) })
  }

  @Test func aMissingDocumentMayNotAppear() throws {
    let fixture = try filled()
    for (path, neighbour) in [("c/x", "c/y"), ("new/x", "newer/x"), ("c/3/deep/x", "c/4/deep/x")] {
      let read: (TransactionScope) throws -> Void = {
        let document = try $0.document(at: ResourcePath(path))
        #expect(document == nil)
      }
      #expect(try !aborts(fixture, reading: read) { try fixture.set(neighbour, [:]) }, "\(path)")
      #expect(try aborts(fixture, reading: read) { try fixture.set(path, [:]) }, "\(path)")
    }
  }

  @Test func documentsThatATransactionOnlyWritesMayChange() throws {
    let fixture = try filled()
    let scope = try fixture.engine.beginTransaction()
    try scope.append(.set(ResourcePath("c/3"), ["n": 3]))
    try fixture.set("c/3", ["n": 31])
    _ = try scope.commit()
    #expect(try fixture.fields("c/3") == ["n": 3])
  }

  @Test func aTransactionWithoutWritesMeetsNoConflict() throws {
    let fixture = try filled()
    let scope = try fixture.engine.beginTransaction()
    let time = try scope.readView().readTime
    _ = try scope.document(at: ResourcePath("c/3"))
    try fixture.set("c/3", ["n": 31])
    #expect(try scope.commit().commitTime == time)
  }

  // MARK: Queries

  private func query(
    _ comparison: Filter.Comparison, _ value: Value, _ direction: SortDirection = .ascending,
    limit: Int? = nil
  ) -> StructuredQuery {
    let n = FieldPath(unchecked: ["n"])
    return StructuredQuery(
      collectionID: "c", filter: .field(n, comparison, value), orders: [Order(n, direction)],
      limit: limit)
  }

  /// Returns a read of `query` to its end, or to the end of its page.
  private func reading(
    _ query: StructuredQuery, counting: Bool = false
  ) -> (TransactionScope) throws -> Void {
    {
      let execution = try $0.readView().run(query)
      while try counting ? execution.skipDocument() : execution.nextDocument() != nil {}
    }
  }

  @Test(arguments: [SortDirection.ascending, .descending])
  func aRangeThatWasReadMayNotChange(direction: SortDirection) throws {
    let fixture = try filled()
    // 50 to 90.
    let read = reading(query(.greaterThanOrEqual, 50, direction))
    func aborts(_ interfere: () throws -> Void) throws -> Bool {
      try self.aborts(fixture, reading: read, interfere)
    }
    #expect(try !aborts { try fixture.set("c/below", ["n": 49]) })
    #expect(try !aborts { try fixture.set("c/0", ["n": 1]) })
    #expect(try !aborts { try fixture.set("other/o", ["n": 60]) }, "another collection")
    #expect(try !aborts { try fixture.set("c/none", ["m": 60]) }, "no such field")
    #expect(try aborts { try fixture.set("c/phantom", ["n": 55]) })
    #expect(try aborts { try fixture.set("c/edge", ["n": 50]) })
    #expect(try aborts { try fixture.set("c/last", ["n": 1_000]) })
    #expect(try aborts { try delete("c/9", fixture) })
    #expect(try aborts { try fixture.set("c/0", ["n": 65]) }, "moved in")
    #expect(try aborts { try fixture.set("c/0", ["n": 2]) }, "moved out")
    #expect(try aborts { try fixture.set("c/7", ["n": 71]) }, "moved inside")
    #expect(try aborts { try fixture.set("c/8", ["n": 80, "more": true]) }, "a document's field")
  }

  @Test(arguments: [SortDirection.ascending, .descending])
  func aDocumentAfterAPagesEndMayChange(direction: SortDirection) throws {
    let fixture = try filled()
    let isAscending = direction == .ascending
    // 50, 60 and 70; or 90, 80 and 70.
    let read = reading(query(.greaterThanOrEqual, 50, direction, limit: 3))
    let (before, behind) = isAscending ? (69, 71) : (71, 69)
    func aborts(_ n: Int) throws -> Bool {
      try self.aborts(fixture, reading: read) {
        try fixture.set("c/new-\(n)", ["n": .integer(Int64(n))])
      }
    }
    #expect(try !aborts(behind))
    #expect(try aborts(before))
    #expect(
      try !self.aborts(fixture, reading: read) {
        try delete(isAscending ? "c/9" : "c/5", fixture)
      })
  }

  @Test func aCountDependsOnItsEntriesAlone() throws {
    let fixture = try filled()
    let read = reading(query(.greaterThanOrEqual, 50), counting: true)
    #expect(
      try !aborts(fixture, reading: read) { try fixture.set("c/7", ["n": 70, "note": "new"]) })
    #expect(try aborts(fixture, reading: read) { try fixture.set("c/7", ["n": 10]) })
  }

  /// A join asks a scan in memory for documents, and then walks that scan in the store, too, since
  /// it has become the smaller one. What it asked before counts all the same.
  @Test func aScanThatWasAskedAndThenWalkedMayNotChange() throws {
    var settings = EngineSettings()
    settings.scanCacheThreshold = 1
    let fixture = try EngineFixture(settings: settings)
    try fixture.set("c/d", ["a": 1, "b": 1])
    try fixture.set("c/e", ["a": 1, "b": 2])
    let b = Filter.field(FieldPath(unchecked: ["b"]), .equal, 1)
    // The second time, the scan is kept.
    for _ in 0..<2 { _ = try fixture.run(StructuredQuery(collectionID: "c", filter: b)) }
    let join = StructuredQuery(
      collectionID: "c", filter: .and([.field(FieldPath(unchecked: ["a"]), .equal, 1), b]))
    func readJoin(in scope: TransactionScope) throws {
      let execution = try scope.readView().run(join)
      while try execution.skipDocument() {}
      let statistics = execution.statistics
      #expect(statistics.testCount == 2 && statistics.seekCount == 2, "asked, and then walked")
    }
    #expect(try aborts(fixture, reading: readJoin) { try fixture.set("c/e", ["a": 1, "b": 1]) })
  }

  @Test func aQueryOverNothingYetMayFindNothingLater() throws {
    let fixture = try filled()
    let read = reading(StructuredQuery(collectionID: "empty"))
    #expect(try !aborts(fixture, reading: read) { try fixture.set("emptier/x", [:]) })
    #expect(try aborts(fixture, reading: read) { try fixture.set("empty/x", [:]) })
  }

  @Test func everyCollectionBelowADocumentCounts() throws {
    let fixture = try filled()
    try fixture.set("p/x/a/1", [:])
    let read = reading(
      StructuredQuery(collectionID: "", below: try ResourcePath("p/x"), allDescendants: true))
    #expect(try !aborts(fixture, reading: read) { try fixture.set("p/y/a/1", [:]) })
    #expect(try aborts(fixture, reading: read) { try fixture.set("p/x/a/2", [:]) })
    #expect(try aborts(fixture, reading: read) { try fixture.set("p/x/b/1", [:]) })
  }

  @Test func anIndexThatIsDroppedTellsNothingAnyMore() throws {
    let fixture = try filled()
    let index = IndexDefinition(
      "c",
      [
        IndexColumn(FieldPath(unchecked: ["even"]), .ascending),
        IndexColumn(FieldPath(unchecked: ["n"]), .descending),
      ])
    try fixture.engine.createIndex(index)
    let read = reading(
      StructuredQuery(
        collectionID: "c", filter: .field(FieldPath(unchecked: ["even"]), .equal, "neither"),
        orders: [Order(FieldPath(unchecked: ["n"]), .descending)]))
    #expect(
      try aborts(fixture, reading: read) {
        try fixture.engine.dropIndex(index)
        // Neither the drop nor the write touches an entry that the query read.
        try fixture.set("c/phantom", ["even": "neither", "n": 100])
      })
  }

  @Test func readsOlderThanTheKeptCommitsAbort() throws {
    let fixture = try filled()
    let blob = Value.bytes(.init(repeating: 1, count: 1_000_000))
    let write = { (count: Int) in
      for number in 0..<count {
        _ = try fixture.engine.commit([
          .set(ResourcePath("blobs/b"), ["n": .integer(Int64(number)), "blob": blob])
        ])
      }
    }
    let read: (TransactionScope) throws -> Void = { _ = try $0.document(at: ResourcePath("c/1")) }
    try fixture.engine.setOverride("blobs", FieldPath(unchecked: ["blob"]), [])
    #expect(try !aborts(fixture, reading: read) { try write(10) })
    #expect(try aborts(fixture, reading: read) { try write(80) })
  }

  @Test func aTransactionWithoutReadsNeedsNoKeptCommits() throws {
    let fixture = try filled()
    let blob = Value.bytes(.init(repeating: 1, count: 1_000_000))
    try fixture.engine.setOverride("blobs", FieldPath(unchecked: ["blob"]), [])
    let isAborted = try aborts(fixture, reading: { _ in }) {
      for number in 0..<80 {
        _ = try fixture.engine.commit([
          .set(ResourcePath("blobs/b"), ["n": .integer(Int64(number)), "blob": blob])
        ])
      }
    }
    #expect(!isAborted)
  }

  // MARK: Rules

  @Test func readsComeFirst() throws {
    let fixture = try filled()
    let scope = try fixture.engine.beginTransaction()
    try scope.append(.delete(ResourcePath("c/1")))
    let text = "Firestore transactions require all reads to be executed before all writes."
    #expect(message { _ = try scope.document(at: ResourcePath("c/2")) } == text)
    #expect(message { _ = try scope.readView() } == text)
    #expect(code { _ = try scope.documents(at: []) } == .invalidArgument)
  }

  @Test func aTransactionDoesNotUpdateAMissingDocument() throws {
    let fixture = try filled()
    let scope = try fixture.engine.beginTransaction()
    let (x, y) = (try ResourcePath("c/x"), try ResourcePath("c/y"))
    _ = try scope.document(at: x)
    _ = try scope.documents(at: [y])
    let text = "Can't update a document that doesn't exist."
    #expect(message { try scope.append(.update(x, [])) } == text)
    #expect(code { try scope.append(.update(y, [])) } == .invalidArgument)
    // Once it is written, there is a document to update.
    try scope.append(.set(x, ["n": 1]))
    try scope.append(.update(x, [(FieldPath(unchecked: ["m"]), .integer(2))]))
    _ = try scope.commit()
    #expect(try fixture.fields("c/x") == ["m": 2, "n": 1])
  }

  @Test func aTransactionEndsOnce() throws {
    let fixture = try filled()
    for end in [
      { _ = try $0.commit() }, { $0.rollback() },
    ] as [(TransactionScope) throws -> Void] {
      let scope = try fixture.engine.beginTransaction()
      try end(scope)
      scope.rollback()
      #expect(code { _ = try scope.document(at: ResourcePath("c/1")) } == .failedPrecondition)
      #expect(code { try scope.append(.delete(ResourcePath("c/1"))) } == .failedPrecondition)
      #expect(code { _ = try scope.commit() } == .failedPrecondition)
    }
    #expect(try fixture.fields("c/1") != nil)
  }

  @Test func readingOnlyWritesNothing() throws {
    let fixture = try EngineFixture(history: HistoryLimits())
    let first = try fixture.set("c/1", ["n": 1]).commitTime
    try fixture.set("c/1", ["n": 2])
    let past = try fixture.engine.beginReadOnlyTransaction(at: first)
    #expect(try past.document(at: ResourcePath("c/1"))?.fields() == ["n": 1])
    #expect(
      message { try past.append(.delete(ResourcePath("c/1"))) }
        == "Firestore read-only transactions cannot execute writes.")
    _ = try past.commit()
    let present = try fixture.engine.beginReadOnlyTransaction()
    #expect(try present.document(at: ResourcePath("c/1"))?.fields() == ["n": 2])
  }
}
