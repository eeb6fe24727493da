import Foundation
import ServerTestClient
import TestSupport
import Testing

/// `hearth serve` as a process of its own.
struct ServerProcess: Sendable {
  private nonisolated(unsafe) let process: RunningWriter
  let port: Int

  /// Starts a server with a free port.
  static func start(
    _ arguments: [String], in folder: TemporaryFolder
  ) async throws -> ServerProcess {
    try await apart {
      let process = try RunningWriter(
        ["serve", "--port", "0", "--json"] + arguments, program: "hearth",
        errors: folder.path(of: "errors"))
      let line = try #require(process.nextLine())
      let notice = try JSONDecoder().decode(Notice.self, from: Data(line.utf8))
      return ServerProcess(process: process, port: notice.port)
    }
  }

  /// Ends the process without any notice.
  func kill() async throws {
    try await ServerProcess.apart { _ = process.kill() }
  }

  /// Runs `hearth verify` on a database that isn't served, and returns its exit status.
  static func verify(_ database: String) async throws -> Int {
    try await apart {
      let run = try RunningWriter(["verify", "--db", database], program: "hearth")
      _ = run.finish()
      return run.exitStatus
    }
  }

  /// Returns the bytes of memory that the process has now.
  func residentByteCount() throws -> Int {
    let status = try String(
      contentsOfFile: "/proc/\(process.processIdentifier)/status", encoding: .utf8)
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
    let number = line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) }
    return try #require(number) << 10
  }

  /// Sends a request of REST, and returns the text of its answer.
  func send(_ method: String, _ path: String, _ body: String = "") async throws -> String {
    let connection = try await PlainConnection.connect(to: port)
    let head = [
      "\(method) \(path) HTTP/1.1", "Host: localhost", "Connection: close",
      "Content-Length: \(body.utf8.count)", "", body,
    ]
    try await connection.send(head.joined(separator: "\r\n"))
    return await connection.text()
  }

  /// The line that a server prints when it has begun.
  private struct Notice: Decodable {
    let port: Int
  }

  /// Runs `body`, which waits for a process, on a thread of its own.
  private static func apart<Outcome: Sendable>(
    _ body: @escaping @Sendable () throws -> Outcome
  ) async throws -> Outcome {
    try await withCheckedThrowingContinuation { continuation in
      Thread { continuation.resume(with: Swift.Result(catching: body)) }.start()
    }
  }
}
