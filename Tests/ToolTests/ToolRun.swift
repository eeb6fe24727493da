import Foundation

/// One run of the built `hearth`.
struct ToolRun {
  let output: String
  let errors: String
  /// Exit status; as in shells, 128 and the signal's number if a signal ended it.
  let status: Int32

  /// Runs `hearth` and waits for its end.
  ///
  /// - Parameters:
  ///   - executable: the program to run instead of the tool.
  ///   - environment: the tool's variables, beside `PATH` and `HOME`.
  ///   - folder: the folder to run in.
  static func run(
    _ arguments: [String], executable: URL = executable, input: [UInt8] = [],
    environment: [String: String] = [:], in folder: URL? = nil
  ) async throws -> ToolRun {
    // Files rather than pipes: neither side can block the other, however much is written.
    let files = FileManager.default.temporaryDirectory
      .appending(path: "hearth-run-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: files, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: files) }
    let (inputFile, outputFile, errorFile) = (
      files.appending(path: "in"), files.appending(path: "out"), files.appending(path: "err")
    )
    try Data(input).write(to: inputFile)
    try Data().write(to: outputFile)
    try Data().write(to: errorFile)

    let process = Process()
    process.executableURL = executable
    process.arguments = arguments
    process.environment = inherited.merging(environment) { $1 }
    process.currentDirectoryURL = folder ?? files
    let handles = [
      try FileHandle(forReadingFrom: inputFile), try FileHandle(forWritingTo: outputFile),
      try FileHandle(forWritingTo: errorFile),
    ]
    // Otherwise they outlive the process, and if there are more than 1,300 open files, another
    // `Process` may read past the list of them.
    defer { for handle in handles { try? handle.close() } }
    process.standardInput = handles[0]
    process.standardOutput = handles[1]
    process.standardError = handles[2]
    try await withCheckedThrowingContinuation {
      (continuation: CheckedContinuation<Void, any Error>) in
      process.terminationHandler = { _ in continuation.resume() }
      do {
        try process.run()
      } catch {
        process.terminationHandler = nil
        continuation.resume(throwing: error)
      }
    }
    let signal: Int32 = process.terminationReason == .uncaughtSignal ? 128 : 0
    return ToolRun(
      output: String(decoding: try Data(contentsOf: outputFile), as: UTF8.self),
      errors: String(decoding: try Data(contentsOf: errorFile), as: UTF8.self),
      status: signal + process.terminationStatus)
  }

  /// The built tool, beside the test bundle, which is the running program.
  static let executable = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
    .appending(path: "hearth")

  private static var inherited: [String: String] {
    ProcessInfo.processInfo.environment.filter { ["PATH", "HOME"].contains($0.key) }
  }

  /// The run as golden scripts show it: output, then errors, then the status if it is not 0.
  var transcript: String {
    var text = output
    var lines = errors.split(separator: "\n", omittingEmptySubsequences: false)
    if lines.last?.isEmpty == true { lines.removeLast() }
    text += lines.map { $0.isEmpty ? "!\n" : "! \($0)\n" }.joined()
    if status != 0 { text += "[exit \(status)]\n" }
    return text
  }
}
