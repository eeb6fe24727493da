import Foundation

/// A run of `StoreProbe`, which is built beside the tests.
struct Probe {
  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()

  init(_ arguments: String...) throws {
    let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    let folder = URL(fileURLWithPath: tests).deletingLastPathComponent()
    process.executableURL = folder.appendingPathComponent("StoreProbe")
    process.arguments = arguments
    process.standardInput = input
    process.standardOutput = output
    try process.run()
  }

  var processIdentifier: Int { Int(process.processIdentifier) }

  /// Waits for the next words of the probe.
  func read() -> String {
    String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
  }

  /// Ends the probe's input, waits for its end, and returns the rest of its output.
  func finish() throws -> String {
    try input.fileHandleForWriting.close()
    let rest = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return String(decoding: rest, as: UTF8.self)
  }
}
