import Workbench

/// The result of the study of scale.
struct ScaleReport: Codable {
  /// The disk space of documents and entries.
  struct Entries: Codable {
    let perDocument: Double
    /// Number of entries without indexes: those of the key index, which every document has.
    let perDocumentUnindexed: Double
    let byteCountUnindexed: Double
    let byteCountPerEntry: Double

    var text: String {
      """
      A document has \(perDocument.short) entries; without indexes it has \
      \(perDocumentUnindexed.short), and it and they take \(byteCountUnindexed.short) bytes of \
      disk. An entry takes \(byteCountPerEntry.short) bytes. Both after a compaction, with Snappy.
      """
    }
  }

  /// A database in one state of its files.
  struct State: Codable {
    let byteCount: Int
    /// Seconds to open it after a clean stop.
    let opening: Double
    let cold: Percentiles
    let hot: Percentiles
  }

  struct Size: Codable {
    let documents: Int
    /// Seconds of the load.
    let loading: Double
    let compaction: Double
    /// The files as the load left them.
    let loaded: State
    let compacted: State
    /// Seconds of the first opening after a kill.
    let openingAfterKill: Double
    /// The memory with every document in the cache; `nil` if it was not measured.
    let memory: ProbeResult.Memory?
  }

  let blockCacheMebibytes: Int
  let indexes: String
  var sizes: [Size] = []
  let entries: Entries
}

extension ScaleReport {
  var header: String {
    """
    **Scale**: Q2 in us, cold and with documents and scans in memory, over files as the load left \
    them and \
    after a compaction; opening in ms; bytes per document on the disk, and in memory when all \
    documents are cached. \
    Block cache \(blockCacheMebibytes) MiB, 4 MiB for the last; indexes: \(indexes).

    | documents | load us/doc | cold p50 | p99 | hot p50 | p99 | compacted: cold p50 | p99 \
    | hot p50 | p99 | opening | compacted | after a kill | disk bytes/doc | compacted \
    | allocated bytes/doc | mapped |
    |\(String(repeating: "---:|", count: 17))
    """
  }
}

extension ScaleReport.Size {
  var line: String {
    func perDocument(_ bytes: Int) -> Double { Double(bytes) / Double(documents) }
    func latencies(_ state: ScaleReport.State) -> [Double] {
      [state.cold.p50, state.cold.p99, state.hot.p50, state.hot.p99]
    }
    let figures =
      [loading * 1e6 / Double(documents)] + latencies(loaded) + latencies(compacted)
      + [loaded.opening * 1e3, compacted.opening * 1e3, openingAfterKill * 1e3]
      + [perDocument(loaded.byteCount), perDocument(compacted.byteCount)]
      + [
        memory.map { perDocument($0.filled.anonymousByteCount - $0.opened.anonymousByteCount) },
        memory.map { perDocument($0.filled.fileByteCount - $0.opened.fileByteCount) },
      ].map { $0 ?? .nan }
    return "| \(documents) | \(figures.map(\.short).joined(separator: " | ")) |"
  }
}
