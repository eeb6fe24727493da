import Foundation
import TestSupport
import Testing

/// Law 3 seen from outside: a writer that is killed anywhere leaves a consistent database with all
/// that it acknowledged.
///
/// `HEARTH_KILLS` is the number of kills; `Tools/crash-test` makes more than the tests do.
@Suite struct KillTests {
  private static let killCount =
    ProcessInfo.processInfo.environment["HEARTH_KILLS"].flatMap { Int($0) } ?? 6

  @Test func aKilledWriterLosesNothingThatItAcknowledged() throws {
    var rounds = try KillRounds(seed: GeneratedCases.seed())
    try rounds.run(rounds: Self.killCount)
    print(rounds.figures)
    #expect(rounds.figures.rounds == Self.killCount)
    #expect(rounds.figures.acknowledged > 0 && rounds.figures.documents > 0)
  }
}
