import Foundation
import Hearth
import HearthOrderedStore
import TestSupport
import Testing

/// Transactions with locks, as users of the library call them.
@Suite struct LockingTransactionTests {
  private func makeDatabase(
    timeout: Duration = .seconds(3600)
  ) throws -> (Database, DocumentReference) {
    let database = try Database.inMemory(locks: LockLimits(timeout: timeout))
    let lamp = try database.document("items/lamp")
    try lamp.setData(["stock": 2])
    return (database, lamp)
  }

  private func stock(_ document: DocumentSnapshot) throws -> Int? {
    try document.value("stock", as: Int.self)
  }

  @Test func itReadsAndCommits() throws {
    let (database, lamp) = try makeDatabase(timeout: .zero)
    let transaction = try database.beginTransaction()
    let item = try transaction.read { try $0.getDocument(lamp) }
    #expect(try stock(item) == 2)
    let error = #expect(throws: DatabaseError.self) { try lamp.updateData(["stock": 7]) }
    #expect(error?.code == .aborted)
    try transaction.commit { $0.updateData(["stock": .increment(-1)], for: lamp) }
    #expect(try stock(lamp.getDocument()) == 1)
    try lamp.updateData(["stock": 7])
  }

  @Test func theAsynchronousFormsDoTheSame() async throws {
    let (database, lamp) = try makeDatabase(timeout: .zero)
    let transaction = try database.beginTransaction()
    let items = try database.collection("items")
    let count = try await transaction.read { try $0.count(items) }
    #expect(count == 1)
    let late = try #require(throws: DatabaseError.self) {
      try database.document("items/desk").setData([:])
    }
    #expect(late.code == .aborted)
    try await transaction.commit { $0.setData(["stock": 5], for: lamp) }
    #expect(try await stock(lamp.getDocument()) == 5)
    let other = try database.beginTransaction()
    let page = try await other.read { try $0.listDocuments(in: items) }
    #expect(page.documents.map(\.id) == ["lamp"])
    #expect(try await other.commit().isEmpty)
  }

  /// A write that isn't valid is refused before the transaction ends.
  @Test func anInvalidWriteLeavesItOpen() throws {
    let (database, lamp) = try makeDatabase()
    let transaction = try database.beginTransaction()
    let error = #expect(throws: DatabaseError.self) {
      try transaction.commit { $0.updateData(["a..b": 1], for: lamp) }
    }
    #expect(error?.code == .invalidArgument)
    try transaction.commit { $0.delete(lamp) }
    #expect(try !lamp.getDocument().exists)
  }

  @Test func aRetryKeepsItsAge() throws {
    let (database, _) = try makeDatabase()
    let first = try database.beginTransaction()
    let second = try database.beginTransaction()
    #expect(first.seniority < second.seniority)
    first.rollback()
    #expect(try database.beginTransaction(retrying: first.seniority).seniority == first.seniority)
    let idleTime = second.idleTime
    #expect(idleTime >= .zero && second.age >= idleTime)
  }

  /// A closing waits neither for transactions nor for those who wait for them.
  @Test func closingEndsIt() throws {
    let (database, lamp) = try makeDatabase()
    let transaction = try database.beginTransaction()
    _ = try transaction.read { try $0.getDocument(lamp) }
    let writer = Waiting()
    startThread { writer.end(Result { try lamp.updateData(["stock": 7]) }) }
    while database.lockWaitCount == 0, !writer.isOver { sched_yield() }
    try #require(!writer.isOver)
    try database.close()
    #expect(throws: DatabaseError.self) { try transaction.commit() }
    #expect(throws: DatabaseError.self) { try database.beginTransaction() }
    // The writer may be faster than the closing.
    try? writer.wait()
    #expect(writer.isOver)
  }

  @Test func limitsAreOptionsOfTheDatabase() throws {
    let folder = try TemporaryFolder()
    var options = Database.Options()
    options.locks = LockLimits(timeout: .zero, transactionCount: 1)
    let database = try Database.open(at: folder.path(of: "items"), options: options)
    let transaction = try database.beginTransaction()
    let error = #expect(throws: DatabaseError.self) { try database.beginTransaction() }
    #expect(error?.code == .resourceExhausted)
    transaction.rollback()
    try database.close()
  }
}
