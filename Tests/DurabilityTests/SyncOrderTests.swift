import TestSupport
import Testing

/// A commit is acknowledged only after a sync of its log has completed, as seen by a counter
/// between the process and the system.
@Suite struct SyncOrderTests {
  private static let commitCount = 100
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func traceOfCommits(_ durability: String) throws -> SyncTrace {
    let arguments = ["commit", folder.path(of: durability), "\(Self.commitCount)", durability]
    return try SyncTrace(of: arguments) { writer in
      #expect(writer.finish().count == Self.commitCount + 1)
    }
  }

  @Test func aSyncCompletesBeforeEachAcknowledgement() throws {
    let trace = try traceOfCommits("synced")
    #expect(trace.acknowledgementCount == Self.commitCount)
    #expect(trace.unsyncedAcknowledgements == [])
    // It also holds where the log changes.
    #expect(trace.logs.count > 1, "\(trace.logs)")
  }

  /// The counter works: without syncs no acknowledgement passes.
  @Test func theCounterSeesThatSyncsAreMissing() throws {
    let trace = try traceOfCommits("unsynced")
    #expect(trace.unsyncedAcknowledgements == Array(0..<Self.commitCount))
  }

  @Test func threadsThatShareASyncAreAcknowledgedAfterIt() throws {
    let seed = GeneratedCases.seed(count: 1)
    let arguments = ["write", folder.path(of: "threads"), "\(seed)", "4"]
    let trace = try SyncTrace(of: arguments) { writer in
      for _ in 0..<60 where writer.nextLine() == nil { return }
      _ = writer.kill()
    }
    #expect(trace.acknowledgementCount > 50)
    #expect(trace.acknowledgementsWithoutSync == 0)
  }
}
