import CrashWriter
import HearthDocumentEngine
import HearthDocumentModel
import HearthEngineUpkeep
import HearthOrderedStore
import HearthQueryPlanning
import TestSupport
import Testing

/// Law 3 seen from outside: a writer that is killed anywhere leaves a consistent database with all
/// acknowledged steps.
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
    // One kill may come before any acknowledgement; several don't.
    if Self.killCount >= 4 {
      #expect(rounds.figures.acknowledged > 0 && rounds.figures.documents > 0)
    }
  }

  /// An override that was being taken back may have only ready indexes. It goes with the next build
  /// of any index.
  @Test func aWriterFirstFinishesTheRemovalOfAnOverride() throws {
    let group = WriterHistory.collectionGroup
    let field = FieldPath(unchecked: ["tags"])
    var wasLeft = false
    for operation in 1... {
      let store = MemoryStore()
      let first = try Engine(store)
      _ = try first.commit([.set(ResourcePath(unchecked: [group, "d"]), ["tags": [1]])])
      // The entries of one index are to be deleted, and none are to be built.
      let more = SingleFieldIndex(.ascending, scope: .collectionGroup)
      try first.setOverride(group, field, SingleFieldIndex.defaults + [more])
      let fault = StoreFault(failingOperation: operation, counting: [.write])
      let broken = try Engine(ObservedStore(store, observer: fault))
      do {
        try broken.removeOverride(group, field)
        break
      } catch {
        #expect(error.code == .unavailable)
      }
      let state = try WriterState(of: Engine(store))
      guard state.unfinishedOverrides == [field] else { continue }
      wasLeft = true
      var history = WriterHistory(seed: 1, thread: 0, start: state)
      #expect(history.next().changesOverride(of: field))
    }
    #expect(wasLeft)
  }
}
