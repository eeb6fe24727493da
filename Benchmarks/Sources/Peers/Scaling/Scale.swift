import ArgumentParser
import FoundationEssentials
import Workbench

/// `scale`: the costs of Hearth and SQLite by the number of documents.
struct Scale: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Latency, memory, disk and opening by the number of documents, beside SQLite.",
    discussion: """
      Every step runs in a process of its own over the files that the one before it left. Ten \
      million documents need about 20 GB of disk: give them as --documents 10000000.
      """)

  @Option(
    help: "How many documents; repeatable. Without, 10,000, 100,000 and 1,000,000.")
  var documents: [Int] = []

  @Option(help: "The most documents with which SQLite runs too.")
  var peerLimit = 1_000_000

  @Option(help: "The cache of blocks or pages in MiB, and that of Hearth's documents.")
  var cache = 256

  @Option(help: "How many tables of its files Hearth keeps open; by default a thousand.")
  var tables: Int?

  @Option(help: "The folder in which the databases are made.")
  var folder = "/tmp"

  @Option(help: "Write all figures into this file, as JSON.")
  var json: String?

  func validate() throws {
    guard documents.allSatisfy({ $0 >= 1000 && $0.isMultiple(of: 500) }) else {
      throw ValidationError("--documents needs a multiple of 500, at least 1000")
    }
  }

  func run() throws {
    let path = try Disk.makeTemporaryFolder(in: folder)
    defer { Disk.remove(path) }
    var report = ScaleReport(cacheMebibytes: cache)
    show(report.header)
    for count in documents.isEmpty ? [10_000, 100_000, 1_000_000] : documents.sorted() {
      for engine in count <= peerLimit ? [Engine.hearth, .sqliteJSON] : [.hearth] {
        report.lines.append(try measure(engine, count, in: path))
        show(report.lines.last?.text ?? "")
      }
    }
    guard let json else { return }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    try FileBytes.write(encoder.encode(report), to: json)
  }

  private func measure(
    _ engine: Engine, _ count: Int, in path: String
  ) throws -> ScaleReport.Line {
    let store = engine.path(in: path)
    defer { for end in ["", "-wal", "-shm", ".ids"] { Disk.remove(store + end) } }
    func probe(_ step: Probe.Step) throws -> ProbeResult { try run(step, engine, count, in: path) }
    let load = try probe(.load)
    let byteCount = Disk.byteCount(at: store)
    let opening = try probe(.open)
    let cold = try probe(.cold)
    let hot = try probe(.hot)
    let write = try probe(.write)
    _ = try probe(.kill)
    return ScaleReport.Line(
      engine: engine, documents: count, byteCount: byteCount, load: load, opening: opening,
      cold: cold, hot: hot, write: write, afterKill: try probe(.reopen))
  }

  private func run(
    _ step: Probe.Step, _ engine: Engine, _ count: Int, in path: String
  ) throws -> ProbeResult {
    let output = "\(path)/output"
    defer { Disk.remove(output) }
    let status = Program.run(
      [
        Program.ownPath, "probe", "--step", step.rawValue, "--engine", engine.rawValue,
        "--folder", path, "--documents", "\(count)", "--cache", "\(cache)",
      ] + (tables.map { ["--tables", "\($0)"] } ?? []), output: output)
    let bytes = try FileBytes.read(output)
    guard status == 0 else {
      throw StudyError("\(step) failed: \(String(decoding: bytes, as: UTF8.self))")
    }
    // The process has ended by the signal that it sent itself.
    if step == .kill { return ProbeResult() }
    return try JSONDecoder().decode(ProbeResult.self, from: Data(bytes))
  }
}
