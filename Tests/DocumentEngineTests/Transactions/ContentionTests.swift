import HearthDocumentEngine
import HearthDocumentModel
import HearthEngineUpkeep
import Glibc
import HearthOrderedStore
import TestSupport
import Testing

/// Many threads on few documents: no write is based on an outdated read.
@Suite struct ContentionTests {
  private static let accounts = (0..<6).map { ResourcePath(unchecked: ["accounts", "\($0)"]) }

  /// Runs `body` in a transaction until it meets no conflict, and counts the conflicts.
  private func transact(
    _ engine: Engine, _ aborts: Lock<Int>, _ body: (TransactionScope) throws -> Void
  ) throws {
    while true {
      let scope = try engine.beginTransaction()
      try body(scope)
      do throws(DatabaseError) {
        _ = try scope.commit()
        return
      } catch {
        guard error.code == .aborted else { throw error }
        aborts.withLock { $0 += 1 }
        sched_yield()
      }
    }
  }

  private func balance(_ scope: TransactionScope, _ path: ResourcePath) throws -> Int64 {
    try balance(scope.document(at: path))
  }

  private func balance(_ document: FetchedDocument?) throws -> Int64 {
    guard case .integer(let balance)? = try document?.value(at: FieldPath(unchecked: ["balance"]))
    else { return 0 }
    return balance
  }

  @Test func transfersKeepTheSum() throws {
    let seed = GeneratedCases.seed(count: 1)
    let engine = try Engine(MemoryStore())
    let aborts = Lock(0)
    _ = try engine.commit(Self.accounts.map { .set($0, ["balance": 100, "moves": 0]) })
    try onThreads(8) { thread in
      var random = SplitMix64(seed: seed &+ UInt64(thread))
      for _ in 0..<100 {
        let two = Self.accounts.shuffled(using: &random)[..<2]
        let amount = Int64.random(in: 1...30, using: &random)
        try transact(engine, aborts) { scope in
          let from = try balance(scope, two[0])
          let to = try balance(scope, two[1])
          guard from >= amount else { return }
          try scope.append(.merge(two[0], ["balance": .integer(from - amount)]))
          try scope.append(.merge(two[1], ["balance": .integer(to + amount)]))
        }
      }
    }
    let view = try engine.readView()
    let balances = try Self.accounts.map { try balance(view.document(at: $0)) }
    print("  conflicts of transfers: \(aborts.withLock { $0 })")
    #expect(balances.reduce(0, +) == 600)
    #expect(balances.allSatisfy { $0 >= 0 })
  }

  @Test func noIncrementIsLost() throws {
    let engine = try Engine(MemoryStore())
    let aborts = Lock(0)
    let counter = Self.accounts[0]
    try onThreads(8) { _ in
      for _ in 0..<50 {
        try transact(engine, aborts) { scope in
          let count = try balance(scope, counter)
          sched_yield()
          try scope.append(.set(counter, ["balance": .integer(count + 1)]))
        }
      }
    }
    let fields = try engine.readView().document(at: counter)?.fields()
    #expect(fields == ["balance": 400])
  }

  /// Each transaction reads both and writes one: alone, each keeps at least one on call.
  @Test func twoThatReadWhatTheOtherWritesDoNotBothCommit() throws {
    for _ in 0..<50 {
      let observer = HeldWrite()
      let engine = try Engine(ObservedStore(MemoryStore(), observer: observer))
      let doctors = [
        ResourcePath(unchecked: ["doctors", "a"]), .init(unchecked: ["doctors", "b"]),
      ]
      _ = try engine.commit(doctors.map { .set($0, ["onCall": true]) })
      let outcomes = Lock<[Bool]>([])
      observer.hold(until: 3)
      // No write is done before both have read; then they are in one group or in two.
      try onThreads(3) { thread in
        guard thread < 2 else {
          observer.announce()
          _ = try engine.commit([.set(ResourcePath(unchecked: ["x", "x"]), [:])])
          return
        }
        let scope = try engine.beginTransaction()
        for doctor in doctors { _ = try scope.document(at: doctor) }
        try scope.append(.set(doctors[thread], ["onCall": false]))
        observer.announce()
        do throws(DatabaseError) {
          _ = try scope.commit()
          outcomes.withLock { $0.append(true) }
        } catch {
          #expect(error.code == .aborted)
          outcomes.withLock { $0.append(false) }
        }
      }
      #expect(outcomes.withLock { $0.count(where: { $0 }) } == 1)
    }
  }
}

/// An observer that holds the first write until a given number of threads are about to commit.
private final class HeldWrite: StoreObserver {
  private struct State {
    var expected = 0
    var announced = 0
  }

  private let state = Lock(State())

  func hold(until expected: Int) { state.withLock { $0.expected = expected } }
  func announce() { state.withLock { $0.announced += 1 } }

  func willPerform(_ operation: StoreOperation) {}
  func didRead(byteCount: Int) {}
  func willWrite(_ batch: StoreBatch, to store: any OrderedStore) {
    state.withLock(when: { $0.announced >= $0.expected }) { _ in }
    for _ in 0..<10 { sched_yield() }
  }
}
