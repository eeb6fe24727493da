import ArgumentParser
import Foundation

/// The latency and the cost of calls of gRPC to `hearth serve`, beside the official emulator where
/// it is installed.
@main
struct ServerLoad: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Loads `hearth serve` over gRPC, and the official emulator beside it.")

  @Option(help: "The hearth to run.")
  var hearth: String

  @Option(help: "How many documents the calls read.")
  var documents = 20_000

  @Option(help: "How long each kind of call is made, in seconds.")
  var seconds = 5.0

  @Option(help: "How many calls are in flight; can be repeated.")
  var inFlight = [1, 32, 256]

  @Option(help: "How many listeners hear of a hundred writes a second; 0 for none.")
  var listeners = 1_000

  @Option(help: "How many connections are opened and closed at the end; 0 for none.")
  var connections = 5_000

  @Option(help: "How many seconds after the last connection the memory is looked at.")
  var pause = 60.0

  @Flag(help: "Measure the official emulator too; it needs gcloud.")
  var emulator = false

  func validate() throws {
    guard documents >= 1_000, documents.isMultiple(of: SampleTasks.batchCount) else {
      throw ValidationError(
        "--documents needs a multiple of \(SampleTasks.batchCount), at least 1000")
    }
    guard seconds > 0, !inFlight.isEmpty, inFlight.allSatisfy({ (1...1_000).contains($0) }),
      listeners >= 0, connections >= 0, pause >= 0
    else { throw ValidationError("--in-flight needs numbers from 1 to 1000, the rest no negative") }
  }

  func run() async throws {
    ConnectionLoad.raiseFileLimit()
    print("| server | call | in flight | p50 | p99 | calls a second | CPU a call |")
    print("|---|---|---:|---:|---:|---:|---:|")
    let ours = try await measureHearth()
    guard emulator else { return }
    let theirs = try await measureEmulator()
    print("\nThe emulator's p50 beside Hearth's, one call in flight:")
    for (call, latency) in theirs where ours[call] != nil {
      print("- \(call.rawValue): \((latency / (ours[call] ?? latency)).formatted) times as long")
    }
  }

  /// Returns the p50 of each kind of call with one in flight, in seconds.
  private func measureHearth() async throws -> [CallKind: Double] {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("hearth-load-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let indexes = folder.appendingPathComponent("indexes.json")
    try Data(SampleTasks.indexFile.utf8).write(to: indexes)
    let arguments = [
      "serve", "--db", folder.appendingPathComponent("data").path, "--port", "0", "--json",
      "--indexes", indexes.path,
    ]
    let first = try await ServerProcess.hearth(hearth, arguments)
    try await SampleTasks.write(documents, to: first)
    let loaded = first.residentMegabytes
    try await first.stop()
    let server = try await ServerProcess.hearth(hearth, arguments)
    // The first call opens the database.
    let opening = ContinuousClock.now
    try await ConnectionLoad.openAndClose(1, on: server)
    let start = server.startSeconds + (ContinuousClock.now - opening) / .seconds(1)
    let latencies = try await measureCalls(of: server, named: "Hearth")
    print("\n- start on an existing database, up to the first answer: \(start.shownTime)")
    print("- resident memory after loading: \(loaded.formatted) MB")
    let before = server.residentMegabytes
    if listeners > 0 {
      let delays = try await ListenerLoad(count: listeners).run(on: server, for: seconds)
      print(
        "- \(listeners) listeners, 100 writes a second: an event follows its write after "
          + "\(delays.p50.shownTime), p99 \(delays.p99.shownTime)")
    }
    try await ConnectionLoad.openAndClose(connections, on: server)
    try await Task.sleep(for: .seconds(pause))
    print(
      "- resident memory before the listeners and \(connections) connections: "
        + "\(before.formatted) MB; \(Int(pause)) s after they have gone: "
        + "\(server.residentMegabytes.formatted) MB")
    try await server.stop()
    return latencies
  }

  private func measureEmulator() async throws -> [CallKind: Double] {
    let server = try await ServerProcess.emulator()
    try await SampleTasks.write(documents, to: server)
    let latencies = try await measureCalls(of: server, named: "emulator")
    print("\n- start of the emulator: \((server.startSeconds * 1_000).formatted) ms")
    print("- resident memory of the emulator: \(server.residentMegabytes.formatted) MB")
    try await server.stop()
    return latencies
  }

  private func measureCalls(
    of server: ServerProcess, named name: String
  ) async throws -> [CallKind: Double] {
    var latencies: [CallKind: Double] = [:]
    for kind in CallKind.allCases {
      for count in inFlight {
        let load = CallLoad(kind, inFlight: count, of: documents)
        _ = try await load.run(on: server, for: min(1, seconds))
        let outcome = try await load.run(on: server, for: seconds)
        if count == 1 { latencies[kind] = outcome.p50 }
        print(
          "| \(name) | \(kind.rawValue) | \(count) | \(outcome.p50.shownTime) "
            + "| \(outcome.p99.shownTime) | \(outcome.callsPerSecond.formatted) "
            + "| \(outcome.processorSeconds.shownTime) |")
      }
    }
    return latencies
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
