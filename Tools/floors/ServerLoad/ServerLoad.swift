import ArgumentParser
import Foundation

/// The latency and the cost of calls of gRPC to `hearth serve`, beside the official emulator where
/// it is installed.
@main
struct ServerLoad: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Loads `hearth serve` over gRPC, and the official emulator beside it.",
    discussion: """
      With 20,000 documents and one call in flight the figures have bounds. They are printed as \
      met or missed, and the command fails if one is missed.
      """)

  @Option(help: "The hearth to run.")
  var hearth: String

  @Option(help: "How many documents the calls read.")
  var documents = 20_000

  @Option(help: "How long each kind of call is made, in seconds.")
  var seconds = 5.0

  @Option(help: "How many calls are in flight; can be repeated.")
  var inFlight = [1, 32, 256]

  @Option(help: "A file of security rules, by which the calls of a user are judged.")
  var rules: String?

  @Option(help: "A file of security rules, whose cost for calls of a user is all that is measured.")
  var compareRules: String?

  @Option(help: "How many listeners hear of a hundred writes a second; 0 for none.")
  var listeners = 1_000

  @Option(help: "How many connections are opened and closed; 0 for none.")
  var connections = 5_000

  @Option(help: "How many seconds after the last connection the memory is looked at.")
  var pause = 60.0

  @Option(
    parsing: .upToNextOption,
    help: "The command of another load generator: python_load.py, with its Python before it.")
  var client: [String] = []

  @Flag(help: "Measure the official emulator too; it needs gcloud.")
  var emulator = false

  func validate() throws {
    guard documents >= 1_000, documents.isMultiple(of: SampleTasks.batchCount) else {
      throw ValidationError(
        "--documents needs a multiple of \(SampleTasks.batchCount), at least 1000")
    }
    guard seconds > 0, !inFlight.isEmpty, inFlight.allSatisfy({ (1...1_000).contains($0) }),
      listeners >= 0, rules == nil || listeners == 0, connections >= 0, pause >= 0
    else {
      throw ValidationError(
        "--in-flight needs numbers from 1 to 1000, the rest no negative, and --rules no listeners")
    }
  }

  func run() async throws {
    ConnectionLoad.raiseFileLimit()
    if let compareRules {
      return try await RulesComparison(options: self, rules: compareRules).run()
    }
    let ours = try await ServerMeasurement(options: self).measureHearth()
    let theirs = emulator ? try await ServerMeasurement(options: self).measureEmulator() : nil
    guard documents == Must.documents, inFlight.contains(1) else { return }
    let musts = Must.all(of: ours, beside: theirs)
    print("\nThe bounds for \(documents) documents, with one call in flight:")
    for must in musts { print("- \(must.text)") }
    guard musts.allSatisfy(\.isMet) else { throw ExitCode.failure }
  }
}

extension Double {
  /// Three digits that count.
  var formatted: String {
    self >= 100 ? String(Int(self.rounded())) : String(format: "%.3g", self)
  }

  /// Seconds in the unit that suits them.
  var shownTime: String {
    self < 0.001 ? "\((self * 1e6).formatted) µs" : "\((self * 1e3).formatted) ms"
  }
}
