import TestSupport
import Testing

/// Builds of indexes beside writers, killed anywhere: no acknowledged write is lost, and half-built
/// indexes continue by themselves.
///
/// `HEARTH_KILLS` is the number of kills; `Tools/crash-test builds` makes more than the tests do.
@Suite struct BuildKillTests {
  private static let killCount = GeneratedCases.count(of: "HEARTH_KILLS", unlessTold: 5)

  @Test func aKilledBuildGoesOnAndLosesNothing() async throws {
    let seed = GeneratedCases.seed(count: Self.killCount, of: "HEARTH_KILLS")
    var rounds = try BuildKillRounds(seed: seed)
    try await rounds.run(rounds: Self.killCount)
    print(rounds.figures)
    #expect(rounds.figures.rounds == Self.killCount)
    #expect(rounds.figures.acknowledged > 0 && rounds.figures.begun > 0)
    // A few kills may all miss a build; this number doesn't.
    if Self.killCount >= 20 { #expect(rounds.figures.halfBuilt > 0) }
  }
}
