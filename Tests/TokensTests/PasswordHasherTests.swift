import HearthTokens
import Testing

@Suite struct PasswordHasherTests {
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

  @Test func placesOfCallsAreGivenBack() async throws {
    let hasher = PasswordHasher(Self.cheap, waitingLimit: 4)
    for _ in 0..<20 { _ = try await hasher.hash("a") }
  }
}
