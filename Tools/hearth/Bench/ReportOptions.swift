import ArgumentParser
import FoundationEssentials
import Hearth

/// The options for the output and the judgement of `bench`.
struct ReportOptions: ParsableArguments {
  @Option(
    name: .customLong("assert"), parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "A condition, such as 'p99<5ms', 'entries<=20' or 'NAME.p50<100us' for one query. If it "
        + "doesn't hold, the exit status is 3. May be given several times.",
      valueName: "assertion"),
    transform: Assertion.init)
  var assertions: [Assertion] = []

  @Option(
    help: ArgumentHelp("Save the run as JSON, for --compare.", valueName: "file"),
    completion: .file())
  var save: String?

  @Option(
    help: ArgumentHelp(
      "Compare with a saved run, and say whether a change is larger than the spread within each "
        + "run.", valueName: "file"), completion: .file())
  var compare: String?

  @Option(
    help: ArgumentHelp("Write a page with charts, for any browser.", valueName: "file"),
    completion: .file())
  var html: String?
}

extension ReportOptions {
  /// Finds problems with the output files before the measurement rather than after it.
  ///
  /// - Throws: ``ToolFailure`` for a folder that doesn't exist.
  func checkFolders() throws(ToolFailure) {
    for path in [save, html].compactMap(\.self) {
      let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
      guard FileManager.default.isWritableFile(atPath: folder) else {
        throw ToolFailure(
          .inputOutput, .unknown,
          "\(path) can't be written: its folder is not there, or may not be written to.")
      }
    }
  }

  /// Checks that the assertions name queries that exist.
  ///
  /// - Throws: ``ToolFailure`` for an assertion about a query that doesn't exist.
  func checkAssertions(on queries: [BenchQuery], hasWriters: Bool) throws(ToolFailure) {
    let names = queries.map(\.name) + (hasWriters ? [LoadFigures.writes] : [])
    for assertion in assertions {
      guard let name = assertion.name, !names.contains(where: name.utf8Equal) else { continue }
      throw ToolFailure(
        .usage, .invalidArgument,
        "--assert \(assertion.text): there is no \(name), but \(names.joined(separator: ", ")).")
    }
  }

  /// Judges the results, after they are printed.
  ///
  /// - Throws: ``ToolFailure`` for assertions that don't hold; the first error of an operation if
  ///   no assertion is about errors.
  func judge(_ results: [CaseResult]) throws {
    if !assertions.contains(where: \.judgesErrors),
      let error = results.lazy.compactMap(\.firstError).first
    {
      throw error
    }
    let failures = results.flatMap { result in assertions.compactMap { $0.failure(in: result) } }
    guard !failures.isEmpty else { return }
    let title =
      failures.count == 1 ? "an assertion doesn't hold" : "\(failures.count) assertions don't hold"
    throw ToolFailure(
      .assertion, .failedPrecondition,
      "\(title):\n\(failures.map { "  \($0)" }.joined(separator: "\n"))")
  }
}
