import Dispatch
import HearthTokens
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(2))) struct PasswordHasherTests {
  /// Cheap parameters, as these tests ask nothing of the strength.
  private static let cheap = PasswordAlgorithm.scrypt(
    logCost: 4, blockSize: 1, parallelism: 1, byteCount: 32)

  @Test func aHashMatchesItsPasswordAlone() async throws {
    let hasher = PasswordHasher(Self.cheap)
    let hash = try await hasher.hash("correct horse")
    #expect(try await hasher.matches("correct horse", hash))
    #expect(try await !hasher.matches("correct hors", hash))
    #expect(try await hasher.hash("correct horse") != hash)
    #expect(try await !hasher.matches("correct horse", nil))
    await #expect(throws: PasswordError.damaged) { try await hasher.matches("a", "plain") }
  }

  @Test func hashesOfAnotherWayAreOutdated() async throws {
    let hash = try await PasswordHasher(Self.cheap).hash("a")
    #expect(try !PasswordHasher(Self.cheap).isOutdated(hash))
    #expect(try PasswordHasher().isOutdated(hash))
    #expect(try await PasswordHasher().matches("a", hash))
  }

  @Test func moreCallsThanMayWaitAreRefused() async throws {
    let hasher = PasswordHasher(Self.cheap, waitingLimit: 0)
    await #expect(throws: PasswordError.tooMany) { try await hasher.hash("a") }
    await #expect(throws: PasswordError.tooMany) { try await hasher.matches("a", nil) }
  }

  /// Work that blocks its thread keeps neither the program's other tasks nor more than two threads.
  @Test func twoAreHashedAtATimeBesideAllTasks() async throws {
    let hasher = PasswordHasher(Self.cheap)
    let (begins, begin) = AsyncStream.makeStream(of: Void.self)
    let counts = Counts()
    let gate = DispatchSemaphore(value: 0)
    let work: @Sendable () throws(PasswordError) -> Void = {
      counts.begin()
      begin.yield()
      gate.wait()
      counts.end()
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<8 { group.addTask { try await hasher.run(work) } }
      var begun = 0
      for await _ in begins {
        begun += 1
        if begun == 2 { break }
      }
      #expect(counts.present == 2)
      for _ in 0..<8 { gate.signal() }
      try await group.waitForAll()
    }
    #expect(counts.most == 2)
  }

  @Test func placesOfCallsAreGivenBack() async throws {
    let hasher = PasswordHasher(Self.cheap, waitingLimit: 4)
    for _ in 0..<20 { _ = try await hasher.hash("a") }
  }

  /// A wrong password takes as long for an account whose imported hash is quick to make as for no
  /// account.
  @Test func eachComparisonCostsAHashOfTheUsualWay() async throws {
    let count = HashCount()
    let hasher = PasswordHasher(Self.cheap, noteHash: count.add)
    let own = try await hasher.hash("a")
    #expect(count.taken() == 1)
    for (hash, cost) in [
      (nil, 1), (own, 1), ("$hmac-sha256$salt-first$AAAA$AAAA$AAAA", 2),
      ("$sha1$8,password-first$AAAA$AAAA", 2), ("$pbkdf2-sha256$1000$AAAA$AAAA", 2),
      ("$pbkdf2-sha256$20000$AAAA$AAAA", 1),
    ] {
      #expect(try await !hasher.matches("b", hash))
      #expect(count.taken() == cost, "\(hash ?? "none")")
    }
  }
}

/// The number of hashes that were made.
private final class HashCount: Sendable {
  private let count = Mutex(0)

  @Sendable func add() { count.withLock { $0 += 1 } }

  func taken() -> Int {
    count.withLock { count in
      defer { count = 0 }
      return count
    }
  }
}

/// The runs under way.
private final class Counts: Sendable {
  private let counts = Mutex((present: 0, most: 0))

  var present: Int { counts.withLock { $0.present } }
  var most: Int { counts.withLock { $0.most } }

  func begin() {
    counts.withLock { $0 = ($0.present + 1, max($0.most, $0.present + 1)) }
  }

  func end() { counts.withLock { $0.present -= 1 } }
}
