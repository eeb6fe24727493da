import HearthDocumentEngine
import HearthDocumentModel
import HearthEngineUpkeep
import HearthOrderedStore
import HearthQueryPlanning
import TestSupport
import Testing

/// Work of the database's own, and changes of indexes, that meet the locks of a transaction.
@Suite struct LockedUpkeepTests {
  private static let path = ResourcePath(unchecked: ["c", "a"])
  private static let definition = IndexDefinition(
    "c",
    ["a", "b"].map { IndexColumn(FieldPath(unchecked: [$0]), .ascending) })

  private func makeFixture(timeout: Duration = .zero) throws -> EngineFixture {
    var settings = EngineSettings()
    settings.locks.timeout = timeout
    let fixture = try EngineFixture(settings: settings)
    try fixture.set("c/a", ["a": 1, "b": 2])
    return fixture
  }

  /// Begins a transaction that has run a query.
  private func scanning(_ fixture: EngineFixture) throws -> LockingScope {
    let scope = try fixture.engine.beginLockingTransaction()
    try scope.read { view throws(DatabaseError) in
      let execution = try view.run(
        StructuredQuery(
          collectionID: "c", filter: .field(FieldPath(unchecked: ["a"]), .equal, 1)))
      while try execution.nextDocument() != nil {}
    }
    return scope
  }

  @Test func aDropWaitsForTransactionsThatHaveScanned() throws {
    let fixture = try makeFixture()
    try fixture.engine.createIndex(Self.definition)
    let reader = try fixture.engine.beginLockingTransaction()
    _ = try reader.read { view throws(DatabaseError) in try view.document(at: Self.path) }
    try fixture.engine.dropIndex(Self.definition)
    reader.rollback()
    try fixture.engine.createIndex(Self.definition)
    let scope = try scanning(fixture)
    #expect(code { try fixture.engine.dropIndex(Self.definition) } == .aborted)
    _ = try scope.commit([])
    try fixture.engine.dropIndex(Self.definition)
    try fixture.expectClean()
  }

  /// A new index takes nothing from what was scanned, and a transaction may need it.
  @Test func aBuildDoesNotWait() throws {
    let fixture = try makeFixture()
    let scope = try scanning(fixture)
    try fixture.engine.createIndex(Self.definition)
    _ = try scope.commit([])
  }

  @Test func anExemptionIsBegunWhenTransactionsHaveEnded() throws {
    let fixture = try makeFixture()
    let scope = try scanning(fixture)
    let field = FieldPath(unchecked: ["a"])
    #expect(code { try fixture.engine.setOverride("c", field, []) } == .aborted)
    scope.rollback()
    try fixture.engine.setOverride("c", field, [])
    try fixture.expectClean()
  }

  @Test func aSweepWaitsForLockedDocuments() throws {
    let fixture = try makeFixture()
    let field = FieldPath(unchecked: ["end"])
    try fixture.engine.setTimeToLive("c", field)
    fixture.clock.turn(to: try Timestamp(seconds: 1_000, nanoseconds: 0))
    try fixture.set("c/a", ["end": .timestamp(try Timestamp(seconds: 10, nanoseconds: 0))])
    let scope = try fixture.engine.beginLockingTransaction()
    _ = try scope.read { view throws(DatabaseError) in try view.document(at: Self.path) }
    var sweep = TimeToLiveSweep(fixture.engine)
    #expect(code { _ = try sweep.step() } == .aborted)
    #expect(try fixture.fields("c/a") != nil)
    scope.rollback()
    var later = TimeToLiveSweep(fixture.engine)
    #expect(try later.step().documentCount == 1)
    #expect(try fixture.fields("c/a") == nil)
  }
}
