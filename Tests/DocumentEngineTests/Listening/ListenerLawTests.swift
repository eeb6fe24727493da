import HearthDocumentModel
import TestSupport
import Testing

/// Law: a listener that replays the changes that it receives has the result of a fresh query at the
/// same moment, and receives nothing else.
@Suite struct ListenerLawTests {
  private static let historiesPerDatabase = 40

  @Test func changesReplayedGiveWhatAFreshQueryReturns() throws {
    let seed = GeneratedCases.seed()
    var mix = ListenerMix()
    for number in 0..<GeneratedCases.count(per: Self.historiesPerDatabase) {
      let seed = seed &+ UInt64(number)
      do {
        var session = try ListenerSession(seed: seed)
        for _ in 0..<Self.historiesPerDatabase { try session.runHistory(&mix) }
      } catch {
        Issue.record("HEARTH_SEED=\(seed) HEARTH_CASES=1: \(error)")
        return
      }
    }
    mix.check()
  }
}
