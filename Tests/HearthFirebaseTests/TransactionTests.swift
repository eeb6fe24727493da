import Dispatch
import Foundation
import HearthFirebase
import Synchronization
import Testing

@Suite struct TransactionTests {
  private let firestore: Firestore
  private let account: DocumentReference

  init() throws {
    firestore = try Firestore.inMemory()
    account = firestore.document("accounts/one")
  }

  /// Reads don't wait, however many transactions do. The limit ends a wait that would have no end.
  @Test(.timeLimit(.minutes(30))) func `reads wait for no transaction`() async throws {
    try await account.setData(["balance": 0])
    let gate = DispatchSemaphore(value: 0)
    let begunCount = Atomic(0)
    // More than there are threads.
    for _ in 0..<300 {
      firestore.runTransaction({ _, _ in
        begunCount.add(1, ordering: .relaxed)
        gate.wait()
        return nil
      }) { _, _ in }
    }
    defer { for _ in 0..<300 { gate.signal() } }
    while begunCount.load(ordering: .relaxed) < 2 { await _Concurrency.Task.yield() }
    let (answers, answer) = AsyncStream.makeStream(of: Bool.self)
    account.getDocument { snapshot, _ in answer.yield(snapshot?.exists == true) }
    var iterator = answers.makeAsyncIterator()
    #expect(await iterator.next() == true)
  }

  /// Adds one and returns the new number, as in the guides.
  private func addOne(_ transaction: Transaction, _ errorPointer: NSErrorPointer) -> Any? {
    let snapshot: DocumentSnapshot
    do {
      try snapshot = transaction.getDocument(account)
    } catch let fetchError as NSError {
      errorPointer?.pointee = fetchError
      return nil
    }
    guard let balance = snapshot.data()?["balance"] as? Int else {
      errorPointer?.pointee = NSError(domain: "Accounts", code: -1)
      return nil
    }
    transaction.updateData(["balance": balance + 1], forDocument: account)
    return balance + 1
  }

  @Test func `no update is lost`() async throws {
    try await account.setData(["balance": 0])
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask {
          for _ in 0..<10 {
            let options = TransactionOptions()
            options.maxAttempts = 1000
            _ = try await firestore.runTransaction(with: options, block: addOne)
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try await account.getDocument()["balance"] as? Int == 40)
  }

  @Test func `termination waits for the transactions that run`() async throws {
    try await account.setData(["balance": 0])
    let (began, beginning) = AsyncStream.makeStream(of: Void.self)
    let terminated = DispatchSemaphore(value: 0)
    let asked = DispatchSemaphore(value: 0)
    let (events, continuation) = AsyncStream.makeStream(of: String.self)
    firestore.runTransaction(
      { transaction, errorPointer in
        beginning.finish()
        asked.wait()
        // The database stays open for the duration of the transaction: each read would fail if a
        // close didn't wait.
        for _ in 0..<1_000 { #expect((try? transaction.getDocument(account)) != nil) }
        #expect(terminated.wait(timeout: .now()) == .timedOut)
        return addOne(transaction, errorPointer)
      },
      completion: { value, error in continuation.yield("\(value ?? "no value")") })
    for await _ in began {}
    withoutWaiting {
      firestore.terminate { error in
        terminated.signal()
        continuation.yield(error.map { "\($0)" } ?? "terminated")
        continuation.finish()
      }
    }
    asked.signal()
    var names: [String] = []
    for await name in events { names.append(name) }
    #expect(names == ["1", "terminated"])
  }

  @Test func `the completion gets the value or the error`() async throws {
    let (stream, continuation) = AsyncStream.makeStream(of: (Int?, (any Error)?).self)
    firestore.runTransaction(addOne) { continuation.yield(($0 as? Int, $1)) }
    for await (value, error) in stream {
      #expect(value == nil)
      #expect((error as? NSError)?.domain == "Accounts")
      break
    }
    // After a write for which no call waited.
    withoutWaiting { account.setData(["balance": 6]) }
    firestore.runTransaction(addOne) { continuation.yield(($0 as? Int, $1)) }
    for await (value, error) in stream {
      #expect(value == 7)
      #expect(error == nil)
      break
    }
  }

  @Test func `a bad write is the error of the transaction`() async throws {
    await #expect(throws: NSError.self) {
      _ = try await firestore.runTransaction { transaction, _ in
        transaction.setData(["a": Set([1])], forDocument: account)
        transaction.setData(["a": 1], forDocument: firestore.document("accounts/two"))
        return nil
      }
    }
    #expect(try await firestore.collection("accounts").getDocuments().isEmpty)
  }

  @Test func `reads come before writes`() async throws {
    do {
      _ = try await firestore.runTransaction { transaction, errorPointer in
        transaction.deleteDocument(account)
        do {
          _ = try transaction.getDocument(account)
        } catch let error as NSError {
          errorPointer?.pointee = error
        }
        return nil
      }
      Issue.record("The read was allowed.")
    } catch {
      #expect(
        error.localizedDescription
          == "Firestore transactions require all reads to be executed before all writes.")
    }
  }

  @Test func `every write`() async throws {
    let other = firestore.document("accounts/two")
    try await account.setData(["a": 1, "b": 1])
    _ = try await firestore.runTransaction { transaction, _ in
      transaction.setData(["c": 1], forDocument: account, merge: true)
        .setData(["a": 2, "b": 2], forDocument: account, mergeFields: ["b"])
        .setData(["n": 1], forDocument: other)
      return nil
    }
    let data = try await account.getDocument().data() as? [String: Int]
    #expect(data == ["a": 1, "b": 2, "c": 1])
    #expect(try await other.getDocument().exists)
  }
}
