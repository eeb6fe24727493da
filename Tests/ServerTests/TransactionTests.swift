import Foundation
import Hearth
import HearthDocumentModel
import HearthProtocols
import HearthServerCalls
import SwiftProtobuf
import Synchronization
import Testing

/// Transactions of clients (§7.4, W§3.9), beside the recorded ones.
@Suite(.timeLimit(.minutes(5))) struct TransactionTests {
  /// A clock that stands still.
  private final class TestClock: Sendable {
    private let moment = Mutex(ContinuousClock.now)

    var now: ContinuousClock.Instant { moment.withLock { $0 } }

    func advance(by time: Duration) { moment.withLock { $0 += time } }
  }

  private let clock = TestClock()
  private let transactions: Transactions
  private let database: Database
  private let client: TransactionClient

  init() async throws {
    let clock = clock
    transactions = Transactions(limit: 3, now: { clock.now })
    database = try Database.inMemory(locks: LockLimits(timeout: .seconds(3600)))
    client = TransactionClient(
      DocumentCalls(OneDatabase(database: database), transactions: transactions))
    try await client.write("c/a", 1)
  }

  private static let isOver = "The referenced transaction has expired or is no longer valid."
  private static let contention = "Too much contention on these documents. Please try again."

  /// Expects a refusal.
  private func refused(
    _ code: DatabaseError.Code, _ message: String,
    sourceLocation: SourceLocation = #_sourceLocation, _ body: () async throws -> Void
  ) async {
    let error = await #expect(throws: DatabaseError.self, sourceLocation: sourceLocation) {
      try await body()
    }
    #expect(error?.code == code, sourceLocation: sourceLocation)
    #expect(error?.message == message, sourceLocation: sourceLocation)
  }

  /// Starts a call, and returns it when it waits for a lock.
  private func waiting(_ body: @escaping @Sendable () async throws -> Void) async throws
    -> Task<Void, any Error>
  {
    try await database.waiting(body)
  }

  // MARK: Conflicts

  @Test func aWriterWaitsForTheReaderThatCommits() async throws {
    let transaction = try await client.begin()
    #expect(try await client.read("c/a", in: transaction) == 1)
    let writer = try await waiting { [client] in try await client.write("c/a", 9) }
    try await client.write("c/a", 2, in: transaction)
    try await writer.value
    #expect(try await client.read("c/a", { _ in }).number == 9)
    #expect(transactions.openCount == 0)
  }

  @Test func aWriterThatHasWaitedForTooLongIsAborted() async throws {
    let transaction = try await client.begin()
    #expect(try await client.read("c/a", in: transaction) == 1)
    let writer = try await waiting { [client] in try await client.write("c/a", 9) }
    database.endLockWaits()
    await refused(.aborted, Self.contention) { try await writer.value }
    try await client.write("c/a", 2, in: transaction)
    #expect(try await client.read("c/a", { _ in }).number == 2)
  }

  @Test func ofTwoThatWaitForEachOtherTheYoungerIsAbortedAtOnce() async throws {
    let (older, younger) = (try await client.begin(), try await client.begin())
    for id in [older, younger] { #expect(try await client.read("c/a", in: id) == 1) }
    let first = try await waiting { [client] in try await client.write("c/a", 2, in: older) }
    await refused(.aborted, Self.contention) {
      try await client.write("c/a", 3, in: younger)
    }
    try await first.value
    await refused(.aborted, Self.isOver) { _ = try await client.read("c/a", in: younger) }
    try await client.rollback(younger)
    #expect(try await client.read("c/a", { _ in }).number == 2)
  }

  @Test func anotherAttemptKeepsItsAge() async throws {
    let (older, younger) = (try await client.begin(), try await client.begin())
    try await client.rollback(older)
    let again = try await client.begin { $0.readWrite.retryTransaction = older }
    for id in [younger, again] { #expect(try await client.read("c/a", in: id) == 1) }
    let first = try await waiting { [client] in try await client.write("c/a", 2, in: again) }
    await refused(.aborted, Self.contention) {
      try await client.write("c/a", 3, in: younger)
    }
    try await first.value
  }

  /// An attempt that is aborted keeps its age, so that each has its turn at last.
  @Test func allClientsOfACounterCommitAtLast() async throws {
    let count = 24
    let client = TransactionClient(
      DocumentCalls(OneDatabase(database: database), transactions: Transactions(limit: 1_000)))
    @Sendable func increment() async throws {
      var earlier = Data()
      while true {
        let transaction = try await client.begin { $0.readWrite.retryTransaction = earlier }
        do {
          let number = try await client.read("c/a", in: transaction)
          return try await client.write("c/a", (number ?? 0) + 1, in: transaction)
        } catch let error as DatabaseError where error.code == .aborted {
          earlier = transaction
        }
      }
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 1...count { group.addTask { try await increment() } }
      try await group.waitForAll()
    }
    #expect(try await client.read("c/a", { _ in }).number == Int64(1 + count))
  }

  /// More wait than there are threads of one kind.
  @Test func theOneForWhichAllWaitCommits() async throws {
    let client = TransactionClient(
      DocumentCalls(OneDatabase(database: database), transactions: Transactions(limit: 1_000)))
    let holder = try await client.begin()
    #expect(try await client.read("c/a", in: holder) == 1)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 1...300 {
        group.addTask {
          let transaction = try await client.begin()
          try await client.write("c/a", 2, in: transaction)
        }
      }
      while database.lockWaitCount < 300 { await Task.yield() }
      try await client.write("c/a", 3, in: holder)
      try await group.waitForAll()
    }
    #expect(try await client.read("c/a", { _ in }).number == 2)
  }

  @Test func anotherAttemptEndsTheOneThatIsOpen() async throws {
    let first = try await client.begin()
    #expect(try await client.read("c/a", in: first) == 1)
    let second = try await client.begin { $0.readWrite.retryTransaction = first }
    #expect(transactions.openCount == 1)
    try await client.write("c/a", 2)
    await refused(.aborted, Self.isOver) { try await client.commit(first) }
    try await client.commit(second)
  }

  @Test func anOptimisticOneMakesNobodyWait() async throws {
    let change: (inout Google_Firestore_V1_TransactionOptions) -> Void = {
      $0.readWrite.concurrencyMode = .optimistic
    }
    let (first, second) = (try await client.begin(change), try await client.begin(change))
    for id in [first, second] { #expect(try await client.read("c/a", in: id) == 1) }
    #expect(try await client.read("c/none", in: first) == nil)
    try await client.write("c/a", 2, in: first)
    #expect(try await client.read("c/a", in: second) == 1)
    await refused(.aborted, Self.contention) { try await client.write("c/b", 3, in: second) }
    await refused(.aborted, Self.isOver) { try await client.commit(second) }
    let third = try await client.begin {
      $0.readWrite.concurrencyMode = .optimistic
      $0.readWrite.retryTransaction = second
    }
    #expect(try await client.read("c/a", in: third) == 2)
    try await client.write("c/b", 3, in: third)
  }

  // MARK: Kinds

  @Test func oneThatReadsStaysAtItsMoment() async throws {
    let first = try await client.begin { $0.readOnly = .init() }
    try await client.write("c/a", 2)
    #expect(try await client.read("c/a", in: first) == 1)
    let refusal = "Cannot modify entities in a read-only transaction."
    await refused(.invalidArgument, refusal) { try await client.write("c/a", 3, in: first) }
    await refused(.invalidArgument, "Invalid transaction.") { try await client.commit(first) }
    try await client.rollback(first)
    await refused(.invalidArgument, "Cannot retry a read-only transaction") {
      _ = try await client.begin { $0.readWrite.retryTransaction = first }
    }
    let second = try await client.begin { $0.readOnly = .init() }
    await refused(.invalidArgument, "Cannot retry a read-only transaction") {
      _ = try await client.begin { $0.readWrite.retryTransaction = second }
    }
    try await client.commit(second)
    await refused(.aborted, Self.isOver) { try await client.rollback(second) }
  }

  @Test func aReadBeginsOneAndLocks() async throws {
    let answer = try await client.read("c/a") { $0.newTransaction.readWrite = .init() }
    let transaction = try #require(answer.transaction)
    #expect(answer.number == 1)
    let writer = try await waiting { [client] in try await client.write("c/a", 9) }
    try await client.rollback(transaction)
    try await writer.value
  }

  /// A client that gets no id can't end the transaction.
  @Test func aReadThatFailsLeavesNoTransaction() async throws {
    let request = Google_Firestore_V1_RunQueryRequest.with { request in
      request.parent = "\(TransactionClient.name)/documents"
      request.structuredQuery.from = [.with { $0.collectionID = "c" }]
      for field in ["x", "y"] {
        request.structuredQuery.orderBy.append(.with { $0.field.fieldPath = field })
      }
      request.newTransaction.readWrite = .init()
    }
    let error = await #expect(throws: DatabaseError.self) {
      try await client.calls.runQuery(request, CallContext()) { _ in }
    }
    #expect(error?.code == .failedPrecondition)
    #expect(transactions.openCount == 0)
  }

  @Test func aReadWhoseClientHasGoneLeavesNoTransaction() async throws {
    await #expect(throws: CancellationError.self) {
      try await client.calls.batchGetDocuments(
        .with { request in
          request.database = TransactionClient.name
          request.documents = ["\(TransactionClient.name)/documents/c/a"]
          request.newTransaction.readWrite = .init()
        }, CallContext()
      ) { _ in throw CancellationError() }
    }
    #expect(transactions.openCount == 0)
    let cancelled = Task { [client] in
      withUnsafeCurrentTask { $0?.cancel() }
      return try await client.read("c/a") { $0.newTransaction.readWrite = .init() }.number
    }
    await #expect(throws: DatabaseError.self) { _ = try await cancelled.value }
    #expect(transactions.openCount == 0)
    try await client.write("c/a", 2)
  }

  @Test(.timeLimit(.minutes(1))) func aReadWhoseClientHasGoneEnds() async throws {
    let transaction = try await client.begin()
    let query = Google_Firestore_V1_RunQueryRequest.with { request in
      request.parent = "\(TransactionClient.name)/documents"
      request.structuredQuery.from = [.with { $0.collectionID = "c" }]
      request.transaction = transaction
    }
    try await client.calls.runQuery(query, CallContext()) { _ in }
    let cancelled = Task { [client] in
      withUnsafeCurrentTask { $0?.cancel() }
      try await client.calls.runQuery(query, CallContext()) { _ in }
    }
    let error = await #expect(throws: DatabaseError.self) { try await cancelled.value }
    #expect(error?.code == .cancelled)
    // The transaction goes on, and so does a body that doesn't look.
    #expect(try await client.read("c/a", in: transaction) == 1)
    let state = WaitState()
    let waiting = Task {
      try await Waiting.run { () throws(DatabaseError) in
        state.end()
        while !Task.isCancelled { sched_yield() }
        return true
      }
    }
    while !state.isOver { await Task.yield() }
    waiting.cancel()
    #expect(try await waiting.value)
  }

  @Test func aCommitThatCanNotBeReadEndsIt() async throws {
    let transaction = try await client.begin()
    #expect(try await client.read("c/a", in: transaction) == 1)
    let error = await #expect(throws: DatabaseError.self) {
      try await client.commit(transaction) { $0.writes = [.with { $0.delete = "c/a" }] }
    }
    #expect(error?.code == .invalidArgument)
    #expect(transactions.openCount == 0)
    try await client.write("c/a", 2)
  }

  @Test func aCommitThatFailsEndsIt() async throws {
    let transaction = try await client.begin()
    let error = await #expect(throws: DatabaseError.self) {
      try await client.commit(transaction) { request in
        request.writes = [
          .with { write in
            write.delete = "\(TransactionClient.name)/documents/c/none"
            write.currentDocument.exists = true
          }
        ]
      }
    }
    #expect(error?.code == .notFound)
    await refused(.aborted, Self.isOver) { try await client.commit(transaction) }
    try await client.rollback(transaction)
  }

  // MARK: Ids

  @Test func anIdMeansNothingToOthers() async throws {
    let transaction = try await client.begin()
    var stranger = client
    stranger.credentials = "Bearer stranger"
    var elsewhere = client
    elsewhere.database = "projects/demo-project/databases/other"
    for other in [stranger, elsewhere] {
      for id in [transaction, Data([1, 2, 3]), Data(count: 16)] {
        await refused(.invalidArgument, "Invalid transaction.") {
          _ = try await other.read("c/a", in: id)
        }
        await refused(.invalidArgument, "Invalid transaction.") { try await other.commit(id) }
        await refused(.invalidArgument, "Invalid transaction.") { try await other.rollback(id) }
        await refused(.invalidArgument, "Invalid transaction.") {
          _ = try await other.begin { $0.readWrite.retryTransaction = id }
        }
      }
    }
    var owner = client
    owner.credentials = "Bearer owner"
    try await owner.commit(transaction)
    // The id of one that is over is no more than that.
    await refused(.invalidArgument, "Invalid transaction.") {
      try await stranger.commit(transaction)
    }
  }

  // MARK: Limits

  @Test func anIdleOneEnds() async throws {
    let transaction = try await client.begin()
    for _ in 1...3 {
      clock.advance(by: .seconds(59))
      transactions.endExpired()
      #expect(try await client.read("c/a", in: transaction) == 1)
    }
    clock.advance(by: .seconds(61))
    let writer = try await waiting { [client] in try await client.write("c/a", 9) }
    transactions.endExpired()
    try await writer.value
    await refused(.aborted, Self.isOver) { try await client.commit(transaction) }
    try await client.rollback(transaction)
    let again = try await client.begin { $0.readWrite.retryTransaction = transaction }
    try await client.commit(again)
  }

  @Test func noneLastsForEver() async throws {
    let transaction = try await client.begin()
    for _ in 1...9 {
      clock.advance(by: .seconds(30))
      transactions.endExpired()
      #expect(try await client.read("c/a", in: transaction) == 1)
    }
    clock.advance(by: .seconds(1))
    transactions.endExpired()
    await refused(.aborted, Self.isOver) {
      _ = try await client.read("c/a", in: transaction)
    }
  }

  /// The time of a call is no idle time, but counts for its age.
  @Test func oneThatWaitsEndsByItsAgeAlone() async throws {
    let (holder, waiter) = (try await client.begin(), try await client.begin())
    #expect(try await client.read("c/a", in: holder) == 1)
    let commit = try await waiting { [client] in try await client.write("c/a", 2, in: waiter) }
    for _ in 1...9 {
      clock.advance(by: .seconds(30))
      transactions.endExpired()
      _ = try await client.read("c/a", in: holder)
    }
    #expect(database.lockWaitCount == 1)
    clock.advance(by: .seconds(1))
    transactions.endExpired()
    // Both are as old.
    await refused(.aborted, Self.isOver) { try await client.commit(holder) }
    _ = await commit.result
    #expect(transactions.openCount == 0)
  }

  @Test func anIdThatIsForgottenIsKnownAllTheSame() async throws {
    let first = try await client.begin()
    try await client.rollback(first)
    for _ in 0..<10_001 { try await client.rollback(try await client.begin()) }
    await refused(.aborted, Self.isOver) { try await client.commit(first) }
    try await client.rollback(first)
    let again = try await client.begin { $0.readWrite.retryTransaction = first }
    #expect(try await client.read("c/a", in: again) == 1)
    try await client.rollback(again)
  }

  /// Each call that waits holds a thread, and none waits for another's.
  @Test func writersThatWaitHoldUpNoOthers() async throws {
    let transaction = try await client.begin()
    #expect(try await client.read("c/a", in: transaction) == 1)
    let writers = (100..<400).map { number in
      Task { [client] in try await client.write("c/a", Int64(number)) }
    }
    while database.lockWaitCount < writers.count { await Task.yield() }
    try await client.write("c/b", 7)
    #expect(try await client.read("c/b", { _ in }).number == 7)
    try await client.rollback(transaction)
    for writer in writers { try await writer.value }
  }

  @Test func callsOfOneAreLimited() async throws {
    let (older, younger) = (try await client.begin(), try await client.begin())
    #expect(try await client.read("c/a", in: older) == 1)
    let writer = try await waiting { [client] in try await client.write("c/a", 9) }
    var readers: [Task<Void, any Error>] = []
    for _ in 0..<32 {
      readers.append(
        try await waiting { [client] in _ = try await client.read("c/a", in: younger) })
    }
    let error = await #expect(throws: DatabaseError.self) {
      _ = try await client.read("c/a", in: younger)
    }
    #expect(error?.code == .resourceExhausted)
    try await client.rollback(older)
    try await writer.value
    for reader in readers { try await reader.value }
    try await client.rollback(younger)
  }

  @Test func theReadsOfOptimisticOnesAreLimited() async throws {
    let transactions = Transactions(limit: 100, readByteLimits: (each: 1_000, all: 2_500))
    let client = TransactionClient(
      DocumentCalls(OneDatabase(database: database), transactions: transactions))
    func begin() async throws -> Data {
      try await client.begin { $0.readWrite.concurrencyMode = .optimistic }
    }
    /// Reads until a read is refused, and returns the number of reads before.
    func readAll(_ id: Data) async throws -> Int {
      for count in 0..<1_000 {
        do {
          _ = try await client.read("c/a", in: id)
        } catch let error as DatabaseError {
          #expect(error.code == .resourceExhausted)
          await refused(.aborted, Self.isOver) { try await client.commit(id) }
          return count
        }
      }
      return 1_000
    }
    let count = try await readAll(try await begin())
    #expect(1 < count && count < 1_000 && transactions.openCount == 0)
    // The reads of one that has ended count no longer.
    for _ in 0..<3 {
      let ids = [try await begin(), try await begin()]
      for id in ids {
        for _ in 0..<count { #expect(try await client.read("c/a", in: id) == 1) }
      }
      #expect(try await readAll(try await begin()) < count)
      try await client.rollback(ids[0])
      #expect(try await readAll(try await begin()) == count)
      try await client.commit(ids[1])
    }
    let locking = try await client.begin()
    for _ in 0...count { #expect(try await client.read("c/a", in: locking) == 1) }
    try await client.rollback(locking)
  }

  @Test func openOnesAreLimited() async throws {
    let ids = [try await client.begin(), try await client.begin { $0.readOnly = .init() }]
    let third = try await client.begin()
    let error = await #expect(throws: DatabaseError.self) { _ = try await client.begin() }
    #expect(error?.code == .resourceExhausted)
    try await client.rollback(third)
    for id in ids { try await client.rollback(id) }
    _ = try await client.begin()
    #expect(transactions.openCount == 1)
  }

  @Test func theStopRollsAllBack() async throws {
    let (holder, waiter) = (try await client.begin(), try await client.begin())
    #expect(try await client.read("c/a", in: holder) == 1)
    let commit = try await waiting { [client] in try await client.write("c/a", 2, in: waiter) }
    transactions.stop()
    // A call that is under way ends by itself.
    try await commit.value
    #expect(transactions.openCount == 0)
    #expect(try await client.read("c/a", { _ in }).number == 2)
    let error = await #expect(throws: DatabaseError.self) { _ = try await client.begin() }
    #expect(error?.code == .unavailable)
  }

  @Test func clearingEndsThem() async throws {
    let transaction = try await client.begin()
    #expect(try await client.read("c/a", in: transaction) == 1)
    try await client.calls.clear("", of: TransactionClient.name, CallContext())
    #expect(try await client.read("c/a", { _ in }).number == nil)
    await refused(.aborted, Self.isOver) { try await client.commit(transaction) }
  }
}
