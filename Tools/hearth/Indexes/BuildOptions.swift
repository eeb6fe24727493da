import ArgumentParser
import Hearth

/// The options for the speed of an index build.
struct BuildOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Read at most this many documents a second.", valueName: "documents"))
  var rate: Double?

  @Option(
    name: .customLong("max-p99-ms"),
    help: ArgumentHelp(
      "Go slower while more than one in a hundred of the application's reads and commits takes "
        + "longer than this.", valueName: "milliseconds"))
  var maximumLatency: Double?

  func validate() throws {
    guard rate.map({ (0.1...1e9).contains($0) }) ?? true else {
      throw ValidationError("--rate takes a number of documents a second from 0.1.")
    }
    guard maximumLatency.map({ (0.001...1e6).contains($0) }) ?? true else {
      throw ValidationError("--max-p99-ms takes a number of milliseconds from 0.001.")
    }
  }

  /// The pace; `nil` if the options give none.
  var pace: BuildPace? {
    guard rate != nil || maximumLatency != nil else { return nil }
    return BuildPace(
      documentsPerSecond: rate, maximumLatency: maximumLatency.map { .nanoseconds($0 * 1e6) })
  }
}
