import Foundation
import ServerTestClient

/// A server in a process of its own, and what the process costs.
final class ServerProcess: Sendable {
  let port: Int
  /// Time from the start of the process to the moment at which it listened.
  let startSeconds: Double
  private let process: Process

  private init(_ process: Process, port: Int, startSeconds: Double) {
    (self.process, self.port, self.startSeconds) = (process, port, startSeconds)
  }

  /// Starts `hearth` with arguments that make it print its port as JSON.
  static func hearth(_ path: String, _ arguments: [String]) async throws -> ServerProcess {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = arguments
    process.standardOutput = output
    let start = ContinuousClock.now
    try process.run()
    let line = output.fileHandleForReading.availableData
    let seconds = (ContinuousClock.now - start) / .seconds(1)
    struct Notice: Decodable { let port: Int }
    guard let notice = try? JSONDecoder().decode(Notice.self, from: line) else {
      throw LoadError.noServer(String(decoding: line, as: UTF8.self))
    }
    return ServerProcess(process, port: notice.port, startSeconds: seconds)
  }

  /// Starts the official emulator.
  static func emulator() async throws -> ServerProcess {
    let port = Int.random(in: 20_000..<30_000)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [
      "gcloud", "emulators", "firestore", "start", "--quiet", "--host-port=127.0.0.1:\(port)",
    ]
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    let start = ContinuousClock.now
    try process.run()
    while process.isRunning {
      if let client = try? await ServerClient.connect(to: port) {
        try await client.close()
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        return ServerProcess(process, port: port, startSeconds: seconds)
      }
      try await Task.sleep(for: .milliseconds(20))
    }
    throw LoadError.noServer("gcloud ended with \(process.terminationStatus)")
  }

  /// Calls `body`, and then ends the process, also after an error.
  func use(_ body: (ServerProcess) async throws -> Void) async throws {
    defer { stop() }
    try await body(self)
  }

  /// Ends the process, and those that it has started.
  private func stop() {
    for id in ProcessTree(of: process.processIdentifier).ids.reversed() { kill(id, SIGTERM) }
    process.waitUntilExit()
  }

  var processorSeconds: Double { ProcessTree(of: process.processIdentifier).processorSeconds }
  var residentMegabytes: Double { ProcessTree(of: process.processIdentifier).residentMegabytes }

  /// - Throws: ``LoadError`` for an answer that isn't OK.
  func checked(_ answer: ClientAnswer) throws {
    guard answer.status == 0 else { throw LoadError.refused(answer.status, answer.message ?? "") }
  }
}

/// A process and those that it has started.
private struct ProcessTree {
  /// The numbers of the processes, each after the one that has started it.
  let ids: [Int32]
  private let rows: [Int32: Row]

  private struct Row {
    let parent: Int32
    let ticks: Double
  }

  init(of root: Int32) {
    var rows: [Int32: Row] = [:]
    for name in (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? [] {
      guard let id = Int32(name),
        let bytes = FileManager.default.contents(atPath: "/proc/\(name)/stat"),
        case let stat = String(decoding: bytes, as: UTF8.self), let end = stat.lastIndex(of: ")")
      else { continue }
      let fields = stat[end...].split(separator: " ")
      guard fields.count > 13, let parent = Int32(fields[2]), let user = Double(fields[12]),
        let system = Double(fields[13])
      else { continue }
      rows[id] = Row(parent: parent, ticks: user + system)
    }
    var ids = [root]
    var next = 0
    while next < ids.count {
      ids += rows.filter { $0.value.parent == ids[next] }.keys.sorted()
      next += 1
    }
    self.ids = ids
    self.rows = rows
  }

  var processorSeconds: Double {
    ids.compactMap { rows[$0]?.ticks }.reduce(0, +) / Double(sysconf(Int32(_SC_CLK_TCK)))
  }

  var residentMegabytes: Double {
    let kilobytes = ids.map { id -> Double in
      let status = FileManager.default.contents(atPath: "/proc/\(id)/status") ?? Data()
      let lines = String(decoding: status, as: UTF8.self).split(separator: "\n")
      let line = lines.first { $0.hasPrefix("VmRSS:") }
      return line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Double($0) }
        ?? 0
    }
    return kilobytes.reduce(0, +) / 1_000
  }
}
