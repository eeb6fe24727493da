import ServerTestClient
import TestSupport
import Testing

/// A server that is killed under clients that write and listen.
///
/// `HEARTH_KILLS` is the number of kills; `Tools/crash-test server` makes more than the tests do.
@Suite(.timeLimit(.minutes(240))) struct ServerKillTests {
  private static let killCount = GeneratedCases.count(of: "HEARTH_KILLS", unlessTold: 3)

  @Test func aKilledServerLosesNothingThatItAcknowledged() async throws {
    let seed = GeneratedCases.seed(count: Self.killCount, of: "HEARTH_KILLS")
    var rounds = try ServerKillRounds(seed: seed)
    try await Turns.run { try await rounds.run(rounds: Self.killCount) }
    print(rounds.figures)
    #expect(rounds.faults == [])
    #expect(rounds.figures.rounds == Self.killCount)
    if Self.killCount > 0 { #expect(rounds.figures.acknowledged > 0) }
    // Of many rounds, listeners connect again in some.
    if Self.killCount >= 20 { #expect(rounds.figures.reconnects > 0) }
  }
}
