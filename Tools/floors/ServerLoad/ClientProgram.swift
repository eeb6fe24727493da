import Foundation

/// A load generator by a client of Google's, which is a program of its own.
struct ClientProgram {
  /// The program's figures, as it prints them.
  private struct Figures: Decodable {
    let p50, p99: Double
    let callsPerSecond: Double
    /// Number of all calls, those to warm up included.
    let calls: Int
  }

  let command: [String]

  /// Runs the program to its end.
  ///
  /// - Throws: ``LoadError`` if it prints no figures.
  func run(
    _ kind: CallKind, inFlight: Int, of documents: Int, on server: ServerProcess,
    for seconds: Double
  ) throws -> CallLoad.Outcome {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments =
      ["FIRESTORE_EMULATOR_HOST=127.0.0.1:\(server.port)"] + command
      + [kind.rawValue, "\(inFlight)", "\(documents)", "\(seconds)"]
    process.standardOutput = output
    let processorTime = server.processorSeconds
    try process.run()
    let text = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard let figures = try? JSONDecoder().decode(Figures.self, from: text) else {
      throw LoadError.noFigures(command.joined(separator: " "))
    }
    let used = server.processorSeconds - processorTime
    return CallLoad.Outcome(
      p50: figures.p50, p99: figures.p99, callsPerSecond: figures.callsPerSecond,
      processorSeconds: used / Double(max(figures.calls, 1)))
  }
}
