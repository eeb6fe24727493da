import ArgumentParser
import FoundationEssentials
import Workbench

/// `check`: work counters and instructions against thresholds that are kept with the source.
struct Check: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Count Hearth's work on fixed data; fail where it is more than it was.")

  @Option(help: "The file of thresholds.")
  var thresholds = "Benchmarks/thresholds.json"

  @Option(help: "The folder in which the databases are made.")
  var folder = "/tmp"

  @Flag(help: "Count instructions too; they may be a tenth more than they were.")
  var instructions = false

  @Flag(help: "Write the counters of this run as the new thresholds.")
  var update = false

  func run() throws {
    let path = try Disk.makeTemporaryFolder(in: folder)
    defer { Disk.remove(path) }
    var counters = try WorkCounters.count(in: path, seed: WorkCounters.seed)
    if instructions { counters += try instructionCounters(in: path) }
    show(TextReport.table(counters))
    if update { return try write(counters) }
    let allowed = try JSONDecoder().decode(
      [String: Double].self, from: Data(FileBytes.read(thresholds)))
    var failures = counters.compactMap { counter -> String? in
      guard let limit = allowed[counter.name] else {
        return "\(counter.name) has no threshold"
      }
      let slack = counter.name.hasSuffix(Self.instructionSuffix) ? 1.1 : 1 + 1e-9
      guard counter.value > limit * slack else { return nil }
      return "\(counter.name) is \(counter.value), above \(limit)"
    }
    let names = Set(counters.map(\.name))
    failures += allowed.keys.filter {
      !names.contains($0) && (instructions || !$0.hasSuffix(Self.instructionSuffix))
    }.map { "\($0) was not counted" }
    for failure in failures.sorted() { show("Failed: \(failure)") }
    guard failures.isEmpty else { throw ExitCode.failure }
    show("\(counters.count) counters are within their thresholds.")
  }

  private static let instructionSuffix = " instructions"

  private func instructionCounters(in path: String) throws -> [WorkCounter] {
    let counter = InstructionCounter(folder: path)
    return try [Workload.q1, .q2, .q4, .q6].map { workload in
      guard let count = try counter.count(workload, .hearth) else {
        throw StudyError("valgrind is not installed")
      }
      return WorkCounter(
        name: workload.rawValue + Self.instructionSuffix, value: count.count)
    }
  }

  private func write(_ counters: [WorkCounter]) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    let values = Dictionary(uniqueKeysWithValues: counters.map { ($0.name, $0.value) })
    try FileBytes.write(try encoder.encode(values) + Data("\n".utf8), to: thresholds)
  }
}
