import TestSupport
import Testing

/// A process that is forked while it has a database open: the child can't change the database.
@Suite struct ForkTests {
  /// The lines of every parent after the end of its child.
  private static let goesOn = [
    "the parent writes: done", "somebody else opens it: unavailable",
    "the admin socket is there: true", "documents: 101, all well: true",
  ]

  private func expect(_ expected: [String], of command: String) throws {
    let folder = try TemporaryFolder()
    let probe = try RunningWriter([command, folder.path(of: "")], program: "ForkProbe")
    let lines = probe.finish()
    #expect(lines == expected)
  }

  @Test func theChildIsRefusedAndTheParentGoesOn() throws {
    let refused = [
      "get what is remembered", "get", "query", "count", "take a moment", "get at a moment",
      "query at a moment", "set", "batch", "batch that threads would share", "transaction",
      "create an index", "list indexes", "list builds", "wait for a build", "set the pace",
      "verify", "compact",
    ]
    try expect(
      refused.map { "\($0): failedPrecondition" } + [
        "the pace is unlimited: true", "listen: failedPrecondition", "close: done",
        "write when closed: failedPrecondition",
        "open another: failedPrecondition", "open it for reading: failedPrecondition",
        "open one in memory: failedPrecondition", "child ended: 0",
      ] + Self.goesOn, of: "calls")
  }

  @Test func aChildThatLetsGoOfItClosesNothing() throws {
    try expect(["released: true", "child ended: 0"] + Self.goesOn, of: "release")
  }

  @Test func aChildThatOutlivesItsParentDoesNotLockTheDatabase() throws {
    try expect(
      ["child ended: 0", "a tool finds nobody: done", "somebody else opens it: done"],
      of: "orphan")
  }

  /// The child's lines are first: the parent waits for its end.
  @Test(arguments: ["scan", "remembered"])
  func aQueryThatWasBegunDoesNotEndInTheChild(_ command: String) throws {
    try expect(
      ["scan: failedPrecondition", "child ended: 0", "scan: done"] + Self.goesOn, of: command)
  }

  @Test func callsOfFirebasesKindAreRefusedAtOnce() throws {
    let refused = ["get", "set", "listen", "transaction", "wait for writes"]
    try expect(
      refused.map { "\($0): true" } + ["child ended: 0"] + Self.goesOn, of: "firebase")
  }
}
