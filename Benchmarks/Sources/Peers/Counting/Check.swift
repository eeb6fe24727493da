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

  @Flag(
    inversion: .prefixedNo,
    help: "Count instructions too, where valgrind is; they may be a tenth more than they were.")
  var instructions = true

  @Flag(help: "Write the counters of this run as the new thresholds.")
  var update = false

  func run() throws {
    guard instructions || !update else {
      throw ValidationError("--update writes the instructions too")
    }
    let path = try Disk.makeTemporaryFolder(in: folder)
    defer { Disk.remove(path) }
    var counters = try WorkCounters.count(in: path, seed: WorkCounters.seed)
    let counts = instructions ? try countInstructions(in: path) : nil
    counters += (counts ?? []).map(Self.counter)
    show(TextReport.table(counters))
    if let counts { show(TextReport.table(counts.flatMap(\.goals))) }
    if update {
      guard counts != nil else { throw ValidationError("--update needs valgrind") }
      return try write(counters)
    }
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
      !names.contains($0) && (counts != nil || !$0.hasSuffix(Self.instructionSuffix))
    }.map { "\($0) was not counted" }
    for failure in failures.sorted() { show("Failed: \(failure)") }
    guard failures.isEmpty else { throw ExitCode.failure }
    show("\(counters.count) counters are within their thresholds.")
    if counts == nil { show("Instructions were not counted.") }
  }

  private static let instructionSuffix = " instructions"

  /// - Returns: `nil` if valgrind is not installed.
  private func countInstructions(in path: String) throws -> [InstructionCount]? {
    let counter = InstructionCounter(folder: path)
    var counts: [InstructionCount] = []
    for (workload, engine) in InstructionCounter.hearth {
      guard let count = try counter.count(workload, engine) else { return nil }
      counts.append(count)
    }
    return counts
  }

  private static func counter(_ count: InstructionCount) -> WorkCounter {
    // "Hearth, counting by time" is the line "Q4, counting by time".
    let line =
      count.workload.rawValue + count.engine.rawValue.dropFirst(Engine.hearth.rawValue.count)
    return WorkCounter(name: line + instructionSuffix, value: count.count)
  }

  private func write(_ counters: [WorkCounter]) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    let values = Dictionary(uniqueKeysWithValues: counters.map { ($0.name, $0.value) })
    try FileBytes.write(try encoder.encode(values) + Data("\n".utf8), to: thresholds)
  }
}
