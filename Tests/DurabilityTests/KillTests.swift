import TestSupport
import Testing

/// Law 3 seen from outside: a writer that is killed anywhere leaves a consistent database with all
/// that it acknowledged.
///
/// `HEARTH_KILLS` is the number of kills; `Tools/crash-test` makes more than the tests do.
@Suite struct KillTests {
  private static let killCount = GeneratedCases.count(of: "HEARTH_KILLS", unlessTold: 6)

  @Test func aKilledWriterLosesNothingThatItAcknowledged() throws {
    let seed = GeneratedCases.seed(count: Self.killCount, of: "HEARTH_KILLS")
    var rounds = try KillRounds(seed: seed)
    try rounds.run(rounds: Self.killCount)
    print(rounds.figures)
    #expect(rounds.figures.rounds == Self.killCount)
    // One kill may come before anything is acknowledged; several don't.
    if Self.killCount >= 4 {
      #expect(rounds.figures.acknowledged > 0 && rounds.figures.documents > 0)
    }
  }
}
