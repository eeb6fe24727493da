import Foundation

/// The measurement of one server, which prints what it finds.
struct ServerMeasurement {
  let options: ServerLoad

  /// Measures memory in the process that has written the documents, and the rest in another one,
  /// which starts on the existing database.
  func measureHearth() async throws -> Figures {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("hearth-load-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let indexes = folder.appendingPathComponent("indexes.json")
    try Data(SampleTasks.indexFile.utf8).write(to: indexes)
    let arguments =
      [
        "serve", "--db", folder.appendingPathComponent("data").path, "--port", "0", "--json",
        "--indexes", indexes.path,
      ] + (options.rules.map { ["--rules", $0] } ?? [])
    var figures = Figures()
    say("Hearth, \(options.documents) documents")
    try await ServerProcess.hearth(options.hearth, arguments).use { server in
      try await measureMemory(
        of: server, listeners: options.listeners, connections: options.connections, in: &figures)
    }
    try await ServerProcess.hearth(options.hearth, arguments).use { server in
      // The first call opens the database.
      let opening = ContinuousClock.now
      try await ConnectionLoad.openAndClose(1, on: server)
      figures.startSeconds = server.startSeconds + (ContinuousClock.now - opening) / .seconds(1)
      say("- start with these documents, to the first answer: \(figures.startSeconds.shownTime)")
      figures.single = try await measureCalls(of: server)
    }
    return figures
  }

  func measureEmulator() async throws -> Figures {
    var figures = Figures()
    say("\nThe official emulator, \(options.documents) documents")
    try await ServerProcess.emulator().use { server in
      figures.startSeconds = server.startSeconds
      say("- start: \(figures.startSeconds.shownTime)")
      // It doesn't answer the listeners of this generator.
      try await measureMemory(of: server, listeners: 0, connections: 0, in: &figures)
      figures.single = try await measureCalls(of: server)
    }
    return figures
  }

  private func measureMemory(
    of server: ServerProcess, listeners: Int, connections: Int, in figures: inout Figures
  ) async throws {
    try await SampleTasks.write(options.documents, to: server)
    figures.loadedMegabytes = server.residentMegabytes
    say("- resident memory after loading: \(figures.loadedMegabytes.formatted) MB")
    if listeners > 0 {
      let delays = try await ListenerLoad(count: listeners).run(on: server, for: options.seconds)
      say(
        "- \(listeners) listeners, 100 writes a second: an event follows its write after "
          + "\(delays.p50.shownTime), p99 \(delays.p99.shownTime)")
    }
    guard connections > 0 else { return }
    try await ConnectionLoad.openAndClose(connections, on: server)
    try await Task.sleep(for: .seconds(options.pause))
    let rested = server.residentMegabytes
    say(
      "- resident memory \(Int(options.pause)) s after \(connections) connections, too, have gone: "
        + "\(rested.formatted) MB")
    if listeners >= 1_000, connections >= 5_000, options.pause >= 60 {
      figures.restedMegabytes = rested
    }
  }

  /// Returns the calls with one in flight, by this program's own generator.
  private func measureCalls(of server: ServerProcess) async throws -> [CallKind: CallLoad.Outcome] {
    say("\n| client | call | in flight | p50 | p99 | calls a second | server's CPU a call |")
    say("|---|---|---:|---:|---:|---:|---:|")
    var single: [CallKind: CallLoad.Outcome] = [:]
    for kind in CallKind.allCases {
      for count in options.inFlight {
        let load = CallLoad(
          kind, inFlight: count, of: options.documents, byUser: options.rules != nil)
        _ = try await load.run(on: server, for: min(1, options.seconds))
        let outcome = try await load.run(on: server, for: options.seconds)
        if count == 1 { single[kind] = outcome }
        show(outcome, of: "own", kind, count)
      }
    }
    guard !options.client.isEmpty else { return single }
    for kind in CallKind.allCases {
      for count in options.inFlight {
        let outcome = try ClientProgram(command: options.client).run(
          kind, inFlight: count, of: options.documents, on: server, for: options.seconds)
        show(outcome, of: "Python", kind, count)
      }
    }
    return single
  }

  private func show(
    _ outcome: CallLoad.Outcome, of client: String, _ kind: CallKind, _ inFlight: Int
  ) {
    say(
      "| \(client) | \(kind.rawValue) | \(inFlight) | \(outcome.p50.shownTime) "
        + "| \(outcome.p99.shownTime) | \(outcome.callsPerSecond.formatted) "
        + "| \(outcome.processorSeconds.shownTime) |")
  }
}

/// Prints a line, which a file gets at once, too.
private func say(_ line: String) {
  print(line)
  fflush(nil)
}
