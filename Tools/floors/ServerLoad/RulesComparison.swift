import ArgumentParser
import Foundation

/// The cost of security rules: calls of a user to a server with rules and to one without, in turns.
struct RulesComparison {
  /// The processor time that a rule of ten conditions may add to a get, in seconds.
  private static let most = 5e-6
  private static let roundCount = 7
  private static let inFlight = 32

  let options: ServerLoad
  let rules: String

  /// Compares the servers, and prints the cost of each kind of call.
  ///
  /// - Throws: `ExitCode` if rules cost too much.
  func run() async throws {
    try await withServer([]) { plain in
      try await withServer(["--rules", rules]) { judged in
        for server in [plain, judged] { try await SampleTasks.write(options.documents, to: server) }
        print("| call | server's CPU without rules | with rules | difference |")
        print("|---|---:|---:|---:|")
        let cost = try await compare(.get, plain, judged)
        _ = try await compare(.page, plain, judged)
        let isMet = cost <= RulesComparison.most
        let most = RulesComparison.most.shownTime
        print("\nA get costs at most \(most) more: \(isMet ? "met" : "missed")")
        guard isMet else { throw ExitCode.failure }
      }
    }
  }

  private func withServer(
    _ arguments: [String], _ body: (ServerProcess) async throws -> Void
  ) async throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("hearth-rules-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let indexes = folder.appendingPathComponent("indexes.json")
    try Data(SampleTasks.indexFile.utf8).write(to: indexes)
    let all =
      ["serve", "--in-memory", "--port", "0", "--json", "--indexes", indexes.path] + arguments
    try await ServerProcess.hearth(options.hearth, all).use(body)
  }

  /// Measures one kind of call at both servers, and prints a row.
  ///
  /// - Returns: the median of the differences, in seconds of the server's processor time.
  private func compare(
    _ kind: CallKind, _ plain: ServerProcess, _ judged: ServerProcess
  ) async throws -> Double {
    let load = CallLoad(
      kind, inFlight: RulesComparison.inFlight, of: options.documents, byUser: true)
    var times: [(plain: Double, judged: Double)] = []
    // The first round warms up.
    for _ in 0...RulesComparison.roundCount {
      times.append(
        (
          try await load.run(on: plain, for: options.seconds).processorSeconds,
          try await load.run(on: judged, for: options.seconds).processorSeconds
        ))
    }
    func median(_ part: ((plain: Double, judged: Double)) -> Double) -> Double {
      times.dropFirst().map(part).sorted().percentile(0.5)
    }
    let difference = median { $0.judged - $0.plain }
    print(
      "| \(kind.rawValue) | \(median(\.plain).shownTime) | \(median(\.judged).shownTime) "
        + "| \(difference.shownTime) |")
    return difference
  }
}
