import ArgumentParser
import FoundationEssentials
import Hearth
import Workbench

/// `scale`: the costs of a database of ten thousand documents, and of a million.
struct Scale: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Latency, memory, disk and opening by the number of documents.",
    discussion: """
      Every step runs in a process of its own over the files that the one before it left. Ten \
      million documents need about 20 GB of disk: give them as --documents 10000000.
      """)

  @Option(
    help: "How many documents; repeatable. Without, 10,000, 100,000 and 1,000,000.")
  var documents: [Int] = []

  @Option(help: "Which indexes: all, or composites for those alone.")
  var indexes = IndexSet.all

  @Option(help: "The block cache in MiB, at every size.")
  var cache = 256

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
    var report = ScaleReport(
      blockCacheMebibytes: cache, indexes: indexes.rawValue,
      entries: try countEntries(in: path))
    show(report.header)
    for count in documents.isEmpty ? [10_000, 100_000, 1_000_000] : documents.sorted() {
      report.sizes.append(try measure(count, in: path))
      show(report.sizes.last?.line ?? "")
    }
    show(report.entries.text)
    guard let json else { return }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    try FileBytes.write(encoder.encode(report), to: json)
  }

  private func measure(_ count: Int, in path: String) throws -> ScaleReport.Size {
    let store = "\(path)/\(count)"
    defer { Disk.remove(store) }
    func probe(_ step: Probe.Step) throws -> ProbeResult {
      try run(step, at: store, count, indexes)
    }
    let loading = try probe(.load).value(\.seconds)
    let loaded = ScaleReport.State(
      byteCount: Disk.byteCount(at: store), opening: try probe(.open).value(\.seconds),
      cold: try probe(.cold).value(\.latency), hot: try probe(.hot).value(\.latency))
    let compaction = try probe(.compact).value(\.seconds)
    let compacted = ScaleReport.State(
      byteCount: Disk.byteCount(at: store), opening: try probe(.open).value(\.seconds),
      cold: try probe(.cold).value(\.latency), hot: try probe(.hot).value(\.latency))
    let memory = count <= 1_000_000 ? try probe(.fill).value(\.memory) : nil
    _ = try probe(.kill)
    let afterKill = try openOnce(store, count)
    return ScaleReport.Size(
      documents: count, loading: loading, compaction: compaction, loaded: loaded,
      compacted: compacted, openingAfterKill: afterKill, memory: memory)
  }

  /// Measures the first opening after a kill, which reads the logs.
  private func openOnce(_ store: String, _ count: Int) throws -> Double {
    let start = Clock.wall()
    let opened = try HearthContestant(
      StoreSettings(
        path: store, indexes: indexes,
        memory: MemorySettings(cacheMebibytes: cache, documentMebibytes: 0), isDurable: true),
      keeping: HearthMemory())
    let time = Clock.wall() - start
    try opened.database.close()
    return time
  }

  /// Measures the bytes of an entry: the difference between a store with indexes and one without.
  private func countEntries(in path: String) throws -> ScaleReport.Entries {
    let count = 100_000
    func figures(_ set: IndexSet) throws -> (perDocument: Double, byteCount: Int) {
      let store = "\(path)/entries"
      defer { Disk.remove(store) }
      for step in [Probe.Step.load, .compact] { _ = try run(step, at: store, count, set) }
      return (
        try run(.verify, at: store, count, set).value(\.entriesPerDocument),
        Disk.byteCount(at: store)
      )
    }
    let (with, without) = (try figures(indexes), try figures(.none))
    return ScaleReport.Entries(
      perDocument: with.perDocument, perDocumentUnindexed: without.perDocument,
      byteCountUnindexed: Double(without.byteCount) / Double(count),
      byteCountPerEntry: Double(with.byteCount - without.byteCount) / Double(count)
        / (with.perDocument - without.perDocument))
  }

  private func run(
    _ step: Probe.Step, at store: String, _ count: Int, _ indexes: IndexSet
  ) throws -> ProbeResult {
    let output = store + ".output"
    defer { Disk.remove(output) }
    let status = Program.run(
      [
        Program.ownPath, "probe", "--step", step.rawValue, "--folder", store, "--documents",
        "\(count)", "--indexes", indexes.rawValue, "--cache", "\(cache)",
      ], output: output)
    // The process ends by the signal that it sends itself.
    if step == .kill { return ProbeResult() }
    let bytes = try FileBytes.read(output)
    guard status == 0 else {
      throw StudyError("\(step) failed: \(String(decoding: bytes, as: UTF8.self))")
    }
    return try JSONDecoder().decode(ProbeResult.self, from: Data(bytes))
  }
}

extension ProbeResult {
  fileprivate func value<Figure>(_ figure: KeyPath<ProbeResult, Figure?>) throws -> Figure {
    guard let value = self[keyPath: figure] else { throw StudyError("a step told nothing") }
    return value
  }
}
